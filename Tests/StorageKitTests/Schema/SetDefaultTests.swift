import GRDB
import StorageKit
import StorageTestSupport
import Testing

@StorageEntity(table: "fallback_shelves")
private struct TomeShelf {
    var id: Int
}

@StorageEntity(table: "fallback_owners")
private struct TomeOwner {
    var id: String
}

@StorageEntity(table: "fallback_books")
private struct Tome: Equatable {
    var id: Int
    var title = "-"
    @StorageReference(TomeShelf.self, onDelete: .setDefault) var shelfId = 7
    @StorageReference(TomeOwner.self, onDelete: .setDefault, onUpdate: .setDefault) var ownerId: String = "it's me"
    @StorageReference(TomeShelf.self, onDelete: .setDefault) var otherId: Int?
}

/// The same table in earlier versions of an app.
private enum TomeBefore {
    @StorageEntity(table: "fallback_books")
    struct Tome {
        var id: Int
        var title = "-"
    }

    @StorageEntity(table: "fallback_books")
    struct PlainTome {
        var id: Int
        var title = "-"
        var shelfId = 7
        var ownerId: String = "it's me"
        var otherId: Int?
    }

    @StorageEntity(table: "fallback_books")
    struct ThirdTome {
        var id: Int
        var title = "-"
        @StorageReference(TomeShelf.self, onDelete: .setDefault) var shelfId = 3
        @StorageReference(TomeOwner.self, onDelete: .setDefault, onUpdate: .setDefault) var ownerId: String = "it's me"
        @StorageReference(TomeShelf.self, onDelete: .setDefault) var otherId: Int?
    }
}

/// References that say `.setDefault`: what they set is the property's default value.
@Suite struct SetDefaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ book: (inout AppMigrations) -> Void) throws -> TemporaryStore {
        try TemporaryStore(folder: folder) { schema in
            schema.autoSchema(TomeShelfRecord.self, TomeOwnerRecord.self)
            book(&schema)
        }
    }

    private func today() throws -> TemporaryStore { try store { $0.autoSchema(TomeRecord.self) } }

    private func defaults(_ store: TemporaryStore) async throws -> [String] {
        try await store.db.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT name || ' ' || dflt_value FROM pragma_table_info('fallback_books') WHERE dflt_value <> ''")
        }
    }

    /// Changes the text of the table behind StorageKit's back.
    private func rewrite(_ store: TemporaryStore, _ old: String, _ new: String) async throws {
        try await store.db.write { db in
            try db.execute(sql: "PRAGMA writable_schema = ON")
            try db.execute(
                sql: "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = 'fallback_books'",
                arguments: [old, new])
            try db.execute(sql: "PRAGMA writable_schema = RESET")
        }
    }

    private func saveParents(_ store: TemporaryStore) async throws {
        try await store.storage.save([TomeShelf(id: 1), TomeShelf(id: 3), TomeShelf(id: 7)])
        try await store.storage.save([TomeOwner(id: "a"), TomeOwner(id: "it's me")])
    }

    @Test func aNewTableHasTheDefaultsThatReferencesSetAndNoOthers() async throws {
        #expect(try await defaults(today()) == ["shelfId 7", "ownerId 'it''s me'"])
    }

    @Test func aDeletedParentLeavesTheDefault() async throws {
        let store = try today()
        try await saveParents(store)
        try await store.storage.save(Tome(id: 1, shelfId: 1, ownerId: "a", otherId: 1))
        #expect(try await store.storage.query(TomeShelf.self).where { $0.id == 1 }.deleteAll() == 1)
        #expect(try await store.storage.query(TomeOwner.self).where { $0.id == "a" }.deleteAll() == 1)
        #expect(try await store.storage.query(Tome.self).fetch() == [Tome(id: 1)])
    }

    @Test func aParentThatGetsAnotherIdLeavesTheDefaultToo() async throws {
        let store = try store { $0.autoSchema(TomeLabelRecord.self) }
        try await saveParents(store)
        try await store.storage.save(TomeLabel(id: 1, ownerId: "a"))
        try await store.db.write { try $0.execute(sql: "UPDATE fallback_owners SET id = 'b' WHERE id = 'a'") }
        #expect(try await store.storage.query(TomeLabel.self).fetch() == [TomeLabel(id: 1)])
    }

    @Test func anAddedColumnHasTheDefault() async throws {
        do {
            let old = try store { $0.autoSchema(TomeBefore.TomeRecord.self) }
            try await saveParents(old)
            try await old.storage.save(TomeBefore.Tome(id: 1))
            try await old.context.close()
        }
        let store = try today()
        #expect(try await defaults(store) == ["shelfId 7", "ownerId 'it''s me'"])
        #expect(try await store.storage.query(Tome.self).fetch() == [Tome(id: 1)])
    }

    @Test func aColumnThatGetsTheReferenceGetsTheDefaultToo() async throws {
        do {
            let old = try store { $0.autoSchema(TomeBefore.PlainTomeRecord.self) }
            try await saveParents(old)
            try await old.storage.save(TomeBefore.PlainTome(id: 1, shelfId: 1))
            try await old.context.close()
        }
        let store = try today()
        try await store.storage.query(TomeShelf.self).where { $0.id == 1 }.deleteAll()
        #expect(try await store.storage.query(Tome.self).fetch() == [Tome(id: 1)])
    }

    @Test func aTableThatWasMadeWithoutTheDefaultGetsIt() async throws {
        do {
            let store = try today()
            try await saveParents(store)
            try await store.storage.save(Tome(id: 1, shelfId: 1))
            // As earlier versions made it.
            try await rewrite(store, " DEFAULT 7", "")
            #expect(try await defaults(store) == ["ownerId 'it''s me'"])
            try await store.context.close()
        }
        let store = try today()
        #expect(try await defaults(store) == ["shelfId 7", "ownerId 'it''s me'"])
        try await store.storage.query(TomeShelf.self).where { $0.id == 1 }.deleteAll()
        #expect(try await store.storage.query(Tome.self).fetch() == [Tome(id: 1)])
    }

    @Test func anotherDefaultTakesThePlaceOfTheOldOne() async throws {
        do {
            let old = try store { $0.autoSchema(TomeBefore.ThirdTomeRecord.self) }
            #expect(try await defaults(old) == ["shelfId 3", "ownerId 'it''s me'"])
            try await old.context.close()
        }
        #expect(try await defaults(today()) == ["shelfId 7", "ownerId 'it''s me'"])
    }

    @Test func aDefaultStaysWhereThePropertyHasNone() async throws {
        do {
            let store = try today()
            try await rewrite(store, "\"otherId\" INTEGER", "\"otherId\" INTEGER DEFAULT 3")
            try await store.context.close()
        }
        #expect(try await defaults(today()) == ["shelfId 7", "ownerId 'it''s me'", "otherId 3"])
    }
}

@StorageEntity(table: "fallback_labels")
private struct TomeLabel: Equatable {
    var id: Int
    @StorageReference(TomeOwner.self, onUpdate: .setDefault) var ownerId: String = "it's me"
}
