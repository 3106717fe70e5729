import StorageKit
import StorageTestSupport

/// `bank FILE`: for each line of its input, a seed, carries out the program of that seed, and says `answers JSON`. Says `ready`
/// before the first.
struct BankCommand {
    private let file: URL

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw UsageError(message: "bank FILE") }
        file = URL(fileURLWithPath: arguments[0])
    }

    func run() async throws {
        let context = try Bank.start(at: file) { say("failed: \($0)") }
        let teller = try BankTeller(context, file: file)
        say("ready")
        while let line = readLine() {
            guard let seed = UInt64(line) else { throw UsageError(message: "\(line) is no seed") }
            let answers = try await teller.run(BankProgram(seed: seed))
            say("answers \(String(decoding: try JSONEncoder().encode(answers), as: UTF8.self))")
        }
        try await context.close()
    }
}
