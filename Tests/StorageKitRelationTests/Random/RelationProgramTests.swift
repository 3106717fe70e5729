import StorageKit
import StorageTestSupport
import Testing

/// Random queries of every form over random rows of models with relations, beside the same in plain Swift.
@Suite(.timeLimit(.minutes(60))) struct RelationProgramTests {
    private static let queriesPerStore = 40

    @Test func aQueryFindsWhatTheSameFindsInSwift() async throws {
        try await runOnStores(short: 240, quick: 2_400, full: 20_000, programsPerStore: Self.queriesPerStore) { seed in
            var random = SeededGenerator(seed: seed)
            let model = Model.all[Int(seed % UInt64(Model.all.count))]
            let (store, started) = try await model.store(&random)
            var maker = started
            var number = 0
            while number < Self.queriesPerStore {
                let entity = maker.pick(model.entities)
                switch await Self.ask(entity, &maker) {
                case .asInSwift: number += 1
                case .isTooDeep: continue
                case .problem(let problem):
                    Issue.record("STORAGEKIT_SEED=\(seed), \(model.name), query \(number): \(problem)")
                    return
                }
            }
            _ = store
        }
    }

    private enum Answer {
        case asInSwift
        /// It was drawn deeper than SQLite's parser can follow.
        case isTooDeep
        case problem(String)
    }

    private static func ask<E: DrawnEntity>(_ entity: E.Type, _ maker: inout Maker) async -> Answer {
        let selection = maker.selection(entity)
        do {
            return try await selection.problem(&maker).map { .problem("\(selection.text): \($0)\n\(selection.sql)") }
                ?? .asInSwift
        } catch  where ["nested more than", "parser stack overflow"].contains(where: "\(error)".contains) {
            return .isTooDeep
        } catch {
            return .problem("\(selection.text): \(error)\n\(selection.sql)")
        }
    }
}

extension Error {
    /// Whether what was asked is nested deeper than SQLite's parser can follow.
    var isOfDepth: Bool {
        let text = "\(self)"
        return text.contains("nested more than") || text.contains("parser stack overflow")
    }
}
