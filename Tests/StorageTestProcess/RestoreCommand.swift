import StorageKit

/// `restore FILE [OPTION N]`: says `ready`, waits for a line, puts back the oldest copy of the store and says `done`, or `failed: ...`.
/// The options are those of `start` that count calls to the disk.
struct RestoreCommand {
    private let file: URL
    private let options: [String: Int]

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 || arguments.count == 3 else { throw UsageError(message: "restore FILE [OPTION N]") }
        file = URL(fileURLWithPath: arguments[0])
        options = arguments.count == 3 ? [arguments[1]: Int(arguments[2]) ?? 0] : [:]
    }

    func run() async throws {
        say("ready")
        guard readLine() != nil, let backup = try StorageKit.backups(of: file).last else { return }
        try WriteFault.begin(options)
        do {
            try await StorageKit.restore(backup)
            WriteFault.end(options)
            say("done")
        } catch {
            say("failed: \(error)")
            exit(2)
        }
    }
}
