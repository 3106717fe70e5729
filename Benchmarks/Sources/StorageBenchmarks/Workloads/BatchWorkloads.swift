extension Workload {
    /// Every repetition fills an empty file.
    static let batchOfNew = Workload("W1", "save new rows, one transaction", per: "row", goal: 1.10) { world in
        let count = world.rows
        let users = UserGenerator.users(count)
        let handWritten = users.map(HandWrittenUser.init)
        let codable = users.map(CodableUser.init)
        let empty = try world.workspace.store()
        let file = { @Sendable (side: String) in try world.workspace.copy(empty, for: "W1 \(side)") }
        return [
            .baseline(count) { _ in
                let store = try RawStore(file("raw"))
                return {
                    try store.saveAll(users); return count
                }
            },
            .peer("GRDB hand-written, insert", count) { _ in
                let store = try PlainStore<HandWrittenUser>(file("insert"))
                return {
                    try await store.insertAll(handWritten); return count
                }
            },
            .peer("GRDB hand-written, save", count) { _ in
                let store = try PlainStore<HandWrittenUser>(file("save"))
                return {
                    try await store.saveAll(handWritten); return count
                }
            },
            .peer("GRDB Codable, insert", count) { _ in
                let store = try PlainStore<CodableUser>(file("codable"))
                return {
                    try await store.insertAll(codable); return count
                }
            },
            .storageKit(count) { _ in
                let store = try KitStore(file("kit"))
                return {
                    try await store.saveAll(users); return count
                }
            },
        ]
    }

    /// Every repetition changes all rows of a file, each time to other values.
    static let batchOfChanged = Workload("W2", "save changed rows, one transaction", per: "row", goal: 1.05) { world in
        let count = world.rows
        let users = UserGenerator.users(count)
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W2 \(side)") }
        let raw = try RawStore(file("raw"))
        let handWritten = try PlainStore<HandWrittenUser>(file("hand"))
        let codable = try PlainStore<CodableUser>(file("codable"))
        let kit = try KitStore(file("kit"))
        return [
            .baseline(count) { repetition in
                let changed = users.map { $0.changed(repetition) }
                return {
                    try raw.saveAll(changed); return count
                }
            },
            .peer("GRDB hand-written, save", count) { repetition in
                let changed = users.map { HandWrittenUser($0.changed(repetition)) }
                return {
                    try await handWritten.saveAll(changed); return count
                }
            },
            .peer("GRDB Codable, save", count) { repetition in
                let changed = users.map { CodableUser($0.changed(repetition)) }
                return {
                    try await codable.saveAll(changed); return count
                }
            },
            .storageKit(count) { repetition in
                let changed = users.map { $0.changed(repetition) }
                return {
                    try await kit.saveAll(changed); return count
                }
            },
        ]
    }
}
