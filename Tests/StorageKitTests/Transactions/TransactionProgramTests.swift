import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Random programs of concurrent transactions, snapshots and single calls, with both caches on, against a model that does
/// one thing after the other. In some a second process does the same on the same file.
@Suite(.timeLimit(.minutes(60))) struct TransactionProgramTests {
    private static let programsPerStore = 20

    @Test func concurrentProgramsSeeAndLeaveWhatASerialOneWould() async throws {
        let counts = Mutex(BankCounts())
        try await runOnStores(short: 120, quick: 500, full: 20_000, programsPerStore: Self.programsPerStore) { seed in
            let found = try await BankRun(seed: seed).run(Self.programsPerStore)
            counts.withLock { $0 += found }
        }
        print("programs · transactions: \(counts.withLock { $0 })")
    }
}

struct BankCounts: CustomStringConvertible {
    var programs = 0
    var ofTwoProcesses = 0
    var outcomes: [String: Int] = [:]

    static func += (sum: inout BankCounts, other: BankCounts) {
        sum.programs += other.programs
        sum.ofTwoProcesses += other.ofTwoProcesses
        sum.outcomes.merge(other.outcomes, uniquingKeysWith: +)
    }

    var description: String {
        let kinds = outcomes.sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key)" }
        return "\(programs.grouped) programs, \(ofTwoProcesses.grouped) of them in two processes: "
            + kinds.joined(separator: ", ")
    }
}

/// Programs on one store.
private struct BankRun {
    private let seed: UInt64
    private let folder: TemporaryFolder
    private let context: StorageKit.Context
    private let teller: BankTeller
    private let child: ChildProcess?
    private var streams: BankStreams
    private var counts = BankCounts()

    init(seed: UInt64) async throws {
        self.seed = seed
        folder = try TemporaryFolder()
        let file = folder.file()
        // Caches that are too small for all rows.
        context = try Bank.start(at: file, options: .init(diskQuotaBytes: 300, memoryCapacity: 3)) { error in
            Issue.record("STORAGEKIT_SEED=\(seed): \(error)")
        }
        teller = try BankTeller(context, file: file)
        child = seed % 4 == 0 ? try ChildProcess("bank", file.path) : nil
        try await child?.line("ready")
        streams = BankStreams(context.facade)
    }

    func run(_ programs: Int) async throws -> BankCounts {
        var run = self
        var random = SeededGenerator(seed: seed)
        for number in 0..<programs {
            let problems = try await run.program(random.next())
            if !problems.isEmpty {
                Issue.record("STORAGEKIT_SEED=\(seed), program \(number): \(problems.joined(separator: "\n"))")
                break
            }
        }
        child?.closeInput()
        try await child?.exit()
        return run.counts
    }

    /// - Returns: What is wrong.
    private mutating func program(_ seed: UInt64) async throws -> [String] {
        let base = try teller.journalLength()
        let before = try teller.rows()
        let (own, others) = (BankProgram(seed: seed), BankProgram(seed: seed &+ 1))
        try child?.send("\(seed &+ 1)")
        var parts = [(program: own, answers: try await teller.run(own))]
        if let line = try await child?.line("answers ") {
            parts.append((others, try JSONDecoder().decode([BankAnswer].self, from: Data(line.utf8))))
        }
        var audit = BankAudit(states: try teller.states(after: before, from: base), base: base)
        audit.check(parts)
        count(parts)
        var problems = audit.problems
        if let problem = try await problemAtRest(audit) { problems.append(problem) }
        return problems
    }

    /// Looks at everything, by every road, while nobody writes.
    private mutating func problemAtRest(_ audit: BankAudit) async throws -> String? {
        guard let last = audit.states.last else { return "there is no state" }
        let rows = try teller.rows()
        guard rows.sameRows(as: last) else { return "the tables hold \(rows) and not \(last)" }
        let all =
            Bank.accounts.map { BankLook.account($0) } + Bank.drafts.map { .draft($0) }
            + [.accounts, .drafts, .receipts(of: "a"), .sum, .count(above: 500_000_000)]
        // The second time from what the first put into the caches.
        for look in all + all {
            let found = try await context.look(look)
            if found != last.look(look) { return "at rest \(look) found \(found) and not \(last.look(look))" }
        }
        return try await streams.settle(audit)
    }

    private mutating func count(_ parts: [(program: BankProgram, answers: [BankAnswer])]) {
        counts.programs += 1
        if parts.count > 1 { counts.ofTwoProcesses += 1 }
        for (program, answers) in parts {
            for answer in answers {
                guard case .transaction = program.tasks[answer.task][answer.deed].deed else { continue }
                let isKnown = ["done", "cancelled", "failed", "busy"].contains(answer.outcome)
                counts.outcomes[isKnown ? answer.outcome : "refused", default: 0] += 1
            }
        }
    }
}
