extension Workload {
    static let get = Workload("W6", "get by id, not cached", per: "get", goal: 1.2) { world in
        let users = UserGenerator.users(world.rows)
        let file = try world.workspace.store(users)
        let raw = try RawStore(file)
        let handWritten = try PlainStore<HandWrittenUser>(file)
        let codable = try PlainStore<CodableUser>(file)
        let kit = try KitStore(file)
        let (count, ids) = (world.operations, randomIds(users, world.operations))
        return [
            .baseline(count) { _ in { try raw.getEach(ids) } },
            .peer("GRDB hand-written, blocking", count) { _ in { try handWritten.getEachNow(ids) } },
            .peer("GRDB hand-written, await", count) { _ in { try await handWritten.getEach(ids) } },
            .peer("GRDB Codable, await", count) { _ in { try await codable.getEach(ids) } },
            .storageKit(count) { _ in { try await kit.getEach(ids) } },
        ]
    }

    /// The baseline gets one after the other.
    static let concurrentGet = Workload("W6c", "get by id, not cached, from 4 tasks", per: "get", goal: 1.2) { world in
        let users = UserGenerator.users(world.rows)
        let file = try world.workspace.store(users)
        let raw = try RawStore(file)
        let handWritten = try PlainStore<HandWrittenUser>(file)
        let kit = try KitStore(file)
        let (count, ids) = (world.operations, randomIds(users, world.operations))
        let parts = ids.parts(4)
        let connections = try parts.map { (ids: $0, raw: try RawStore(file)) }
        return [
            .baseline(count, name: "raw SQLite, one task") { _ in { try raw.getEach(ids) } },
            .peer("raw SQLite, a connection for each task", count) { _ in
                { try await inParallel(connections) { try $0.raw.getEach($0.ids) } }
            },
            .peer("GRDB hand-written, await", count) { _ in
                { try await inParallel(parts) { try await handWritten.getEach($0) } }
            },
            .storageKit(count) { _ in { try await inParallel(parts) { try await kit.getEach($0) } } },
        ]
    }

    /// Ten times as many rows as the tier in memory holds. Before each repetition both tiers are emptied, so that each row is read
    /// from the table; what the tiers are told of it meanwhile or a moment later is measured too. The peer has no disk cache, and
    /// its tier in memory has none of them either: they come round again after more than it holds. Another peer is raw SQLite that tells
    /// the disk cache's table of the rows, many in one transaction: the least that this can cost.
    static let getByDefault = Workload(
        "W6d", "get by id, in no cache, started as documented", per: "get", goal: 1.35
    ) { world in
        let rows = min(world.rows, 10_000)
        let users = UserGenerator.users(rows)
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W6d \(side)") }
        let raw = try RawStore(file("raw"))
        let entries = try RawStore(file("entries"))
        try entries.makeEntryTable()
        let memory = try KitStore(file("memory"), tiers: .memory(rows / 10))
        let kit = try KitStore(documented: file("kit"))
        var random = SeededRandom(seed: 4)
        let ids = users.shuffled(using: &random).prefix(world.operations).map(\.id)
        return [
            .baseline(ids.count) { _ in { try raw.getEach(ids) } },
            .peer("raw SQLite, with the entries", ids.count) { _ in
                try entries.emptyEntryTable()
                return { try entries.getEach(ids, settingEntriesEvery: 512) }
            },
            .peer("StorageKit, memory tier alone", ids.count) { _ in { try await memory.getEach(ids) } },
            .storageKit(ids.count) { _ in
                try await kit.emptyCaches()
                return {
                    let sum = try await kit.getEach(ids)
                    await kit.settleDiskCache()
                    return sum
                }
            },
        ]
    }

    /// The tier in memory has all that is asked for; the baseline asks SQLite.
    static let getFromMemory = Workload(
        "W6r", "get by id, in the memory tier", per: "get", goal: 0.10, grows: [.rows, .entries]
    ) { world in
        let users = UserGenerator.users(max(world.rows, world.entries))
        let file = try world.workspace.store(users)
        let raw = try RawStore(file)
        let cached = Array(users.prefix(world.entries))
        let kit = try KitStore(file, tiers: .memory(cached.count))
        _ = try await kit.getEach(cached.map(\.id))
        let count = world.operations * 20
        let ids = randomIds(cached, count)
        return [
            .baseline(count) { _ in { try raw.getEach(ids) } },
            .storageKit(count) { _ in { try await kit.getEach(ids) } },
        ]
    }

    private static func randomIds(_ users: [User], _ count: Int) -> [String] {
        var random = SeededRandom(seed: 2)
        return (0..<count).map { _ in users[Int.random(in: 0..<users.count, using: &random)].id }
    }
}
