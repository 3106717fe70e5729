extension Workload {
    /// Ten saves and two gets in a transaction, without tiers as in W3. From BEGIN to COMMIT: what a call costs, less the way to
    /// the writer's thread and back, which is what an empty transaction costs more here than in C.
    static let transaction = Workload(
        "W18", "ten saves and two gets in a transaction, from BEGIN to COMMIT", per: "transaction", goal: 1.15
    ) { world in
        let users = UserGenerator.users(world.rows)
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W18 \(side)") }
        let raw = try RawStore(file("raw"))
        let handWritten = try PlainStore<HandWrittenUser>(file("hand"))
        let (whole, kit) = (try KitStore(file("whole")), try KitStore(file("kit")))
        let count = max(2, world.operations / 5)
        let some = users.cycled(count * 10)
        let changed = { @Sendable (repetition: Int) in
            let changed = some.map { $0.changed(repetition) }
            return (0..<count).map { Array(changed[$0 * 10..<($0 + 1) * 10]) }
        }
        let (emptyRaw, emptyKit) = ("raw SQLite, an empty transaction", "StorageKit, an empty transaction")
        return [
            .baseline(count) { repetition in
                let parts = changed(repetition)
                return { try raw.saveAndGetTwo(parts) }
            },
            .peer("GRDB hand-written, await", count) { repetition in
                let parts = changed(repetition)
                return { try await handWritten.saveAndGetTwo(parts) }
            },
            // Their results are others than those of the sides that save, and so is their number.
            .peer(emptyRaw, count + 1) { _ in { try raw.runEmptyTransactions(count + 1) } },
            .peer(emptyKit, count + 1) { _ in { try await kit.runEmptyTransactions(count + 1) } },
            .peer("StorageKit, whole calls", count) { repetition in
                let parts = changed(repetition)
                return { try await whole.saveAndGetTwo(parts) }
            },
            Side.storageKit(count) { repetition in
                let parts = changed(repetition)
                return { try await kit.saveAndGetTwo(parts) }
            }.less(emptyKit, plus: emptyRaw),
        ]
    }
}
