import StorageKit
import Testing

@testable import StorageGRDB

/// References of a model.
@Suite struct AutoReferenceTests {
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    private let lists = TableSchema(name: "lists", columns: [.id, .text("name")])

    private func reminders(
        _ onDelete: ReferenceAction? = .cascade, notNull: Bool = false, indexes: [IndexSchema] = []
    ) -> TableSchema {
        TableSchema(
            name: "reminders", columns: [.id, .text("listId", notNull: notNull)], indexes: indexes,
            references: onDelete.map { [ReferenceSchema(column: "listId", table: "lists", onDelete: $0)] } ?? [])
    }

    @Test func aTableIsMadeWithItsReferenceAndAnIndexBeforeTheOneThatItRefersTo() throws {
        try file.start(reminders(notNull: true), lists)
        let clause = #""listId" TEXT NOT NULL REFERENCES "lists"("id") ON DELETE CASCADE"#
        #expect(try file.sql("reminders") == #"CREATE TABLE "reminders" ("id" TEXT PRIMARY KEY, \#(clause))"#)
        #expect(try file.indexes() == ["idx_reminders_listId"])
        try file.execute(
            "INSERT INTO lists VALUES ('l', ''); INSERT INTO reminders VALUES ('r', 'l'); DELETE FROM lists")
        #expect(try file.values("SELECT * FROM reminders") == [])
    }

    @Test func anIndexThatBeginsWithTheColumnDoesForTheReference() throws {
        try file.start(lists, reminders(indexes: [IndexSchema(["listId", "id"])]))
        #expect(try file.indexes() == ["idx_reminders_listId_id"])
        try file.start(lists, reminders())
        #expect(try file.indexes() == ["idx_reminders_listId"])
    }

    @Test func anIndexMadeByHandThatBeginsWithTheColumnDoesForTheReference() throws {
        try file.start(lists, reminders(nil))
        try file.execute("CREATE INDEX mine ON reminders (listId, id)")
        try file.start(lists, reminders(indexes: [IndexSchema(["listId"])]))
        #expect(try file.indexes() == ["mine"])
    }

    @Test(arguments: ["(listId COLLATE NOCASE, id)", "(listId) WHERE id <> ''"])
    func anIndexMadeByHandThatDoesNotFindAllRowsDoesNotDoForTheReference(index: String) throws {
        try file.start(lists, reminders(nil))
        try file.execute("CREATE INDEX mine ON reminders \(index)")
        try file.start(lists, reminders())
        #expect(try file.indexes() == ["idx_reminders_listId", "mine"])
    }

    @Test func anIndexMadeByHandThatBeginsWithTheColumnDoesNotDoForAUniqueKey() throws {
        try file.start(lists, reminders(nil))
        try file.execute("CREATE INDEX mine ON reminders (listId, id)")
        try file.start(lists, reminders(indexes: [IndexSchema(["listId"], isUnique: true)]))
        #expect(try file.indexes() == ["mine", "unique_reminders_listId"])
    }

    @Test func aReferenceIsAddedChangedAndDroppedWithAllRows() throws {
        try file.start(lists, reminders(nil))
        try file.execute("INSERT INTO lists VALUES ('l', ''); INSERT INTO reminders VALUES ('r', 'l'), ('s', NULL)")
        try file.execute("CREATE VIEW names AS SELECT listId FROM reminders")
        for action in [ReferenceAction.cascade, .setNull] {
            try file.start(lists, reminders(action))
            let found = try file.values("SELECT on_delete FROM pragma_foreign_key_list('reminders')")
            #expect(found == [action.rawValue])
            #expect(try file.values("SELECT * FROM reminders ORDER BY id") == ["r l", "s NULL"])
            #expect(try file.indexes() == ["idx_reminders_listId"])
        }
        let next = TableSchema(name: "reminders", columns: [.id, .text("listId", notNull: false), .text("title")])
        try file.start(lists, next)
        #expect(try file.values("SELECT * FROM pragma_foreign_key_list('reminders')") == [])
        #expect(try file.values("SELECT * FROM reminders ORDER BY id") == ["r l ", "s NULL "])
        #expect(try file.indexes() == [])
    }

    @Test func whatAnUpdateOfTheParentDoesIsChangedToo() throws {
        let users = [ReferenceAction.noAction, .cascade].map { action in
            TableSchema(
                name: "reminders", columns: [.id, .text("listId", notNull: false)],
                references: [ReferenceSchema(column: "listId", table: "lists", onUpdate: action)])
        }
        for (reminders, action) in zip(users, ["NO ACTION", "CASCADE"]) {
            try file.start(lists, reminders)
            #expect(try file.values("SELECT on_update FROM pragma_foreign_key_list('reminders')") == [action])
        }
    }

    @Test func aReferenceThatRowsBreakIsATypedErrorAndChangesNothing() throws {
        try file.start(lists, reminders(nil))
        try file.execute("INSERT INTO reminders VALUES ('r', 'l'), ('s', 'm'), ('t', NULL)")
        let error = try file.refuse(lists, reminders())
        #expect(
            error as? SchemaConflictError
                == SchemaConflictError(
                    table: "reminders", columns: ["listId"], reason: .brokenReferences(to: "lists", rows: 2)))
    }

    @Test func aColumnAddedWithItsReferenceMayBeFilledByAMigration() throws {
        try file.start(lists, TableSchema(name: "reminders", columns: [.id]))
        try file.execute("INSERT INTO lists VALUES ('l', ''); INSERT INTO reminders VALUES ('r')")
        let error = try file.refuse(lists, reminders(notNull: true))
        #expect((error as? SchemaConflictError)?.reason == .brokenReferences(to: "lists", rows: 1))
        try file.start(lists, reminders(notNull: true)) { schema in
            schema.migration("fill") { try $0.execute(sql: "UPDATE reminders SET listId = 'l'") }
        }
        #expect(try file.values("SELECT * FROM reminders") == ["r l"])
    }

    @Test func aReferenceMadeByHandStays() throws {
        try file.execute("CREATE TABLE lists (id TEXT PRIMARY KEY, name TEXT NOT NULL)")
        try file.execute("CREATE TABLE reminders (id TEXT PRIMARY KEY, listId TEXT REFERENCES lists ON DELETE CASCADE)")
        #expect(try file.start(lists, reminders()) == ["Create index 'listId' of 'reminders'"])
        try file.start(lists, reminders(nil))
        #expect(try file.values("SELECT count(*) FROM pragma_foreign_key_list('reminders')") == ["1"])
    }

    @Test func aReferenceMadeByHandLikeOneThatWentWithItsColumnStays() throws {
        let plain = TableSchema(name: "reminders", columns: [.id])
        try file.start(lists, reminders())
        try file.start(lists, plain) { $0.drop(column: "listId", ofTable: "reminders") }
        try file.execute("ALTER TABLE reminders ADD COLUMN listId TEXT REFERENCES lists(id) ON DELETE CASCADE")
        try file.start(lists, plain)
        #expect(try file.values("SELECT count(*) FROM pragma_foreign_key_list('reminders')") == ["1"])
    }

    /// The table that auto-schema has made, as a migration makes it once more.
    private func writeRemindersAnew() throws {
        try file.start(lists, reminders())
        try file.execute(
            """
            DROP TABLE reminders;
            CREATE TABLE reminders (id TEXT PRIMARY KEY, listId TEXT,
                FOREIGN KEY (listId) REFERENCES lists (id) ON DELETE CASCADE);
            """)
    }

    @Test func aReferenceThatAMigrationHasWrittenAnewStays() throws {
        try writeRemindersAnew()
        try file.start(lists, reminders(nil))
        #expect(try file.values("SELECT count(*) FROM pragma_foreign_key_list('reminders')") == ["1"])
    }

    @Test func aReferenceThatAMigrationHasWrittenAnewIsNotChanged() throws {
        try writeRemindersAnew()
        let error = try file.refuse(lists, reminders(.setNull))
        #expect((error as? SchemaConflictError)?.reason == .otherReference)
        #expect(try file.values("SELECT count(*) FROM pragma_foreign_key_list('reminders')") == ["1"])
    }

    @Test func aReferenceMadeByHandThatSaysOtherwiseIsATypedError() throws {
        try file.execute("CREATE TABLE lists (id TEXT PRIMARY KEY, name TEXT NOT NULL)")
        try file.execute("CREATE TABLE reminders (id TEXT PRIMARY KEY, listId TEXT REFERENCES lists)")
        let error = try file.refuse(lists, reminders())
        #expect((error as? SchemaConflictError)?.reason == .otherReference)
        try file.start(lists, reminders()) { schema in
            schema.migration("other") { try $0.execute(sql: "ALTER TABLE reminders DROP COLUMN listId") }
        }
    }

    @Test func aParentThatIsNowhereIsAnErrorThatNamesBoth() throws {
        let error = try file.refuse(reminders())
        #expect(error is StorageError)
        #expect(error?.localizedDescription.contains("table 'reminders' refers to 'lists'") == true)
    }

    @Test func aParentThatIsGoneFromTheFileIsAnErrorThoughNothingIsDue() throws {
        try file.execute("CREATE TABLE lists (id TEXT PRIMARY KEY)")
        try file.start(reminders())
        try file.execute("DROP TABLE lists")
        let error = try file.refuse(reminders())
        #expect(error?.localizedDescription.contains("table 'reminders' refers to 'lists'") == true)
    }

    @Test func aParentThatIsInTheFileOnlyWillDo() throws {
        try file.start(reminders()) { schema in
            schema.migration("lists") { try $0.execute(sql: "CREATE TABLE lists (id TEXT PRIMARY KEY)") }
        }
    }
}
