import StorageKit
import StorageTestSupport
import Testing

/// Random writes against random live queries along relations, selections and groups. Once the commits are told, the last value
/// of each stream is what the query finds anew.
@Suite(.timeLimit(.minutes(60))) struct RelationLiveProgramTests {
    private static let programsPerStore = 10

    @Test func theLastValueIsWhatTheQueryFindsAnew() async throws {
        try await runOnStores(
            short: 30, quick: 200, full: 10_000, programsPerStore: Self.programsPerStore, Self.runStore)
    }

    @Sendable private static func runStore(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let model = Model.all[Int(seed % UInt64(Model.all.count))]
        let (store, started) = try await model.store(&random)
        var maker = started
        // What has to be found is asked of the database.
        maker.world = World()
        let writer = try RelationWriter(model, store)
        for program in 0..<programsPerStore {
            var observers: [Observer] = []
            for _ in 0..<4 {
                let entity = maker.pick(model.entities)
                if let observer = try await observer(entity, &maker) { observers.append(observer) }
            }
            var writes: [String] = []
            for count in [1, 1, 3] {
                for _ in 0..<count { writes.append(try await writer.write(&maker)) }
                for index in observers.indices {
                    guard let problem = try await observers[index].settle() else { continue }
                    Issue.record(
                        "STORAGEKIT_SEED=\(seed), \(model.name), program \(program) \(writes.suffix(5)): \(problem)")
                    return
                }
            }
        }
    }

    /// A random query, observed; nil for one that cannot be asked.
    private static func observer<E: DrawnEntity>(_ entity: E.Type, _ maker: inout Maker) async throws -> Observer? {
        let selection = maker.selection(entity)
        do {
            _ = try await selection.describe()
        } catch  where error.isOfDepth {
            return nil
        }
        var observer = Observer(selection)
        if let problem = try await observer.settle() { Issue.record("\(problem)") }
        return observer
    }

    private struct Observer {
        private let selection: any DrawnSelection
        private let probe: StreamProbe<[String]>
        private var last: [String]?

        init(_ selection: any DrawnSelection) {
            self.selection = selection
            probe = StreamProbe(selection.observe())
        }

        /// Reads on until the value is what the query finds.
        ///
        /// - Returns: What is wrong, or nil.
        mutating func settle() async throws -> String? {
            let expected = try await selection.describe()
            last = probe.takeAll().last ?? last
            while last != expected {
                do {
                    last = try await probe.next()
                } catch {
                    return "\(selection.text): \(last ?? []) and not \(expected)\n\(selection.sql)"
                }
            }
            return nil
        }
    }
}
