import GRDB
import StorageKit
import StorageTestSupport

/// All that may write to a store of a model: two contexts of the library, and a connection that it knows nothing of.
struct RelationWriter: Sendable {
    let model: Model
    let store: TemporaryStore
    let second: TemporaryStore
    private let stranger: GRDB.DatabaseQueue

    init(_ model: Model, _ store: TemporaryStore) throws {
        self.model = model
        self.store = store
        second = try model.open(store.folder)
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        stranger = try GRDB.DatabaseQueue(path: store.url.path, configuration: configuration)
    }

    /// Random writes in one commit.
    ///
    /// - Returns: What was written, for a failure to show.
    func write(_ maker: inout Maker) async throws -> String {
        var world = World()
        for entity in model.entities { try await read(entity, &world) }
        guard !maker.once(in: 6) else { return try await writeStrangely(&maker) }
        var writes: [Write] = []
        for _ in 0..<maker.pick([1, 1, 1, 2, 4]) {
            let entity = maker.pick(model.entities)
            writes.append(self.write(entity, world, &maker))
        }
        let storage = maker.once(in: 4) ? second.storage : store.storage
        try await storage.transaction { [writes] tx in
            // What the schema refuses is left out.
            for write in writes { try? tx.savepoint { try write.perform(tx) } }
        }
        return writes.map(\.text).joined(separator: ", ")
    }

    private struct Write: Sendable {
        let text: String
        let perform: @Sendable (StorageTransaction) throws -> Void
    }

    private func read<E: DrawnEntity>(_ entity: E.Type, _ world: inout World) async throws {
        world[E.self] = try await store.storage.query(E.self).orderBy(E.idWord.path).fetch()
    }

    private func write<E: DrawnEntity>(_ entity: E.Type, _ world: World, _ maker: inout Maker) -> Write {
        let rows = world[E.self]
        let all = store.storage.query(E.self)
        let draw = Draw(depth: 1)
        switch maker.number(0...7) {
        case 0 where !rows.isEmpty:
            let row = maker.pick(rows)
            return Write(text: "delete \(E.self) \(row.id)") { try $0.delete(row) }
        case 1 where maker.once(in: 3):
            let (condition, other) = (maker.condition(E.self, draw), maker.condition(E.self, draw))
            return Write(text: "delete \(E.self) where \(condition.text) && \(other.text)") { tx in
                try all.where { condition.column($0) && other.column($0) }.deleteAll(in: tx)
            }
        case 1, 2, 3:
            guard let assignment = DrawnAssignment<E>(&maker) else { break }
            let condition = maker.condition(E.self, draw)
            return Write(text: "update \(E.self) set \(assignment.text) where \(condition.text)") { tx in
                try all.where { condition.column($0) }.updateAll(in: tx) { [assignment.make($0)] }
            }
        default: break
        }
        let drawn = (0..<maker.pick([1, 1, 3])).compactMap { _ in
            E.drawOne(&maker, world, maker.number(0...16))
        }
        return Write(text: "save \(E.self) \(drawn.map(\.id))") { try $0.save(drawn) }
    }

    private func writeStrangely(_ maker: inout Maker) async throws -> String {
        let entity = maker.pick(model.entities)
        let (remainder, isDelete) = (maker.number(0...3), maker.once(in: 4))
        let sql = strangeSQL(entity, isDelete: isDelete, "rowid % 4 = \(remainder)", &maker)
        try? await stranger.write { db in try db.execute(sql: sql) }
        return sql
    }

    private func strangeSQL<E: DrawnEntity>(
        _ entity: E.Type, isDelete: Bool, _ condition: String, _ maker: inout Maker
    ) -> String {
        let table = E.Record.databaseTableName
        let words = E.settable
        let columns =
            words.ints.needed.map(\.text) + words.texts.needed.map(\.text) + words.texts.maybe.map(\.text)
            + words.reals.maybe.map(\.text) + words.dates.maybe.map(\.text)
        guard !isDelete, !columns.isEmpty else { return "DELETE FROM \(table) WHERE \(condition)" }
        let column = "\"\(maker.pick(columns))\""
        let other = "SELECT \(column) FROM \(table) ORDER BY rowid DESC LIMIT 1 OFFSET \(maker.number(0...2))"
        return "UPDATE \(table) SET \(column) = coalesce((\(other)), \(column)) WHERE \(condition)"
    }
}
