extension Workload {
    static let fetchAll = Workload("W4", "fetch all rows, no order", per: "row", goal: 1.08) { world in
        try fetching(
            world, operations: world.rows, raw: { try $0.fetch("") }, handWritten: { try await $0.fetchAll() },
            codable: { try await $0.fetchAll() }, kit: { try await $0.fetchAll() })
    }

    static let fetchOrdered = Workload("W4o", "fetch all rows, ordered by id", per: "row", goal: 0.75) { world in
        try fetching(
            world, operations: world.rows, raw: { try $0.fetch("ORDER BY id") },
            handWritten: { try await $0.fetchOrdered() }, codable: { try await $0.fetchOrdered() },
            kit: { try await $0.fetchOrdered() })
    }

    static let fetchByIndex = Workload(
        "W5", "fetch 1000 rows by filter and order, on an index", per: "fetch", goal: 1.05
    ) { world in
        let limit = 1000
        let rest = "WHERE age >= 30 AND isActive ORDER BY score LIMIT \(limit)"
        return try fetching(
            world, operations: 1, raw: { try $0.fetch(rest) },
            handWritten: { try await $0.fetchByIndex(limit: limit) },
            codable: { try await $0.fetchByIndex(limit: limit) }, kit: { try await $0.fetchByIndex(limit: limit) })
    }

    /// What a query costs beside its rows, in a store as the documents show it.
    static let fetchFew = Workload("W5s", "fetch 10 rows by an order, on an index", per: "fetch", goal: 1.25) { world in
        let (times, limit) = (world.operations / 5, 10)
        let starts = (0..<times).map { 990 * Double($0) / Double(times) }
        return try fetching(
            world, operations: times, hasTiers: true, raw: { try $0.fetchFew(from: starts, limit: limit) },
            handWritten: { try await $0.fetchFew(from: starts, limit: limit) },
            codable: { try await $0.fetchFew(from: starts, limit: limit) },
            kit: { try await $0.fetchFew(from: starts, limit: limit) })
    }

    static let count = Workload("W7", "count the rows of a predicate", per: "count", goal: 1.05) { world in
        let times = 10
        return try fetching(
            world, operations: times,
            raw: { store in
                try (0..<times).reduce(0) { sum, _ in
                    try sum + store.number("SELECT COUNT(*) FROM users WHERE age >= 40")
                }
            }, handWritten: { try await $0.count(times: times) }, codable: nil,
            kit: { try await $0.count(times: times) })
    }

    /// All sides read one file.
    private static func fetching(
        _ world: World, operations: Int, hasTiers: Bool = false,
        raw: @escaping @Sendable (RawStore) throws -> Int,
        handWritten: @escaping @Sendable (PlainStore<HandWrittenUser>) async throws -> Int,
        codable: (@Sendable (PlainStore<CodableUser>) async throws -> Int)?,
        kit: @escaping @Sendable (KitStore) async throws -> Int
    ) throws -> [Side] {
        let file = try world.workspace.store(UserGenerator.users(world.rows), indexed: "score")
        let rawStore = try RawStore(file)
        let handWrittenStore = try PlainStore<HandWrittenUser>(file)
        let codableStore = try PlainStore<CodableUser>(file)
        let kitStore = try hasTiers ? KitStore(documented: file) : KitStore(file)
        var sides: [Side] = [
            .baseline(operations) { _ in { try raw(rawStore) } },
            .peer("GRDB hand-written", operations) { _ in { try await handWritten(handWrittenStore) } },
        ]
        if let codable {
            sides.append(.peer("GRDB Codable", operations) { _ in { try await codable(codableStore) } })
        }
        return sides + [.storageKit(operations) { _ in { try await kit(kitStore) } }]
    }
}
