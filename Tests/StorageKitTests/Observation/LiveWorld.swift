import GRDB
import StorageKit
import StorageTestSupport
import Synchronization

/// A store with all that may write to it, and every state that was committed.
final class LiveWorld: Sendable {
    private let folder: TemporaryFolder
    let contexts: [StorageKit.Context]
    /// A connection that the library knows nothing of.
    private let stranger: GRDB.DatabaseQueue
    private let turnstile = Turnstile()
    private let states: Mutex<[[Sample]]> = Mutex([[]])

    /// All states so far, each with its rows as they stand in the table. The last may not be committed yet.
    var history: [[Sample]] { states.withLock { $0 } }
    var now: [Sample] { states.withLock { $0.last ?? [] } }

    init() throws {
        folder = try TemporaryFolder()
        let url = folder.file()
        contexts = try (0..<2).map { _ in
            try StorageKit.start(at: url, options: .init()) { schema in
                schema.addKVCache()
                // The rows stand in the order of their insertion, and not of their ids: with DESC the key is no name of the
                // rowid. Its type is the model's, or the lists would read all rows after each change.
                schema.migration("samples") { db in
                    let columns = SampleRecord.schemaColumns.map {
                        $0.primaryKey ? "\($0.sql) PRIMARY KEY DESC" : $0.sql
                    }
                    let sql = "CREATE TABLE samples (\(columns.joined(separator: ", "))); CREATE TABLE other (x)"
                    try db.execute(sql: sql)
                }
            }
        }
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        stranger = try GRDB.DatabaseQueue(path: url.path, configuration: configuration)
    }

    /// Forgets all states but the last.
    func forgetHistory() {
        states.withLock { $0 = Array($0.suffix(1)) }
    }

    // MARK: - Writing

    /// One random write, alone.
    func write(_ maker: inout SampleMaker) async throws {
        let step = Step(&maker)
        try await turnstile.pass { [self] in
            if let next = step.change(now) {
                // Streams may tell of the commit before the call returns.
                states.withLock { $0.append(next) }
            }
            try await perform(step)
        }
    }

    private func perform(_ step: Step) async throws {
        let context = contexts[step.isSecond ? 1 : 0]
        let storage = context.facade
        switch step.kind {
        case .save: try await storage.save(step.samples)
        case .saveOne: try await storage.save(step.samples[0])
        case .delete: try await storage.delete(Sample.self, id: step.samples[0].id)
        case .deleteAll:
            let number = step.samples[0].number
            try await storage.query(Sample.self).where { $0.number == number }.deleteAll()
        case .updateAll:
            let (number, text) = (step.samples[0].number, step.samples[1].text)
            try await storage.query(Sample.self).where { $0.number <= number }.updateAll { [$0.text.set(to: text)] }
        case .number:
            try await run("UPDATE samples SET number = ? WHERE id = ?", [step.samples[1].number, step.id], step)
        case .move:
            try await run("UPDATE OR IGNORE samples SET id = ? WHERE id = ?", [step.samples[1].id, step.id], step)
        case .replace:
            try await run("INSERT OR REPLACE INTO samples SELECT * FROM samples WHERE id = ?", [step.id], step)
        case .truncate: try await run("DELETE FROM samples", [], step)
        case .vacuum: try await stranger.vacuum()
        case .other: try await run("INSERT INTO other VALUES (1)", [], step)
        case .rollback:
            struct Refused: Error {}
            try? await context.storage.pool.write { db in
                try db.execute(sql: "UPDATE samples SET number = 7; DELETE FROM samples WHERE id < 4")
                throw Refused()
            }
        }
    }

    private func run(_ sql: String, _ arguments: [(any GRDB.DatabaseValueConvertible)?], _ step: Step) async throws {
        let arguments = GRDB.StatementArguments(arguments)
        let writer: any GRDB.DatabaseWriter = step.isStrange ? stranger : contexts[step.isSecond ? 1 : 0].storage.pool
        try await writer.write { try $0.execute(sql: sql, arguments: arguments) }
    }
}

/// A random write, and what it makes of the rows.
private struct Step: Sendable {
    enum Kind: CaseIterable {
        case save, saveOne, delete, deleteAll, updateAll, number, move, replace, truncate, vacuum, other, rollback
    }

    let kind: Kind
    let samples: [Sample]
    let isSecond: Bool
    let isStrange: Bool
    var id: Int { samples[0].id }

    init(_ maker: inout SampleMaker) {
        // Some are worth more than others.
        let kinds = Kind.allCases + [.saveOne, .saveOne, .saveOne, .save, .number, .number, .number, .delete, .replace]
        var kind = maker.pick(kinds)
        // All rows away at once: now and then.
        if kind == .truncate, maker.random.bool() { kind = .number }
        self.kind = kind
        samples = (0..<3).map { _ in maker.sample(maker.pick(Array(0..<12))) }
        isSecond = maker.random.bool()
        isStrange = maker.pick([false, false, false, true])
    }

    /// Nil if nothing is committed that any stream could tell of.
    func change(_ rows: [Sample]) -> [Sample]? {
        let index = rows.firstIndex { $0.id == id }
        var next = rows
        switch kind {
        case .save: samples.forEach { next.put($0) }
        case .saveOne: next.put(samples[0])
        case .delete: next.removeAll { $0.id == id }
        case .deleteAll: next.removeAll { $0.number == samples[0].number }
        case .updateAll:
            for index in next.indices where next[index].number <= samples[0].number {
                next[index].text = samples[1].text
            }
        case .number: if let index { next[index].number = samples[1].number }
        case .move:
            guard let index, !rows.contains(where: { $0.id == samples[1].id }) else { return nil }
            next[index].id = samples[1].id
        case .replace: if let index { next.append(next.remove(at: index)) }
        case .truncate: next = []
        case .vacuum, .other, .rollback: return nil
        }
        return next
    }
}

extension [Sample] {
    fileprivate mutating func put(_ sample: Sample) {
        if let index = firstIndex(where: { $0.id == sample.id }) { self[index] = sample } else { append(sample) }
    }
}
