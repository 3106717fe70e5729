import Foundation

extension Workload {
    static let startOfFew = start("W21", .few)
    static let startOfMany = start("W21m", .many)

    /// The file has the schema already, so that nothing is due. All is closed again, which is measured too. In a process of its
    /// own, where nothing has run before, more comes to it: see the command `start`.
    private static func start(_ id: String, _ model: StartedModel) -> Workload {
        let title = "start with \(model.entityCount) entities, nothing due, and the first row"
        return Workload(id, title, per: "start", goal: 1.3, grows: []) { world in
            let file = try await model.makeFile(in: world.workspace)
            let count = world.starts
            return [
                .baseline(count, name: "GRDB's pool") { _ in
                    { try await sum(count) { try await model.startPlain(file, isMigrated: false) } }
                },
                .peer("GRDB's pool and migrator", count) { _ in
                    { try await sum(count) { try await model.startPlain(file, isMigrated: true) } }
                },
                .storageKit(count) { _ in { try await sum(count) { try await model.start(file) } } },
            ]
        }
    }

    private static func sum(_ times: Int, _ work: () async throws -> Int) async throws -> Int {
        var sum = 0
        for _ in 0..<times { sum &+= try await work() }
        return sum
    }
}
