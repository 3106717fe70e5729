import StorageKit
import StorageTestSupport
import Testing

/// Random updates and deletes along relations, beside the same in plain Swift.
@Suite(.timeLimit(.minutes(60))) struct RelationWriteProgramTests {
    private static let writesPerStore = 20

    /// What was found in a transaction that is undone.
    private struct Undone<T: Sendable>: Error {
        let result: T
    }

    @Test func aWriteChangesWhatTheSameChangesInSwift() async throws {
        try await runOnStores(short: 120, quick: 600, full: 5_000, programsPerStore: Self.writesPerStore) { seed in
            var random = SeededGenerator(seed: seed)
            let model = Model.all[Int(seed % UInt64(Model.all.count))]
            let (store, started) = try await model.store(&random)
            var maker = started
            var number = 0
            while number < Self.writesPerStore {
                let entity = maker.pick(model.entities)
                do {
                    if let problem = try await Self.problem(entity, store, &maker) {
                        Issue.record("STORAGEKIT_SEED=\(seed), \(model.name), write \(number): \(problem)")
                        return
                    }
                    number += 1
                } catch  where error.isOfDepth {
                    continue
                }
            }
        }
    }

    private static func problem<E: DrawnEntity>(
        _ entity: E.Type, _ store: TemporaryStore, _ maker: inout Maker
    ) async throws -> String? {
        let drawn = Drawn<E>(&maker, depth: 2)
        let all = store.storage.query(E.self).orderBy(E.idWord.path)
        let ids = Set(drawn.rows.map(\.id.shown))
        if maker.once(in: 3) {
            let left = maker.world[E.self].sortedById().map(\.id.shown).filter { !ids.contains($0) }
            let (count, found) = try await inVain(store) { tx in
                (try drawn.query.deleteAll(in: tx), try all.fetch(in: tx).map(\.id.shown))
            }
            // What refers to a row of the same table may have gone with it.
            guard count == ids.count, found == left else {
                return "\(drawn.text).deleteAll: \(count) of \(ids.count), left \(found) and not \(left)"
            }
            return nil
        }
        guard let assignment = DrawnAssignment<E>(&maker) else { return nil }
        let touched = drawn.rows.count(where: assignment.touches)
        let expected = maker.world[E.self].sortedById().map { row in
            ids.contains(row.id.shown) && assignment.touches(row)
                ? assignment.expected(row, drawn.world) : assignment.shown(row)
        }
        let (count, found) = try await inVain(store) { tx in
            let count = try drawn.query.updateAll(in: tx) { [assignment.make($0)] }
            return (count, try all.fetch(in: tx).map(assignment.shown))
        }
        guard count == touched, found == expected else {
            return "\(drawn.text).updateAll(\(assignment.text)): \(count) of \(touched), \(found) and not \(expected)"
        }
        return nil
    }

    /// What a transaction gives, which is undone at its end.
    private static func inVain<T: Sendable>(
        _ store: TemporaryStore, _ write: @escaping @Sendable (StorageTransaction) throws -> T
    ) async throws -> T {
        let error = await thrownError {
            try await store.storage.transaction { tx in throw Undone(result: try write(tx)) }
        }
        if let undone = error as? Undone<T> { return undone.result }
        throw try #require(error)
    }
}
