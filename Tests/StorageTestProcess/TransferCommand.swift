import StorageKit
import StorageTestSupport

/// `transfer FILE ROUND TASKS [DIE-AT-CALL]`: so many tasks transfer between accounts for ever, each transfer in a transaction.
/// Says `ready`, and `done NUMBER` for each that is committed.
///
/// With `DIE-AT-CALL` the process dies at that call to write to the disk, in the middle of what it would write.
struct TransferCommand {
    private let file: URL
    private let round: Int
    private let tasks: Int
    private let lastCall: Int?

    init(_ arguments: [String]) throws {
        guard (3...4).contains(arguments.count), let round = Int(arguments[1]), let tasks = Int(arguments[2]) else {
            throw UsageError(message: "transfer FILE ROUND TASKS [DIE-AT-CALL]")
        }
        file = URL(fileURLWithPath: arguments[0])
        self.round = round
        self.tasks = tasks
        lastCall = arguments.count > 3 ? Int(arguments[3]) : nil
    }

    func run() async throws {
        if let lastCall {
            try FaultyDisk.install()
            FaultyDisk.begin(.init(call: .write, number: lastCall, effect: .death))
        }
        let context = try Bank.start(at: file, hasJournal: false)
        say("ready")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in 0... {
                        try await transfer((round * 100 + task) * 1_000_000 + number, context.facade)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func transfer(_ id: Int, _ storage: Storage) async throws {
        let transfer = BankTransfer(id)
        do {
            try await storage.transaction { tx in try transfer.perform(tx) }
        } catch is BankFailure where transfer.fails {
            return
        }
        say("done \(id)")
        // Reading puts entries into the caches that the next process finds.
        _ = try await storage.get(Bank.Account.self, id: transfer.to)
    }
}
