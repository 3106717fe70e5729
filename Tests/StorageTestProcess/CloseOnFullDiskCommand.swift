import GRDBSQLite
import StorageKit
import StorageTestSupport

/// `close-on-full-disk FILE`: saves ten users, and closes the store while the disk is full. Says `closed`; or
/// `failed: ...`, and `then: ...` with what a call throws afterwards.
struct CloseOnFullDiskCommand {
    private let file: URL

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw UsageError(message: "close-on-full-disk FILE") }
        file = URL(fileURLWithPath: arguments[0])
    }

    func run() async throws {
        try FaultyDisk.install()
        let context = try StorageKit.start(at: file) { $0.autoSchema(TestUserRecord.self) }
        try await context.facade.save((0..<10).map { TestUser("\($0)") })
        FaultyDisk.begin(.init(call: .write, number: 0, effect: .error(SQLITE_FULL), count: .max))
        do {
            try await context.close()
            say("closed")
        } catch {
            FaultyDisk.end()
            say("failed: \(error)")
            let later = await thrownError { _ = try await context.facade.count(TestUser.self) }
            say("then: \(String(describing: later))")
            exit(2)
        }
    }
}
