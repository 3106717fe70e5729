import GRDB
import GRDBSQLite
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct AppMigrationsTests {
    private let folder: TemporaryFolder
    private let pool: GRDB.DatabasePool
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    enum V1 {
        @StorageEntity(table: "people")
        struct Person {
            var id: String
            var name: String
        }
    }

    enum V2 {
        @StorageEntity(table: "people")
        struct Person {
            var id: String
            var name: String
            var text: String
            var integer: Int
            var real: Double
            var bool: Bool
            var date: Date
            var data: Data
            var optional: String?
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        pool = try GRDB.DatabasePool(path: folder.file().path)
    }

    private func run(_ describe: (inout AppMigrations) -> Void) throws -> [String] {
        try AppMigrations.start(on: pool, clock: ManualClock(now), describe)
    }

    private func dump() throws -> [String] {
        try pool.read { db in
            try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
                + String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
        }
    }

    private func columns(of table: String) throws -> [String] {
        try pool.read { db in try db.columns(in: table).map(\.name) }
    }

    @Test func theVersionOfAFileHasTheModelThatStartedLast() {
        #expect(StoreVersion.of(["auto_schema_11111111", "a", "auto_schema_22222222"]) == "1-22222222")
    }

    @Test func autoSchemaCreatesTheTableAsDocumented() throws {
        let log = try run { $0.autoSchema(V1.PersonRecord.self) }
        #expect(log.count == 2)
        #expect(log[0] == "Created table 'people'")
        #expect(log[1].wholeMatch(of: /Applied auto_schema_[0-9a-f]{8}/) != nil)
        let sql = try pool.read { db in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'people'")
        }
        #expect(
            sql
                == #"CREATE TABLE "people" ("id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "updatedAt" DATETIME NOT NULL)"#
        )
    }

    @Test func aSecondRunDoesNothing() throws {
        let schema: (inout AppMigrations) -> Void = { schema in
            schema.addKVCache()
            schema.autoSchema(V1.PersonRecord.self)
            schema.migration("2026-01-01_index") { try $0.create(index: "i", on: "people", columns: ["name"]) }
        }
        #expect(try run(schema).count == 4)
        #expect(try run(schema) == [])
    }

    @Test func aMissingColumnIsAddedWithItsDocumentedDefault() throws {
        _ = try run { $0.autoSchema(V1.PersonRecord.self) }
        try pool.write { db in try db.execute(sql: "INSERT INTO people VALUES ('1', 'Ada', '2020-01-01 00:00:00.000')")
        }
        let log = try run { $0.autoSchema(V2.PersonRecord.self) }
        #expect(log.first == "Added column 'text' to 'people'")
        #expect(log.count == 8)
        let person = try pool.read { db in try V2.PersonRecord.fetchOne(db) }?.asEntity()
        #expect(
            person
                == V2.Person(
                    id: "1", name: "Ada", text: "", integer: 0, real: 0, bool: false, date: now, data: Data(),
                    optional: nil))
    }

    @Test func aTableThatWentMissingIsMadeAgain() throws {
        _ = try run { $0.autoSchema(V1.PersonRecord.self) }
        try pool.write { db in try db.execute(sql: "DROP TABLE people") }
        #expect(try run { $0.autoSchema(V1.PersonRecord.self) }.first == "Created table 'people'")
        #expect(try columns(of: "people") == ["id", "name", "updatedAt"])
    }

    @Test func anAdoptedTableGetsUpdatedAtWithTheTimeOfTheMigration() throws {
        try pool.write { db in
            try db.execute(sql: "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL)")
            try db.execute(sql: "INSERT INTO people VALUES ('1', 'Ada')")
        }
        _ = try run { $0.autoSchema(V1.PersonRecord.self) }
        #expect(try pool.read { db in try V1.PersonRecord.fetchOne(db) }?.updatedAt == now)
    }

    @Test func columnsThatTheModelNoLongerHasStay() throws {
        _ = try run { $0.autoSchema(V2.PersonRecord.self) }
        _ = try run { $0.autoSchema(V1.PersonRecord.self) }
        #expect(try columns(of: "people").count == 10)
    }

    @Test func theCacheTableHasTheDocumentedColumnsAndIndexes() throws {
        #expect(try run { $0.addKVCache() } == ["Applied storage_kv_cache_v1:kv_cache"])
        #expect(try columns(of: "kv_cache") == ["key", "blob", "updatedAt", "expiresAt", "size"])
        let indexes = try pool.read { db in try db.indexes(on: "kv_cache").map(\.name) }
        #expect(Set(indexes).isSuperset(of: ["idx_kv_cache_expiresAt", "idx_kv_cache_updatedAt"]))
    }

    @Test func callsMadeTwiceAreHarmless() throws {
        let log = try run { schema in
            schema.addKVCache()
            schema.addKVCache()
            schema.autoSchema(V1.PersonRecord.self, V1.PersonRecord.self)
            schema.autoSchema(V1.PersonRecord.self)
        }
        #expect(log.count { $0.hasPrefix("Created") } == 1)
    }

    @Test func twoMigrationsOfOneIdAreRefusedBeforeAnythingRuns() throws {
        let error = #expect(throws: StorageError.self) {
            try run { schema in
                schema.autoSchema(V1.PersonRecord.self)
                schema.migration("same") { _ in }
                schema.add(id: "same") { _ in }
            }
        }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains("'same'"))
        #expect(try pool.read { db in try db.tableExists("people") } == false)
    }

    @Test(arguments: ["", "sqlite_stuff", "SQLite_stuff", "a\"b", "a\0b"])
    func aTableNameThatCannotBeIsRefusedBeforeAnythingRuns(name: String) throws {
        let error = #expect(throws: StorageError.self) {
            try run { schema in
                schema.autoSchema(V1.PersonRecord.self)
                schema.addKVCache(tableName: name)
            }
        }
        guard case .invalidTableName(name) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(try pool.read { db in try db.tableExists("people") } == false)
    }

    @Test(arguments: ["", "a\"b", "a\0b"]) func aColumnNameThatCannotBeIsRefusedWithTheReason(name: String) {
        let problem = schemaProblem(of: [(name: "parent", column: .text(name))], entity: "Kid")
        #expect(problem?.contains("it is empty or has a double quotation mark or a NUL in it") == true)
    }

    @Test func aTableNameThatCannotBeIsRefusedWithTheReason() {
        let error = #expect(throws: StorageError.self) { try run { $0.addKVCache(tableName: "a\"b") } }
        #expect(error?.localizedDescription.contains("has a double quotation mark") == true)
    }

    @Test func aFormerNameInAnotherCaseIsSaidToBeTheSameName() {
        let declared = DeclaredSchema(formerColumnNames: ["LAST": ["last"]])
        #expect(
            declared.problem(columns: ["id", "LAST"], table: "people", entity: "Person")
                == "'LAST' of 'Person' keeps its name: it needs no former name 'last', and case makes no difference")
    }

    @Test func aTableWithANameLikeThoseOfOurStatementsIsRefusedBeforeAnythingRuns() throws {
        let table = TableSchema(name: "StorageKit_parents", columns: [.id])
        let error = #expect(throws: StorageError.self) { try run { $0.autoSchema(tables: [table]) } }
        #expect(error?.localizedDescription.contains("StorageKit's own") == true)
        #expect(try pool.read { try $0.tableExists(table.name) } == false)
    }

    @Test func aColumnWithANameLikeThoseOfOurStatementsIsNone() throws {
        let column = ColumnSchema(name: "Storagekit_parent", type: "INTEGER")
        let problem = schemaProblem(of: [(name: "parent", column: column)], entity: "Kid")
        #expect(problem?.contains("'parent' of 'Kid'") == true)
        #expect(problem?.contains("StorageKit's own") == true)
    }

    @Test func aCacheMayHaveANameLikeThat() throws {
        _ = try run { $0.addKVCache(tableName: "storagekit_cache") }
        #expect(try pool.read { try $0.tableExists("storagekit_cache") })
    }

    @Test func aMigrationRunsOnce() throws {
        for _ in 0..<3 {
            _ = try run { schema in
                schema.migration("create") { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS runs (x)") }
                schema.migration("count") { try $0.execute(sql: "INSERT INTO runs VALUES (1)") }
            }
        }
        #expect(try pool.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM runs") } == 1)
    }

    @Test func aGuardedMigrationIsRecordedWithoutRunning() throws {
        try pool.write { db in try db.execute(sql: "CREATE TABLE settings (key)") }
        let log = try run { schema in
            schema.migration("new", skipIfTableExists: "settings") { try $0.execute(sql: "CREATE TABLE settings (x)") }
            schema.add(id: "old", ifTableMissing: "settings") { try $0.execute(sql: "CREATE TABLE settings (x)") }
        }
        #expect(log == ["Applied new", "Applied old"])
    }

    @Test func aFailingMigrationLeavesTheFileAsItWasBeforeTheStart() throws {
        _ = try run { $0.autoSchema(V1.PersonRecord.self) }
        let before = try dump()
        let error = #expect(throws: StorageError.self) {
            try run { schema in
                schema.addKVCache()
                schema.autoSchema(V2.PersonRecord.self)
                schema.migration("2026-02-02_broken") { db in
                    try db.execute(sql: "ALTER TABLE people ADD COLUMN half TEXT")
                    try db.execute(sql: "INSERT INTO nowhere VALUES (1)")
                }
            }
        }
        guard case .migrationFailed("2026-02-02_broken", let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? GRDB.DatabaseError)?.sql == "INSERT INTO nowhere VALUES (1)")
        #expect(error?.localizedDescription.contains("no such table: nowhere") == true)
        #expect(try dump() == before)
    }

    @Test func rebuildingATableDoesNotCascade() throws {
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE parent (id TEXT PRIMARY KEY);
                    CREATE TABLE child (id TEXT PRIMARY KEY, parentId TEXT REFERENCES parent(id) ON DELETE CASCADE);
                    INSERT INTO parent VALUES ('p'); INSERT INTO child VALUES ('c', 'p')
                    """)
        }
        _ = try run { schema in
            schema.migration("rebuild") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE parent_new (id TEXT PRIMARY KEY, name TEXT);
                        INSERT INTO parent_new SELECT id, NULL FROM parent;
                        DROP TABLE parent; ALTER TABLE parent_new RENAME TO parent
                        """)
            }
        }
        let (children, enforced) = try pool.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM child"),
                try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(children == 1)
        #expect(enforced == 1)
    }

    @Test(arguments: ["COMMIT", "ROLLBACK"])
    func aMigrationThatEndsTheTransactionIsToldSo(sql: String) throws {
        let error = #expect(throws: StorageError.self) {
            try run { $0.migration("ending") { try $0.execute(sql: sql) } }
        }
        guard case .migrationFailed("ending", is EndedTransactionError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [["COMMIT"], ["COMMIT", "BEGIN"], ["ROLLBACK", "BEGIN"]])
    func aMigrationThatEndsTheTransactionLeavesTheFileAsItWas(statements: [String]) throws {
        try pool.write { try $0.execute(sql: "CREATE TABLE old (x)") }
        let error = #expect(throws: StorageError.self) {
            try run {
                $0.autoSchema(V1.PersonRecord.self)
                $0.migration("ending") { db in
                    try db.execute(sql: "CREATE TABLE half (x)")
                    for sql in statements { try? db.execute(sql: sql) }
                }
                $0.migration("next") { try $0.execute(sql: "CREATE TABLE next (x)") }
            }
        }
        guard case .migrationFailed("ending", is EndedTransactionError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        let names = try pool.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
        #expect(names == ["old"])
    }

    @Test func aMigrationThatEndsTheTransactionPastGRDBAndBeginsAnotherLeavesTheFileAsItWas() throws {
        try pool.write { try $0.execute(sql: "CREATE TABLE old (x)") }
        let error = #expect(throws: StorageError.self) {
            try run {
                $0.autoSchema(V1.PersonRecord.self)
                $0.migration("ending") { db in
                    for sql in ["CREATE TABLE half (x)", "COMMIT", "BEGIN"] {
                        sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
                    }
                }
            }
        }
        guard case .migrationFailed("ending", is EndedTransactionError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        let names = try pool.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
        #expect(names == ["old"])
    }

    @Test(arguments: ["", "auto_schema_0badcafe", "storage_kv_cache_v1:mine", "a\0b", "a\0\u{301}"])
    func anIdThatCannotBeIsRefused(id: String) throws {
        let error = #expect(throws: StorageError.self) { try run { $0.migration(id) { _ in } } }
        guard case .invalidConfiguration = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func theCacheTableOfAnEntitysNameIsRefused() throws {
        let error = #expect(throws: StorageError.self) {
            try run { schema in
                schema.addKVCache(tableName: "People")
                schema.autoSchema(V1.PersonRecord.self)
            }
        }
        #expect(error?.localizedDescription.contains("'people'") == true)
    }

    @Test func aSchemaRunsOnAQueueInMemory() throws {
        let queue = try GRDB.DatabaseQueue()
        try AppMigrations.start(on: queue) {
            $0.addKVCache(tableName: "app_cache")
            $0.autoSchema(V1.PersonRecord.self)
        }
        #expect(try queue.read { db in try db.tableExists("app_cache") && db.tableExists("people") })
    }

    @Test func eachFieldOfTheSchemaChangesTheFingerprint() throws {
        let prints = [
            ColumnSchema(name: "a", type: "TEXT"),
            ColumnSchema(name: "b", type: "TEXT"),
            ColumnSchema(name: "a", type: "BLOB"),
            ColumnSchema(name: "a", type: "TEXT", notNull: true),
            ColumnSchema(name: "a", type: "TEXT", primaryKey: true),
            ColumnSchema(name: "a", type: "TEXT", defaultValue: "''"),
        ].map { [TableSchema(name: "t", columns: [$0])].fingerprint }
        #expect(Set(prints).count == prints.count)
    }
}
