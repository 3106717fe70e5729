import StorageKit
import StorageTestSupport

/// `observe FILE COUNT`: begins and ends so many observations, three times, and says after each time how many kilobytes of memory
/// the process has in use.
struct ObserveCommand {
    private let path: String
    private let count: Int

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, let count = Int(arguments[1]) else {
            throw UsageError(message: "observe FILE COUNT")
        }
        path = arguments[0]
        self.count = count
    }

    func run() async throws {
        let context = try StorageKit.start(at: URL(fileURLWithPath: path)) { $0.autoSchema(TestUserRecord.self) }
        let storage = context.facade
        try await storage.save((0..<20).map { TestUser("\($0)") })
        for _ in 0..<3 {
            for cycle in 0..<count {
                let row = StreamProbe(storage.observe(TestUser.self, id: "\(cycle % 30)"))
                let list = StreamProbe(storage.query(TestUser.self).orderBy("age").limit(5).observe())
                if cycle % 2 == 0 { _ = try await (row.next(), list.next()) }
            }
            try await untilTrue { context.storage.dbActor.changes.listenerCount == 0 }
            say("kilobytes \(try residentKilobytes())")
        }
    }
}
