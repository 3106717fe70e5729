import Foundation
import StorageKit
import Testing

@testable import StorageToolKit

@Suite struct EntitiesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Names that mean something to Swift, to the macro or to nobody.
    private static let words = [
        "Any", "Type", "Protocol", "Record", "E", "actor", "as", "associatedtype",
        "async", "await", "case", "class", "default", "deinit", "description", "each", "extension", "false", "func",
        "get",
        "hashValue", "if", "import", "in", "init", "inout", "is", "lazy", "let", "macro", "nil", "nonisolated", "open",
        "operator", "private", "return", "row", "self", "set", "some", "static", "storageColumns", "struct",
        "subscript", "super", "switch", "throws", "true", "try", "unowned", "UPDATEDAT", "var", "weak", "where",
        "while",
        "_", "__", "_row", "_encode", "x1", "1x", "émile", "e\u{301}mile", "名前", "🌱", "a-b", "$0", "`", "now", "db",
        "Int",
        "String", "Swift", "StorageGRDB", "Date", "CodingKeys", "StorageKit_x",
    ]

    /// A database of no store, with names that nobody would choose.
    private func oddDatabase() throws -> String {
        try folder.database(
            "odd.sqlite",
            """
            CREATE TABLE categories (id TEXT PRIMARY KEY, "default" TEXT NOT NULL DEFAULT 'it''s "\\(x)', "Type" TEXT, \
            "größe" REAL, "shelf mark" TEXT NOT NULL)
            """,
            """
            CREATE TABLE "order items" ("ID" INTEGER PRIMARY KEY, category TEXT NOT NULL REFERENCES categories, \
            "self" BOOLEAN NOT NULL DEFAULT 0, price DECIMAL(10, 2), bought DATE, note CLOB, total AS (price * 2), \
            count INT NOT NULL DEFAULT 1, ratio DOUBLE NOT NULL DEFAULT .5, raw, flag BOOL, big UNSIGNED BIG INT)
            """,
            "CREATE TABLE dates (id VARCHAR(36) UNIQUE NOT NULL, day DATETIME NOT NULL, bytes BLOB NOT NULL)",
            "CREATE TABLE tags (item INTEGER, tag TEXT, PRIMARY KEY (item, tag)) WITHOUT ROWID",
            "CREATE TABLE people (person_id INTEGER PRIMARY KEY)", "CREATE TABLE log (line TEXT)",
            "CREATE TABLE words (\(Self.words.map { "\"\($0)\" INTEGER" }.joined(separator: ", ")), ID INT PRIMARY KEY)",
            #"CREATE TABLE "a""b" (id INTEGER PRIMARY KEY)"#, "CREATE TABLE loose (id INTEGER)",
            #"CREATE TABLE "1 \ü's" (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)"#, "CREATE VIEW v AS SELECT 1 AS id",
            "INSERT INTO words (id, updatedAt, type, \"self\") VALUES (1, 2, 3, 4)",
            "INSERT INTO categories VALUES ('c', 'd', 't', 1.5, 's')",
            """
            INSERT INTO "order items" ("ID", category, "self", price, bought, note, raw, flag, big) VALUES \
            (1, 'c', 1, 9.99, '2026-11-22', 'n', 'text', 7, 5), (2, 'c', 0, 10, NULL, NULL, 'more', NULL, NULL)
            """,
            "INSERT INTO dates VALUES ('d1', '2026-11-22 01:02:03', x'01')", #"INSERT INTO "1 \ü's" VALUES (1, 'one')"#)
    }

    /// The file is compiled with these tests. To write it anew: STORAGEKIT_WRITE_FIXTURES=1.
    static func expectFixture(_ name: String, writtenFor database: String) throws {
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Generated/\(name).swift")
        let run = try Program.run("entities", database)
        #expect(run.status == 0, "\(run.error)")
        if ProcessInfo.processInfo.environment["STORAGEKIT_WRITE_FIXTURES"] != nil {
            try Data(run.output.utf8).write(to: fixture)
        }
        #expect(run.output == String(decoding: try Data(contentsOf: fixture), as: UTF8.self))
    }

    @Test func whatIsWrittenIsWhatIsCompiledHere() throws {
        try Self.expectFixture("OddEntities", writtenFor: try oddDatabase())
    }

    @Test func theStructsReadTheRowsOfThatDatabase() async throws {
        let path = try oddDatabase()
        let context = try StorageKit.start(at: URL(fileURLWithPath: path)) { schema in
            schema.autoSchema(CategoryRecord.self)
            schema.autoSchema(OrderItemRecord.self)
            schema.autoSchema(DateEntityRecord.self)
            schema.autoSchema(WordRecord.self)
            // It can have no property, and takes no row without a value.
            schema.migration("2026-11-24_shelf_mark") {
                try $0.execute(sql: "ALTER TABLE categories DROP COLUMN \"shelf mark\"")
            }
        }
        let items = try await context.facade.all(OrderItem.self, orderBy: "id")
        #expect(items.map(\.price) == [9.99, 10])
        #expect(items.map(\.`self`) == [true, false])
        #expect(items.map(\.flag) == [7, nil])
        #expect(items.map(\.ratio) == [0.5, 0.5])
        let category = try await context.facade.get(Category.self, id: "c")
        #expect(category?.`default` == "d" && category?.type == "t" && category?.größe == 1.5)
        let word = try #require(try await context.facade.get(Word.self, id: "1"))
        #expect([word.updatedAt, word.type, word.`self`, word.`case`] == [2, 3, 4, nil])
        let date = try #require(try await context.facade.get(DateEntity.self, id: "d1"))
        #expect(date.day == Date(timeIntervalSince1970: 1_795_309_323))
        try await context.facade.save(
            OrderItem(id: 3, category: "c", price: 1, bought: nil, note: nil, raw: nil, flag: nil, big: 1))
        #expect(try await context.facade.count(OrderItem.self) == 3)
    }

    @Test func aStoreOfStorageKitGivesItsEntitiesBack() async throws {
        let run = try Program.run("entities", try await NotesFile.make(in: folder))
        #expect(
            run.output == """
                // Written by `storagekit entities` for notes.sqlite. It is yours to change.

                import StorageKit

                @StorageEntity(indexes: [["written"]])
                struct Note {
                    var id: String
                    var title: String
                    var isDone: Bool
                    var price: Decimal
                    var written: Date
                    var picture: Data?
                    // updatedAt, the time of the last save, is stamped by StorageKit.
                }

                """)
    }

    @Test func referencesIndexesAndUniqueKeysAreDeclared() throws {
        let path = try folder.database(
            "reminders.sqlite", "CREATE TABLE lists (id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE)",
            """
            CREATE TABLE reminders (id INTEGER PRIMARY KEY AUTOINCREMENT, listId TEXT NOT NULL REFERENCES lists(id) \
            ON DELETE CASCADE, parentId INTEGER REFERENCES reminders ON DELETE SET NULL ON UPDATE CASCADE, \
            title TEXT NOT NULL, slug TEXT, position INTEGER NOT NULL, owner TEXT NOT NULL REFERENCES lists(title))
            """,
            "CREATE INDEX by_list ON reminders (listId)", "CREATE INDEX by_place ON reminders (listId, position)",
            "CREATE UNIQUE INDEX by_title ON reminders (listId, title)",
            "CREATE UNIQUE INDEX by_slug ON reminders (slug COLLATE NOCASE)",
            "CREATE INDEX open ON reminders (position) WHERE slug IS NULL",
            "CREATE INDEX latest ON reminders (position DESC)")
        let output = try Program.run("entities", path).output
        #expect(
            output.hasSuffix(
                """

                @StorageEntity
                struct List {
                    var id: String
                    @StorageUnique var title: String
                    @StorageHasMany(foreignKey: "listId") var reminders: [Reminder]
                }

                @StorageEntity(indexes: [["listId", "position"]], unique: [["listId", "title"]])
                struct Reminder {
                    var id: Int64?
                    @StorageReference(List.self, onDelete: .cascade) var listId: String
                    @StorageReference(Reminder.self, onDelete: .setNull, onUpdate: .cascade) var parentId: Int64?
                    var title: String
                    @StorageUnique(ignoringCase: true) var slug: String?
                    var position: Int
                    // Refers to "lists" ("title").
                    var owner: String
                    @StorageBelongsTo(foreignKey: "listId") var list: List?
                    @StorageHasMany(foreignKey: "parentId") var remindersByParent: [Reminder]
                    // The index "open" has no place here, and stays as it is.
                    // The index "latest" has no place here, and stays as it is.
                }

                """), "\(output)")
    }

    /// The macro refuses a second index of the same columns.
    @Test func ofSeveralIndexesOfTheSameColumnsOneIsDeclared() throws {
        let path = try folder.database(
            "items.sqlite",
            """
            CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, a TEXT NOT NULL UNIQUE, b INTEGER NOT NULL, c INTEGER NOT NULL, \
            d TEXT UNIQUE COLLATE NOCASE, UNIQUE (b, c))
            """,
            "CREATE UNIQUE INDEX i0 ON items (d COLLATE BINARY)", "CREATE INDEX i1 ON items (a)",
            "CREATE INDEX i2 ON items (b, c)", "CREATE INDEX i3 ON items (c)",
            "CREATE INDEX i4 ON items (c)")
        let output = try Program.run("entities", path).output
        #expect(output.contains(#"@StorageEntity(indexes: [["c"]], unique: [["b", "c"]])"#), "\(output)")
        #expect(output.contains("@StorageUnique var a"), "\(output)")
        let left = ["i0", "i1", "i2", "i3", "i4"].filter { output.contains("// The index \"\($0)\" has no place here") }
        #expect(left.count == 4 && left.prefix(3) == ["i0", "i1", "i2"], "\(output)")
    }

    @Test func aCollationMayBeWrittenInSmallLetters() throws {
        let path = try folder.database(
            "tags.sqlite", "CREATE TABLE tags (id TEXT PRIMARY KEY, name TEXT COLLATE nocase UNIQUE)")
        let output = try Program.run("entities", path).output
        #expect(output.contains("    @StorageUnique(ignoringCase: true) var name: String?\n"), "\(output)")
    }

    @Test func anIndexThatIgnoresCaseIsNotDeclaredAsOneThatDoesNot() throws {
        let path = try folder.database(
            "people.sqlite", "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL)",
            "CREATE INDEX by_name ON people (name COLLATE NOCASE)")
        let output = try Program.run("entities", path).output
        #expect(output.contains("@StorageEntity(table: \"people\")\n"), "\(output)")
        #expect(output.contains("// The index \"by_name\" has no place here, and stays as it is."), "\(output)")
    }

    @Test func anIdThatIsUniqueAmongSomeRowsIsNone() throws {
        let path = try folder.database(
            "drafts.sqlite", "CREATE TABLE drafts (id INTEGER, isOld INTEGER)",
            "CREATE UNIQUE INDEX new_ids ON drafts (id) WHERE isOld = 0")
        let output = try Program.run("entities", path).output
        #expect(
            output.contains("// Table \"drafts\" has no entity: its column id is not unique;"), "\(output)")
    }

    @Test func aReferenceOfAnotherTypeThanTheIdIsNotDeclared() throws {
        let path = try folder.database(
            "lists.sqlite", "CREATE TABLE lists (id TEXT PRIMARY KEY)",
            "CREATE TABLE items (id INTEGER PRIMARY KEY, listId INTEGER REFERENCES lists)")
        let output = try Program.run("entities", path).output
        #expect(output.contains("    // Refers to \"lists\" (\"id\").\n    var listId: Int?\n"), "\(output)")
    }

    @Test func numbersInAColumnOfDatesAreNumbers() throws {
        let path = try folder.database(
            "visits.sqlite", "CREATE TABLE visits (id INTEGER PRIMARY KEY, at TIMESTAMP NOT NULL)",
            "INSERT INTO visits VALUES (1, 1700000000)")
        let output = try Program.run("entities", path).output
        #expect(output.contains("    var at: Int\n"), "\(output)")
    }

    @Test(arguments: [
        "tomorrow", "2024-06-31", "2024-06-30 25:00:00", "2024-06-30x", "2024-06-30 12:99:00", "2024-06-30 12:30:60",
        "2024-06-30 10",
    ])
    func textsThatAreNoDatesAreTexts(text: String) throws {
        let output = try entities(ofDays: "2026-11-22", text)
        #expect(output.contains("    var day: String\n"), "\(output)")
    }

    @Test(arguments: ["2024-02-29", "2024-06-30 23:59:59.5", "2024-06-30T01:02:03Z"])
    func textsThatAreDatesAreDates(text: String) throws {
        let output = try entities(ofDays: text)
        #expect(output.contains("    var day: Date\n"), "\(output)")
    }

    /// What the tool writes of a table whose column of dates has these texts.
    private func entities(ofDays days: String...) throws -> String {
        let path = try folder.database(
            "visits.sqlite", "CREATE TABLE visits (id INTEGER PRIMARY KEY, day DATE NOT NULL)",
            "INSERT INTO visits (day) VALUES \(days.map { "('\($0)')" }.joined(separator: ", "))")
        return try Program.run("entities", path).output
    }

    @Test func rowsWithoutAnIdAreSaid() throws {
        let path = try folder.database(
            "tags.sqlite", "CREATE TABLE tags (id TEXT PRIMARY KEY)", "INSERT INTO tags VALUES (NULL), ('a')")
        let output = try Program.run("entities", path).output
        #expect(
            output.contains("    // 1 row cannot be read: NULL stands here.\n    var id: String\n"), "\(output)")
    }

    @Test func aColumnThatIsCalledAsTheKeysOfJSONIsAPropertyInSmallLetters() {
        #expect(SwiftText.property("CodingKeys") == "codingkeys")
    }

    @Test func noStructHasTheNameOfAProperty() throws {
        let path = try folder.database(
            "shop.sqlite", "CREATE TABLE Categories (id INTEGER PRIMARY KEY, Category TEXT)",
            "CREATE TABLE authors (id INTEGER PRIMARY KEY)",
            "CREATE TABLE books (id INTEGER PRIMARY KEY, Author INTEGER REFERENCES authors)")
        let output = try Program.run("entities", path).output
        #expect(output.contains("struct CategoryEntity {"), "\(output)")
        #expect(output.contains("struct AuthorEntity {"), "\(output)")
        #expect(output.contains("@StorageReference(AuthorEntity.self) var Author"), "\(output)")
    }

    @Test func noRelationHasTheNameOfAStruct() throws {
        let path = try folder.database(
            "music.sqlite", "CREATE TABLE Artists (Id INTEGER PRIMARY KEY)",
            "CREATE TABLE Albums (Id INTEGER PRIMARY KEY, ArtistId INTEGER REFERENCES Artists(Id))")
        let output = try Program.run("entities", path).output
        #expect(output.contains("@StorageBelongsTo"), "\(output)")
        #expect(!output.contains("var Artist:"), "\(output)")
    }

    @Test func whatSQLiteComputesIsNoPropertyToDeclareAnythingOf() throws {
        let path = try folder.database(
            "notes.sqlite",
            """
            CREATE TABLE notes (id TEXT PRIMARY KEY, j TEXT, title TEXT AS (j ->> '$.title'), \
            parent TEXT AS (j ->> '$.parent') REFERENCES notes)
            """,
            "CREATE INDEX by_title ON notes (title)")
        let output = try Program.run("entities", path).output
        #expect(output.contains("@StorageEntity\nstruct Note {"), "\(output)")
        #expect(output.contains("// The index \"by_title\" has no place here, and stays as it is."), "\(output)")
        #expect(!output.contains("@StorageHasMany"), "\(output)")
    }

    @Test func whatIsNoEntityIsSaidInComments() throws {
        let output = try Program.run("entities", try oddDatabase()).output
        for text in [
            #"// Table "a\"b" has no entity: its name has a quotation mark in it."#,
            #"// Table "log" has no entity: it has no column id, and no primary key."#,
            #"// Table "loose" has no entity: its column id is not unique;"#,
            #"// Table "people" has no entity: it has no column id. Its primary key is "person_id";"#,
            #"// Table "tags" has no entity: it has no column id. Its primary key is made of "item", "tag";"#,
            #"// View "v" has no entity"#, #"// "shelf mark" cannot be the name of a property"#,
            #"// "total" is computed by SQLite"#, "// 1 row cannot be read: what stands here is no Int.",
        ] { #expect(output.contains(text), "\(text)") }
    }

    @Test func valuesThatKeepAStoreFromStartingAreSaidToDoSo() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a ANY NOT NULL) STRICT",
            "INSERT INTO t VALUES (1, 'x'), (2, 4)")
        let output = try Program.run("entities", path).output
        #expect(
            output.contains(
                """
                    // 1 row cannot be read: what stands here is no String.
                    // No store starts on it before a migration converts them.
                    var a: String

                """), "\(output)")
    }

    @Test(arguments: ["a INTEGER NOT NULL", "a NUMERIC NOT NULL"])
    func valuesThatAStoreLeavesOrConvertsKeepNoneFromStarting(column: String) throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column))",
            "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 4)")
        let output = try Program.run("entities", path).output
        #expect(output.contains("cannot be read: what stands here") && !output.contains("No store"), "\(output)")
    }

    @Test func aNameWithALineEndStaysInItsComment() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE \"x\nfatalError()\" (\"y\nimport Glibc\" TEXT)",
            "CREATE TABLE t (id TEXT PRIMARY KEY, \"z\nimport Glibc\" TEXT, \"\" TEXT, \"_\" TEXT)")
        let lines = try Program.run("entities", path).lines.filter {
            !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        }
        #expect(
            lines == ["import StorageKit", #"@StorageEntity(table: "t")"#, "struct T {", "    var id: String", "}"])
    }

    @Test func aQuotationMarkThatBelongsToALetterIsOne() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE \"a\"\"\u{301}b\" (id INTEGER PRIMARY KEY)")
        let run = try Program.run("entities", path)
        #expect(run.output.contains("has no entity: its name has a quotation mark in it."), "\(run.output)")
    }

    @Test(arguments: [
        ("'it''s'", #""it's""#), ("''", #""""#), ("'a''\u{301}b'", "\"a'\u{301}b\""), ("'\u{301}'", "\"\u{301}\""),
        ("''''", #""'""#), ("'a' || 'b'", nil), ("'", nil), ("a", nil), ("'''", nil),
    ])
    func theDefaultOfATextIsTakenFromALiteralAlone(sql: String, literal: String?) {
        let found = SwiftType.string.literal(sql)
        #expect(found.map { Array($0.utf8) } == literal.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("users", "User"), ("categories", "Category"), ("addresses", "Address"), ("boxes", "Box"), ("status", "Status"),
        ("order_items", "OrderItem"), ("OrderItems", "OrderItem"), ("2fa codes", "Table2faCode"),
        ("strings", "StringEntity"), ("id", "IdEntity"), ("ID", "IDEntity"), ("sendables", "SendableEntity"),
        ("---", "Table"), ("s", "S"),
    ])
    func tablesGiveStructsTheirNames(table: String, name: String) {
        var names = EntityNames()
        #expect(names.name(ofTable: table) == name)
        #expect(names.name(ofTable: table) != name)
    }

    @Test func noStructHasTheNameOfAnothersRecord() {
        var names = EntityNames()
        #expect(names.name(ofTable: "users") == "User")
        #expect(names.name(ofTable: "user_records") == "UserRecordEntity")
    }
}
