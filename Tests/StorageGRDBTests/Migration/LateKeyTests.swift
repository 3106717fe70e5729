import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Tables that get their key behind the step that makes others refer to them.
@Suite struct LateKeyTests {
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    private let parents = TableSchema(name: "parents", columns: [.id, .text("name")])

    private func kids(_ columns: ColumnSchema...) -> TableSchema {
        TableSchema(
            name: "kids", columns: [.id] + columns + [.text("parentId", notNull: false)],
            references: [ReferenceSchema(column: "parentId", table: "parents")])
    }

    private static let withOtherKey =
        "CREATE TABLE parents (number INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL)"
    private static let withoutKey = "CREATE TABLE parents (id TEXT NOT NULL, name TEXT NOT NULL)"

    private func makeParents(_ sql: String = LateKeyTests.withOtherKey) throws {
        try file.execute("\(sql); INSERT INTO parents (id, name) VALUES ('a', '')")
    }

    private func expectThatReferencesHold() throws {
        try file.execute("INSERT INTO kids (id, parentId) VALUES ('good', 'a')")
        #expect(throws: DatabaseError.self) { try file.execute("INSERT INTO kids (id, parentId) VALUES ('bad', 'b')") }
    }

    // MARK: References

    @Test(arguments: [withOtherKey, withoutKey], [false, true])
    func aNewTableMayReferToATableThatGetsItsKeyInTheSameStart(sql: String, isFirst: Bool) throws {
        try makeParents(sql)
        let done = try isFirst ? file.start(kids(), parents) : file.start(parents, kids())
        #expect(done.contains("Make 'id' the primary key of 'parents'"))
        try expectThatReferencesHold()
    }

    @Test(arguments: [false, true]) func soMayOneOfAnotherStep(isFirst: Bool) throws {
        try makeParents()
        if isFirst {
            try file.start(kids()) { $0.autoSchema(tables: [parents]) }
        } else {
            try file.start(parents) { $0.autoSchema(tables: [kids()]) }
        }
        try expectThatReferencesHold()
    }

    @Test func soMayANewColumn() throws {
        try makeParents()
        try file.execute("CREATE TABLE kids (id TEXT PRIMARY KEY)")
        try file.start(parents, kids())
        try expectThatReferencesHold()
    }

    @Test func soMayATableOfAStartThatIsChecked() throws {
        try makeParents()
        try ModelFile.schema([parents, kids()]).run(
            on: file.queue, config: StorageConfig(), safety: .backup(keeping: 1))
        try expectThatReferencesHold()
    }

    @Test func aTableThatGetsANewNameBesideItsKeyMayBeReferredTo() throws {
        try makeParents()
        try file.execute("ALTER TABLE parents RENAME TO owners")
        let renamed = TableSchema(name: "parents", columns: parents.columns, formerNames: ["owners"])
        try file.start(kids()) { $0.autoSchema(tables: [renamed]) }
        try expectThatReferencesHold()
    }

    @Test func aReferenceMayBeByAUniqueKeyThatIsMadeInTheSameStart() throws {
        let users = TableSchema(
            name: "users", columns: [.id, .text("slug")], indexes: [IndexSchema(["slug"], isUnique: true)])
        let logins = TableSchema(
            name: "logins", columns: [.id, .text("slug")],
            references: [ReferenceSchema(column: "slug", table: "users", key: "slug")])
        try file.start(users, logins)
        #expect(try file.values("SELECT \"table\", \"to\" FROM pragma_foreign_key_list('logins')") == ["users slug"])
    }

    @Test func whatAMigrationBreaksMeanwhileIsTold() throws {
        try makeParents()
        let error = try file.refuse(parents, kids()) { schema in
            schema.migration("rows") { try $0.execute(sql: "INSERT INTO kids (id, parentId) VALUES ('1', 'b')") }
        }
        #expect(error as? ForeignKeysBrokenError == ForeignKeysBrokenError(table: "kids", parent: "parents", rows: 1))
    }

    @Test func otherReferencesOfTheTableThatWereBrokenBeforeDoNotStopTheStart() throws {
        try makeParents()
        try file.execute(
            """
            CREATE TABLE teams (id TEXT PRIMARY KEY);
            CREATE TABLE kids (id TEXT PRIMARY KEY, teamId TEXT NOT NULL REFERENCES teams (id));
            PRAGMA foreign_keys = OFF; INSERT INTO kids VALUES ('1', 'gone'); PRAGMA foreign_keys = ON
            """)
        try file.start(parents, kids(.text("teamId")))
        #expect(try file.values("SELECT id, teamId FROM kids") == ["1 gone"])
    }

    @Test func aParentThatGetsNoKeyIsATypedErrorThatNamesBothTables() throws {
        try makeParents()
        let error = try file.refuse(kids())
        #expect(
            error as? SchemaConflictError
                == SchemaConflictError(table: "kids", columns: ["parentId"], reason: .parentWithoutKey("parents")))
        #expect(error?.localizedDescription.contains("'parentId' of table 'kids' cannot refer to 'parents'") == true)
    }

    @Test func soIsOneWhoseKeyIsNotWhatTheReferenceNames() throws {
        let kids = TableSchema(
            name: "kids", columns: [.id, .text("parentName")],
            references: [ReferenceSchema(column: "parentName", table: "parents", key: "name")])
        try makeParents()
        let error = try file.refuse(parents, kids)
        #expect((error as? SchemaConflictError)?.reason == .parentWithoutKey("parents"))
    }

    @Test func aUniqueIndexOverSomeRowsIsNoKey() throws {
        try makeParents()
        try file.execute("CREATE UNIQUE INDEX named ON parents (id) WHERE name <> ''")
        try file.start(parents)
        try file.execute(
            "INSERT INTO parents (id, name) VALUES ('a', 'b') ON CONFLICT (id) DO UPDATE SET name = excluded.name")
        #expect(try file.values("SELECT id, name FROM parents") == ["a b"])
    }

    // MARK: Columns that are dropped

    @Test(arguments: ["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY DEFAULT '7'", "TEXT NOT NULL PRIMARY KEY DEFAULT '7'"])
    func theOldKeyIsDroppedInTheStartThatMakesTheModels(key: String) throws {
        try makeParents("CREATE TABLE parents (number \(key), id TEXT NOT NULL, name TEXT NOT NULL)")
        let done = try file.start(parents) { $0.drop(column: "number", ofTable: "parents") }
        #expect(done.last == "Drop column 'number' of 'parents' with its values")
        #expect(try file.values("SELECT name, pk FROM pragma_table_info('parents')") == ["id 1", "name 0"])
        #expect(try file.values("SELECT id FROM parents") == ["a"])
    }

    @Test func anOldKeyThatIsDroppedMayRefuseNullWithoutADefault() throws {
        try file.execute(
            """
            CREATE TABLE parents (number TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL);
            INSERT INTO parents VALUES ('7', 'a', '')
            """)
        try file.start(parents) { $0.drop(column: "number", ofTable: "parents") }
        #expect(try file.values("SELECT * FROM parents") == ["a "])
    }

    @Test func anIndexOfSomeRowsIsThereOnceTheOldKeyIsDropped() throws {
        let index = IndexSchema(["name"], condition: #""name" <> ''"#)
        let number = ColumnSchema(name: "number", type: "TEXT", notNull: true, primaryKey: true)
        try file.start(
            TableSchema(name: "parents", columns: [number, .text("id"), .text("name")], indexes: [index]))
        try file.start(TableSchema(name: "parents", columns: parents.columns, indexes: [index])) {
            $0.drop(column: "number", ofTable: "parents")
        }
        #expect(try file.indexes().count == 1)
    }
}
