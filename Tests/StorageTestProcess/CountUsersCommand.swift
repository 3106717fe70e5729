import StorageKit
import StorageTestSupport

/// `count-users FILE`: says `count N` for each number of users that a stream of a store on the file gives.
struct CountUsersCommand {
    private let path: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw UsageError(message: "count-users FILE") }
        path = arguments[0]
    }

    func run() async throws {
        let context = try StorageKit.start(at: URL(fileURLWithPath: path)) { $0.autoSchema(TestUserRecord.self) }
        for await count in context.facade.query(TestUser.self).observeCount() { say("count \(count)") }
    }
}
