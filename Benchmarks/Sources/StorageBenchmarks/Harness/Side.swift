/// What is measured: one of the ways to do a workload.
struct Side: Sendable {
    /// What a side is in the comparison.
    enum Role: String, Codable, CaseIterable, Sendable {
        /// What the others are measured against: raw SQLite, if the workload does not say otherwise.
        case baseline
        /// Another way to do the same.
        case peer
        /// StorageKit.
        case storageKit
    }

    /// Work with a result, which has to be the same on every side.
    typealias Work = @Sendable () async throws -> Int

    let role: Role
    let name: String
    /// How many operations one repetition is: costs are told for one.
    let operations: Int
    /// Gets everything ready for a repetition, which is not measured, and returns what is.
    let prepare: @Sendable (_ repetition: Int) async throws -> Work
    /// The sides whose medians are taken off what this one costs, and added to it: for what cannot be measured by itself.
    var less: (taken: String, added: String)?

    static func baseline(
        _ operations: Int, name: String = "raw SQLite", _ prepare: @escaping @Sendable (Int) async throws -> Work
    ) -> Side {
        Side(role: .baseline, name: name, operations: operations, prepare: prepare)
    }

    static func peer(
        _ name: String, _ operations: Int, _ prepare: @escaping @Sendable (Int) async throws -> Work
    ) -> Side {
        Side(role: .peer, name: name, operations: operations, prepare: prepare)
    }

    static func storageKit(
        _ operations: Int, name: String = "StorageKit", _ prepare: @escaping @Sendable (Int) async throws -> Work
    ) -> Side {
        Side(role: .storageKit, name: name, operations: operations, prepare: prepare)
    }

    /// The same, with the cost of one peer taken off and that of another added.
    func less(_ taken: String, plus added: String) -> Side {
        var side = self
        side.less = (taken, added)
        return side
    }
}
