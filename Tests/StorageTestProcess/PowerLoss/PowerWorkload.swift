import StorageKit
import StorageTestSupport

/// What an app does with a store until the power goes, by a seed. Each writer takes its steps one after the other.
struct PowerWorkload: Sendable {
    enum Kind: String, CaseIterable {
        /// One task saves entities one by one.
        case single
        /// Several tasks save at once, most of them one entity at a time.
        case tasks
        /// One task writes several rows in each transaction.
        case transactions
        /// The same, with checkpoints of all kinds in between.
        case checkpoints
        /// A start with a migration, and transactions after it.
        case upgrade
        /// A start that makes the file, transactions, and once more after all was closed.
        case new
    }

    let kind: Kind
    /// The steps of each writer. The first one of the first writer is the start.
    let steps: [[PowerStep]]
    /// The rows of each writer before its first step, and after each.
    let states: [[MusicRows]]

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        var generator = SeededGenerator(seed: seed)
        steps = PowerWorkload.makeSteps(kind, using: &generator)
        states = steps.enumerated().map { writer, steps in
            steps.reduce(into: [writer == 0 && kind != .new ? MusicRows.onDisk : MusicRows()]) { states, step in
                var rows = states[states.count - 1]
                step.apply(to: &rows)
                states.append(rows)
            }
        }
    }

    /// Takes all steps.
    ///
    /// - Parameters:
    ///   - pool: How SQLite syncs.
    ///   - log: Hears of each step, before and after it.
    /// - Returns: The store, unless the last step closed it.
    func run(at file: URL, _ pool: PoolOptions, _ log: WorkLog) async throws -> StorageKit.Context? {
        let numbered = steps.map { zip(1..., $0).map { (number: $0, step: $1) } }
        let open = try await PowerStep.take(numbered[0].prefix(1), of: 0, at: file, pool, log)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for (writer, steps) in numbered.enumerated().dropFirst() {
                group.addTask { _ = try await PowerStep.take(steps, of: writer, at: file, pool, log, on: open) }
            }
            let last = try await PowerStep.take(numbered[0].dropFirst(), of: 0, at: file, pool, log, on: open)
            try await group.waitForAll()
            return last
        }
    }

    /// The first and the last of a writer's states that a file's rows are in; nil if they are in none.
    ///
    /// - Parameters:
    ///   - last: How many steps the writer has begun.
    ///   - migratesAgain: Whether the start that found the rows ran the migration. They are then as after the first step.
    func states(
        of writer: Int, thatAre rows: MusicRows, upTo last: Int, migratesAgain: Bool
    ) -> ClosedRange<Int>? {
        let part = part(of: writer, rows)
        if migratesAgain { return states[writer][1] == part ? 0...0 : nil }
        let found = (0...last).filter { states[writer][$0] == part }
        guard let first = found.first, let last = found.last else { return nil }
        return first...last
    }

    /// Those of a file's rows that a writer answers for. The first one does for all that are nobody else's.
    func part(of writer: Int, _ rows: MusicRows) -> MusicRows {
        guard writer == 0 else { return rows.of(album: Self.album(of: writer)) }
        return steps.indices.dropFirst().reduce(into: rows) { $0.delete(album: Self.album(of: $1)) }
    }
}

extension PowerWorkload {
    private static func makeSteps(_ kind: Kind, using generator: inout SeededGenerator) -> [[PowerStep]] {
        let start = [PowerStep.start(upgrading: kind == .upgrade)]
        switch kind {
        case .single:
            return [start + (1...20).map { save(Music.Album("single-\($0 % 6)", version: $0)) }]
        case .tasks:
            return (0..<6).map { writer in (writer == 0 ? start : []) + (1...7).map { saveOwn(writer, $0) } }
        case .transactions:
            return [start + transactions(1...12, using: &generator)]
        case .checkpoints:
            let transactions = transactions(1...12, using: &generator)
            return [start + transactions.flatMap { [$0] + checkpoint(using: &generator) }]
        case .upgrade:
            return [start + transactions(1...5, using: &generator)]
        case .new:
            let (first, second) = (transactions(1...4, using: &generator), transactions(5...8, using: &generator))
            return [start + first + [.close] + start + second + [.close]]
        }
    }

    private static func album(of writer: Int) -> String { "task-\(writer)" }

    /// Every third step is a list, which is one transaction.
    private static func saveOwn(_ writer: Int, _ version: Int) -> PowerStep {
        let id = album(of: writer)
        guard version % 3 == 0 else { return save(Music.Album(id, version: version)) }
        let tracks = (0..<4).map { Music.Track($0, of: id, version: version) }
        return .write(.saving(tracks))
    }

    private static func save(_ album: Music.Album) -> PowerStep {
        .write(.saving(album))
    }

    private static func checkpoint(using generator: inout SeededGenerator) -> [PowerStep] {
        let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE", nil].randomElement(using: &generator) ?? nil
        return mode.map { [.checkpoint($0)] } ?? []
    }

    private static func transactions(
        _ numbers: ClosedRange<Int>, using generator: inout SeededGenerator
    ) -> [PowerStep] {
        numbers.map { .write(.transaction($0, using: &generator)) }
    }
}
