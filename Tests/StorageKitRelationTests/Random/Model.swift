import StorageKit
import StorageTestSupport

/// Some entities that belong together.
struct Model: Sendable {
    let name: String
    /// Those that others refer to come first.
    let entities: [any DrawnEntity.Type]

    static let all = [
        Model(name: "books", entities: [Bookcase.self, Reader.self, Book.self, Label.self, BookLabel.self]),
        Model(name: "trees", entities: [Boss.self, Node.self, Score.self]),
        Model(name: "chains", entities: [Country.self, Province.self, Town.self, Street.self]),
        Model(name: "loose keys", entities: [Client.self, Bill.self, Line.self]),
        Model(name: "two references", entities: [Member.self, Friendship.self, Club.self, Joined.self]),
        Model(name: "long paths", entities: [Maze.self, Room.self, Door.self]),
    ]

    /// Opens a store with the entities' tables: a new one, or that in a folder.
    func open(_ folder: TemporaryFolder? = nil) throws -> TemporaryStore {
        try TemporaryStore(folder: folder) { schema in
            for entity in entities { Model.declare(entity, &schema) }
        }
    }

    /// A store with random rows of the entities.
    func store(_ random: inout SeededGenerator) async throws -> (TemporaryStore, Maker) {
        let store = try open()
        var maker = Maker(random: random, storage: store.storage, entities: entities)
        maker.hasTwoSpellings = maker.once(in: 2)
        for entity in entities { try await Model.fill(entity, store, &maker) }
        random = maker.random
        return (store, maker)
    }

    private static func declare<E: DrawnEntity>(_ entity: E.Type, _ schema: inout AppMigrations) {
        schema.autoSchema(E.Record.self)
        guard !E.searched.isEmpty else { return }
        schema.addFullTextSearch(
            table: E.Record.databaseTableName, columns: E.searched.map(\.name), tokenizer: "unicode61")
    }

    private static func fill<E: DrawnEntity>(
        _ entity: E.Type, _ store: TemporaryStore, _ maker: inout Maker
    ) async throws {
        let rows = E.draw(&maker, maker.world)
        maker.world[E.self] = rows
        try await store.storage.save(rows)
        if maker.hasTwoSpellings { try await respell(entity, store) }
    }

    /// Writes some dates and decimals in the other way that their columns may hold.
    static func respell<E: DrawnEntity>(_ entity: E.Type, _ store: TemporaryStore) async throws {
        let table = E.Record.databaseTableName
        let dates = (E.words.dates.needed.map(\.text) + E.words.dates.maybe.map(\.text)).filter { !$0.contains(".") }
        let decimals = E.words.decimals.needed.map(\.text) + E.words.decimals.maybe.map(\.text)
        let changes =
            dates.map { "UPDATE \(table) SET \"\($0)\" = substr(\"\($0)\", 1, 19) WHERE \"\($0)\" LIKE '%.000'" }
            + decimals.map { "UPDATE \(table) SET \"\($0)\" = \"\($0)\" || '.0' WHERE \"\($0)\" NOT LIKE '%.%'" }
        try await store.db.write { db in
            for change in changes { try db.execute(sql: "\(change) AND rowid % 3 = 0") }
        }
    }
}
