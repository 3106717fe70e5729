import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Kills a process whose tasks transfer between accounts, at random moments, and looks at what it left: transfers are there
/// as a whole or not at all, and all that were acknowledged are there.
@Suite(.timeLimit(.minutes(30))) struct TransferCrashTests {
    @Test func transfersOfAKilledProcessAreWholeAndNoneThatWasAcknowledgedIsLost() async throws {
        let counts = Mutex(TransferCounts())
        try await runOnStores(quick: 12, full: 200, programsPerStore: 4) { seed in
            var bank = try await TransferredStore(seed: seed)
            for number in 0..<4 { try await bank.killAndLook(number) }
            let found = bank.counts
            counts.withLock { $0.add(found) }
        }
        let all = counts.withLock { $0 }
        reportFaults(
            "crash in transfers",
            "\(all.kills.grouped) kills of 16 tasks, \(all.acknowledged.grouped) acknowledged transfers, \(all.lost) lost, "
                + "\(all.wrongSums) sums wrong, \(all.unacknowledged) committed but not acknowledged yet")
        #expect(all.acknowledged > 0)
    }
}

private struct TransferCounts {
    var kills = 0
    var acknowledged = 0
    var unacknowledged = 0
    var lost = 0
    var wrongSums = 0

    mutating func add(_ other: TransferCounts) {
        kills += other.kills
        acknowledged += other.acknowledged
        unacknowledged += other.unacknowledged
        lost += other.lost
        wrongSums += other.wrongSums
    }
}

/// A file with accounts whose writer is killed, again and again.
private struct TransferredStore {
    private static let tasks = 16

    private let folder: TemporaryFolder
    private let seed: UInt64
    private var generator: SeededGenerator
    /// The transfers that are there.
    private var receipts: Set<Int> = []
    private(set) var counts = TransferCounts()

    init(seed: UInt64) async throws {
        self.seed = seed
        folder = try TemporaryFolder()
        generator = SeededGenerator(seed: seed)
        let context = try Bank.start(at: folder.file(), hasJournal: false)
        try await context.facade.save(
            BankTransfer.accounts.map { Bank.Account($0, balance: BankTransfer.balance) })
        try await context.close()
    }

    mutating func killAndLook(_ round: Int) async throws {
        let comment: Comment = "seed \(seed), kill \(round)"
        let child = try await killed(round)
        let acknowledged = Set(child.lines("done ").compactMap { Int($0) })
        #expect(child.lines("failed").isEmpty, "\(comment): \(child.said.suffix(1))")
        counts.kills += 1
        counts.acknowledged += acknowledged.count

        let context = try Bank.start(at: folder.file(), hasJournal: false) { Issue.record("\(comment): \($0)") }
        let storage = context.facade
        let (found, accounts) = try await storage.snapshot { tx in
            (
                Set(try storage.query(Bank.Receipt.self).fetch(in: tx).map(\.id)),
                try storage.query(Bank.Account.self).orderBy(\.id).fetch(in: tx)
            )
        }
        let lost = receipts.union(acknowledged).subtracting(found)
        #expect(lost.isEmpty, comment)
        counts.lost += lost.count
        counts.unacknowledged += found.subtracting(receipts).subtracting(acknowledged).count
        #expect(!found.contains { BankTransfer($0).fails }, comment)
        // Nobody was under way with more than one.
        #expect(found.subtracting(receipts).subtracting(acknowledged).count <= Self.tasks, comment)
        receipts = found

        let sum = accounts.reduce(0) { $0 + $1.balance }
        if sum != BankTransfer.balance * BankTransfer.accounts.count { counts.wrongSums += 1 }
        #expect(sum == BankTransfer.balance * BankTransfer.accounts.count, comment)
        #expect(accounts == balances, comment)
        for account in accounts + accounts {
            #expect(try await storage.get(Bank.Account.self, id: account.id) == account, comment)
        }
        #expect(try await context.checkIntegrity().isIntact, comment)
        try await context.close()
    }

    private mutating func killed(_ round: Int) async throws -> ChildProcess {
        let arguments = ["transfer", folder.file().path, "\(round)", "\(Self.tasks)"]
        // Half of them die in the middle of a write to the disk, the others anywhere.
        if generator.next() % 2 == 0 {
            let child = try ChildProcess(arguments + ["\(Int.random(in: 0..<3000, using: &generator))"])
            #expect(try await child.exit() == .signal(SIGKILL), "\(child.said.suffix(1))")
            return child
        }
        let child = try ChildProcess(arguments)
        try await child.line("ready")
        // The delay is the fault, and nothing waits for what happens meanwhile.
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...400, using: &generator)))
        child.kill()
        #expect(try await child.exit() == .signal(SIGKILL), "\(child.said.suffix(1))")
        return child
    }

    /// What the accounts hold after the transfers whose receipts are there.
    private var balances: [Bank.Account] {
        var accounts = BankTransfer.accounts.map { Bank.Account($0, balance: BankTransfer.balance) }
        for transfer in receipts.map({ BankTransfer($0) }) {
            for index in accounts.indices {
                if accounts[index].id == transfer.from { accounts[index].balance -= transfer.amount }
                if accounts[index].id == transfer.to { accounts[index].balance += transfer.amount }
            }
        }
        return accounts
    }
}
