extension Workload {
    /// Each write changes another row. StorageKit saves all of them and then waits until each has arrived where it is
    /// observed; the baseline saves each, and reads it where it is observed. GRDB reads all that are observed at each
    /// write, so it writes less often, and waits each time.
    static let observeIds = Workload(
        "W8", "streams of single ids while others write", per: "write", goal: 2.5, grows: [.rows, .observers]
    ) { world in
        let users = UserGenerator.users(max(world.rows, world.observers, world.observedWrites))
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W8 \(side)") }
        let ids = users.prefix(world.observers).map(\.id)
        let (writes, fewWrites) = (world.observedWrites, min(3, world.observedWrites - 1))
        let seen = min(writes, ids.count)
        let raw = try RawStore(file("raw"))
        let written = users.prefix(writes)
        let handWritten = Observed(try PlainStore<HandWrittenUser>(file("hand"))) { $0.observe(ids, $1) }
        let kit = Observed(try KitStore(file("kit"))) { $0.observe(ids, $1) }
        return [
            .baseline(writes) { repetition in
                let changed = written.map { $0.changed(repetition) }
                return {
                    try raw.saveEach(Array(changed.dropFirst(seen)))
                    return try raw.saveAndReadEach(Array(changed.prefix(seen)))
                }
            },
            .peer("GRDB hand-written", fewWrites) { repetition in
                let changed = written.prefix(fewWrites).map { HandWrittenUser($0.changed(repetition)) }
                let (store, arrivals) = await handWritten.begin()
                return { try await store.saveEach(changed, awaiting: ids.count, arrivals) }
            },
            .storageKit(writes) { repetition in
                let changed = written.map { $0.changed(repetition) }
                let (store, arrivals) = await kit.begin()
                return { try await store.saveEach(changed, thenAwaiting: seen, arrivals) }
            },
        ]
    }

    /// Every side waits for the list after each write; the baseline reads it.
    static let observeList = Workload(
        "W9", "a stream of a whole list while others write", per: "write", goal: 0.10
    ) { world in
        let users = UserGenerator.users(world.observedRows)
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W9 \(side)") }
        let (writes, fewWrites) = (world.listWrites, max(1, world.listWrites / 10))
        let raw = try RawStore(file("raw"))
        let handWritten = Observed(try PlainStore<HandWrittenUser>(file("hand"))) { [$0.observeAll($1)] }
        let codable = Observed(try PlainStore<CodableUser>(file("codable"))) { [$0.observeAll($1)] }
        let kit = Observed(try KitStore(file("kit"))) { [$0.observeAll($1)] }
        let written = users.cycled(writes)
        return [
            .baseline(writes) { repetition in
                let changed = written.map { $0.changed(repetition) }
                return { try raw.saveEachAndReadAll(changed) }
            },
            .peer("GRDB hand-written", fewWrites) { repetition in
                let changed = written.prefix(fewWrites).map { HandWrittenUser($0.changed(repetition)) }
                let (store, arrivals) = await handWritten.begin()
                return { try await store.saveEach(changed, awaiting: 1, arrivals) }
            },
            .peer("GRDB Codable", fewWrites) { repetition in
                let changed = written.prefix(fewWrites).map { CodableUser($0.changed(repetition)) }
                let (store, arrivals) = await codable.begin()
                return { try await store.saveEach(changed, awaiting: 1, arrivals) }
            },
            .storageKit(writes) { repetition in
                let changed = written.map { $0.changed(repetition) }
                let (store, arrivals) = await kit.begin()
                return { try await store.saveEach(changed, awaitingEach: arrivals) }
            },
        ]
    }
}
