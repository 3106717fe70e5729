import Foundation

extension Workload {
    /// Each save changes a row of a full table, and is a transaction of its own.
    static let singleSave = Workload("W3", "single save, own transaction", per: "save", goal: 1.2) { world in
        let users = UserGenerator.users(world.rows)
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W3 \(side)") }
        let raw = try RawStore(file("raw"))
        let handWritten = try PlainStore<HandWrittenUser>(file("hand"))
        let codable = try PlainStore<CodableUser>(file("codable"))
        let kit = try KitStore(file("kit"))
        let count = world.operations
        let some = users.cycled(count)
        return [
            .baseline(count) { repetition in
                let changed = some.map { $0.changed(repetition) }
                return {
                    try raw.saveEach(changed); return count
                }
            },
            .peer("GRDB hand-written, blocking", count) { repetition in
                let changed = some.map { HandWrittenUser($0.changed(repetition)) }
                return {
                    try handWritten.saveEachNow(changed); return count
                }
            },
            .peer("GRDB hand-written, await", count) { repetition in
                let changed = some.map { HandWrittenUser($0.changed(1000 + repetition)) }
                return {
                    try await handWritten.saveEach(changed); return count
                }
            },
            .peer("GRDB Codable, await", count) { repetition in
                let changed = some.map { CodableUser($0.changed(repetition)) }
                return {
                    try await codable.saveEach(changed); return count
                }
            },
            .storageKit(count) { repetition in
                let changed = some.map { $0.changed(repetition) }
                return {
                    try await kit.saveEach(changed); return count
                }
            },
        ]
    }

    /// W3 in a store as the documents show it; beside raw SQLite, which writes the table alone. Each repetition saves other rows,
    /// which no cache has yet; a peer saves the same ones again, which both caches have. Another is raw SQLite that writes the entry of
    /// the disk cache as well, the least that this can cost.
    static let saveByDefault = Workload(
        "W3d", "single save, started as documented", per: "save", goal: 2.2
    ) { world in
        let users = UserGenerator.users(world.rows)
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W3d \(side)") }
        let raw = try RawStore(file("raw"))
        let entries = try RawStore(file("entries"))
        try entries.makeEntryTable()
        let known = try KitStore(documented: file("known"))
        let kit = try KitStore(documented: file("kit"))
        let count = world.operations
        let others = { @Sendable (repetition: Int) in
            (0..<count).map { users[(repetition * count + $0) % users.count].changed(repetition) }
        }
        let same = users.cycled(count)
        return [
            .baseline(count) { repetition in
                let changed = others(repetition)
                return {
                    try raw.saveEach(changed); return count
                }
            },
            .peer("raw SQLite, with the entry", count) { repetition in
                let changed = others(repetition)
                return {
                    try entries.saveEachWithEntry(changed); return count
                }
            },
            .peer("StorageKit, the same rows again", count) { repetition in
                let changed = same.map { $0.changed(repetition) }
                return {
                    try await known.saveEach(changed)
                    await known.settleDiskCache()
                    return count
                }
            },
            .storageKit(count) { repetition in
                let changed = others(repetition)
                return {
                    try await kit.saveEach(changed)
                    await kit.settleDiskCache()
                    return count
                }
            },
        ]
    }

    static let concurrentSave = concurrentSave("W3c", tasks: 4, goal: 0.9)
    static let concurrentSave16 = concurrentSave("W3c16", tasks: 16, goal: 0.9)
    static let concurrentSave64 = concurrentSave("W3c64", tasks: 64, goal: 0.9)
    /// Each commit waits for the disk.
    static let synchronousSave = concurrentSave("W3f", tasks: 16, isSynchronous: true, goal: 0.4)

    /// The baseline saves one after the other: SQLite has one writer anyway. StorageKit's store is opened as the documents show
    /// it; a peer is the same without tiers, and another the least that tasks can do which share a commit and block no thread.
    private static func concurrentSave(
        _ id: String, tasks: Int, isSynchronous: Bool = false, goal: Double
    ) -> Workload {
        let title = "single save, from \(tasks) tasks\(isSynchronous ? ", synchronous = FULL" : "")"
        return Workload(id, title, per: "save", goal: goal) { world in
            let users = UserGenerator.users(world.rows)
            let full = try world.workspace.store(users)
            let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "\(id) \(side)") }
            let raw = try RawStore(file("raw"))
            let (shared, lock) = (try RawStore(file("shared")), NSLock())
            let grouped = try RawStore(file("grouped"))
            if isSynchronous {
                for store in [raw, shared, grouped] { try store.run("PRAGMA synchronous = FULL") }
            }
            let queue = try RawQueue(grouped)
            let handWritten = try PlainStore<HandWrittenUser>(file("hand"), isSynchronous: isSynchronous)
            let bare = try KitStore(file("bare"), isSynchronous: isSynchronous)
            let kit = try KitStore(documented: file("kit"), isSynchronous: isSynchronous)
            // Waiting for the disk takes a hundred times as long as the rest.
            let count = isSynchronous ? max(tasks, world.operations / 5) : world.operations
            let some = users.cycled(count)
            return [
                .baseline(count, name: "raw SQLite, one task") { repetition in
                    let changed = some.map { $0.changed(repetition) }
                    return {
                        try raw.saveEach(changed); return count
                    }
                },
                .peer("raw SQLite, one connection and a lock", count) { repetition in
                    let parts = some.map { $0.changed(repetition) }.parts(tasks)
                    return {
                        try await inParallel(parts) {
                            try shared.saveEach($0, locking: lock); return $0.count
                        }
                    }
                },
                .peer("raw SQLite, a queue that commits in groups", count) { repetition in
                    let parts = some.map { $0.changed(repetition) }.parts(tasks)
                    return {
                        try await inParallel(parts) {
                            try await queue.saveEach($0); return $0.count
                        }
                    }
                },
                .peer("GRDB hand-written, await", count) { repetition in
                    let parts = some.map { HandWrittenUser($0.changed(repetition)) }.parts(tasks)
                    return {
                        try await inParallel(parts) {
                            try await handWritten.saveEach($0); return $0.count
                        }
                    }
                },
                .peer("StorageKit without tiers", count) { repetition in
                    let parts = some.map { $0.changed(repetition) }.parts(tasks)
                    return {
                        try await inParallel(parts) {
                            try await bare.saveEach($0); return $0.count
                        }
                    }
                },
                .storageKit(count) { repetition in
                    let parts = some.map { $0.changed(repetition) }.parts(tasks)
                    return {
                        let saved = try await inParallel(parts) {
                            try await kit.saveEach($0); return $0.count
                        }
                        await kit.settleDiskCache()
                        return saved
                    }
                },
            ]
        }
    }

    /// What the tiers cost a save, next to the same save without them.
    static let saveThroughTiers = Workload(
        "W13", "single save with memory and disk tiers", per: "save", goal: 2.0
    ) { world in
        let users = UserGenerator.users(world.rows)
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W13 \(side)") }
        let raw = try RawStore(file("raw"))
        let bare = try KitStore(file("bare"))
        let kit = try KitStore(file("kit"), tiers: .memoryAndDisk(1000))
        let count = world.operations
        let some = users.cycled(count)
        return [
            .baseline(count, name: "StorageKit without tiers") { repetition in
                let changed = some.map { $0.changed(repetition) }
                return {
                    try await bare.saveEach(changed); return count
                }
            },
            .peer("raw SQLite, the table alone", count) { repetition in
                let changed = some.map { $0.changed(repetition) }
                return {
                    try raw.saveEach(changed); return count
                }
            },
            .storageKit(count) { repetition in
                let changed = some.map { $0.changed(repetition) }
                return {
                    try await kit.saveEach(changed)
                    await kit.settleDiskCache()
                    return count
                }
            },
        ]
    }
}

/// Works on each part in a task of its own, and adds the results.
func inParallel<Part: Sendable>(
    _ parts: [Part], _ work: @escaping @Sendable (Part) async throws -> Int
) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for part in parts { group.addTask { try await work(part) } }
        return try await group.reduce(0, &+)
    }
}
