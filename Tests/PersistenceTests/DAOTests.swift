import Persistence
import StorageTestSupport
import Testing

@Suite struct DAOTests {
    struct User: Codable, Sendable, Equatable {
        var id: Int64?
        var name: String
        var nick: String?
    }

    private func users(
        _ sql: String = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, nick TEXT)"
    ) async throws -> (SQLiteDatabase, DAO<User>) {
        let database = try await SQLiteDatabase.inMemory()
        try await database.execute(sql)
        return (database, .make(database: database, schema: .codable(table: "users", primaryKey: "id")))
    }

    @Test func aCreatedEntityCarriesTheKeyThatSQLiteMade() async throws {
        let (_, users) = try await users()
        #expect(try await users.create(User(name: "Ada")) == User(id: 1, name: "Ada"))
        #expect(try await users.create(User(name: "Grace")).id == 2)
    }

    @Test func whatComesBackIsWhatIsStored() async throws {
        let (database, users) = try await users()
        try await database.execute(
            """
            CREATE TRIGGER shout AFTER INSERT ON users BEGIN UPDATE users SET nick = upper(name) WHERE id = new.id; END;
            CREATE TRIGGER cry AFTER UPDATE OF name ON users BEGIN UPDATE users SET nick = '!' WHERE id = new.id; END
            """)
        #expect(try await users.create(User(name: "Ada")).nick == "ADA")
        #expect(try await users.update(User(id: 1, name: "Ada")).nick == "!")
        #expect(try await users.read(.integer(1))?.nick == "!")
    }

    @Test func aRowOfAViewIsUpdatedByItsTrigger() async throws {
        let (database, users) = try await users()
        _ = try await users.create(User(id: 1, name: "Ada", nick: "A"))
        try await database.execute(
            """
            ALTER TABLE users RENAME TO base;
            CREATE VIEW users AS SELECT * FROM base;
            CREATE TRIGGER changed INSTEAD OF UPDATE ON users BEGIN UPDATE base SET nick = new.nick WHERE id = new.id; END
            """)
        #expect(try await users.update(User(id: 1, name: "Ada", nick: "B")).nick == "B")
        let error = await thrownError { _ = try await users.update(User(id: 2, name: "Bo")) }
        #expect(error as? SQLiteError == .rowNotFound(table: "users", column: "id"))
    }

    @Test func aRowOfAViewIsDeletedByItsTrigger() async throws {
        let (database, users) = try await users()
        _ = try await users.create(User(id: 1, name: "Ada"))
        try await database.execute(
            """
            ALTER TABLE users RENAME TO base;
            CREATE VIEW users AS SELECT * FROM base;
            CREATE TRIGGER gone INSTEAD OF DELETE ON users BEGIN DELETE FROM base WHERE id = old.id; END
            """)
        try await users.delete(.integer(1))
        #expect(try await users.list().isEmpty)
        let error = await sqliteError { try await users.delete(.integer(1)) }
        #expect(error == .rowNotFound(table: "users", column: "id"))
    }

    @Test func anUpdateSetsWhatIsNil() async throws {
        let (_, users) = try await users()
        _ = try await users.create(User(id: 1, name: "Ada", nick: "A"))
        #expect(try await users.update(User(id: 1, name: "Ada")) == User(id: 1, name: "Ada"))
    }

    @Test func anUpdateWithoutAPrimaryKeyNamesTableAndColumn() async throws {
        let (database, users) = try await users()
        _ = try await users.create(User(id: 1, name: "Ada"))
        let missing = SQLiteError.missingPrimaryKey(table: "users", column: "id")
        #expect(await sqliteError { _ = try await users.update(User(name: "Bob")) } == missing)
        let partial = DAO.make(
            database: database,
            schema: TableSchema<User>(
                table: "users", primaryKey: "id", encode: { ["name": .text($0.name)] },
                decode: { _ in User(name: "") }))
        #expect(await sqliteError { _ = try await partial.update(User(id: 1, name: "Bob")) } == missing)
        #expect(try await users.list() == [User(id: 1, name: "Ada")])
    }

    @Test(arguments: [
        "CREATE TABLE tags (id TEXT PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE tags (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)",
        "CREATE TABLE Tags (ID TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",
    ])
    func aRowForWhichNobodyMakesAKeyIsNotCreated(_ table: String) async throws {
        let (database, _) = try await users()
        try await database.execute(table)
        let tags = DAO.make(
            database: database,
            schema: TableSchema<String>(
                table: "tags", primaryKey: "id", encode: { ["name": .text($0)] }, decode: { _ in "" }))
        let missing = SQLiteError.missingPrimaryKey(table: "tags", column: "id")
        #expect(await sqliteError { _ = try await tags.create("red") } == missing)
        #expect(try await tags.list().isEmpty)
    }

    private struct Area: Codable, Sendable, Equatable {
        var id: Int64?
        var low: Double
        var high: Double
    }

    @Test func aVirtualTableMakesKeysToo() async throws {
        let (database, _) = try await users()
        try await database.execute("CREATE VIRTUAL TABLE areas USING rtree(id, low, high)")
        let areas = DAO.make(database: database, schema: TableSchema<Area>.codable(table: "areas", primaryKey: "id"))
        #expect(try await areas.create(Area(low: 0, high: 1)) == Area(id: 1, low: 0, high: 1))
        #expect(try await areas.create(Area(id: 7, low: 0, high: 1)).id == 7)
    }

    @Test func aRowWhoseKeyATriggerSetsIsReturned() async throws {
        let (database, _) = try await users()
        try await database.execute("CREATE TABLE tags (id TEXT PRIMARY KEY)")
        try await database.execute(
            "CREATE TRIGGER low AFTER INSERT ON tags BEGIN UPDATE tags SET id = lower(id) WHERE id = new.id; END")
        let tags = DAO.make(
            database: database,
            schema: TableSchema<String>(
                table: "tags", primaryKey: "id", encode: { ["id": .text($0)] },
                decode: { $0.value("id") == .text("red") ? "red" : "" }))
        #expect(try await tags.create("RED") == "red")
    }

    @Test func aValueThatIsMissingIsNoMissingKey() async throws {
        let (database, _) = try await users()
        let nicks = DAO.make(
            database: database,
            schema: TableSchema<String>(
                table: "users", primaryKey: "id", encode: { ["nick": .text($0)] }, decode: { _ in "" }))
        let error = await sqliteError { _ = try await nicks.create("A") }
        guard case .sqlite(code: 1299, message: "NOT NULL constraint failed: users.name", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func aRowThatIsNotThereIsNotUpdatedNorDeleted() async throws {
        let (_, users) = try await users()
        let notFound = SQLiteError.rowNotFound(table: "users", column: "id")
        #expect(await sqliteError { _ = try await users.update(User(id: 7, name: "Bob")) } == notFound)
        #expect(await sqliteError { try await users.delete(.integer(7)) } == notFound)
        #expect(await sqliteError { try await users.delete(.null) } == notFound)
        #expect(try await users.read(.integer(7)) == nil)
        #expect(try await users.list().isEmpty)
    }

    @Test func aRowThatIsDeletedIsNotFound() async throws {
        let (_, users) = try await users()
        _ = try await users.create(User(id: 1, name: "Ada"))
        try await users.delete(.integer(1))
        #expect(try await users.read(.integer(1)) == nil)
    }

    @Test func theListIsSortedByPrimaryKey() async throws {
        let (_, users) = try await users()
        for id: Int64 in [3, 1, 2] { _ = try await users.create(User(id: id, name: "\(id)")) }
        #expect(try await users.list().map(\.id) == [1, 2, 3])
    }

    /// Such rows stand in the table as they came.
    @Test func theListIsSortedByAPrimaryKeyThatIsNotTheNumberOfTheRow() async throws {
        let (_, users) = try await users("CREATE TABLE users (id INT PRIMARY KEY, name TEXT, nick TEXT)")
        for id: Int64 in [3, 1, 2] { _ = try await users.create(User(id: id, name: "\(id)")) }
        #expect(try await users.list().map(\.id) == [1, 2, 3])
    }

    @Test func anEntityThatExistsIsNotCreatedAgain() async throws {
        let (_, users) = try await users()
        _ = try await users.create(User(id: 1, name: "Ada"))
        let error = await sqliteError { _ = try await users.create(User(id: 2, name: "Ada")) }
        guard case .sqlite(code: 2067, message: "UNIQUE constraint failed: users.name", let sql?) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(sql.contains("INSERT INTO \"users\""))
    }

    @Test func whatCannotBeReadBackIsNotWritten() async throws {
        let (database, _) = try await users()
        try await database.execute("INSERT INTO users VALUES (1, 'Ada', NULL)")
        struct Failure: Error {}
        let users = DAO.make(
            database: database,
            schema: TableSchema<User>(
                table: "users", primaryKey: "id",
                encode: { ["id": $0.id.map { .integer($0) } ?? .null, "name": .text($0.name)] },
                decode: { _ in throw Failure() }))
        await #expect(throws: Failure.self) { try await users.create(User(id: 2, name: "Bob")) }
        await #expect(throws: Failure.self) { try await users.update(User(id: 1, name: "Bob")) }
        #expect(try await database.rows("SELECT name FROM users").map(\.values) == [[.text("Ada")]])
    }

    @Test func aMissingTableOrColumnIsNamed() async throws {
        let (database, users) = try await users("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)")
        let column = await sqliteError { _ = try await users.create(User(id: 1, name: "Ada")) }
        #expect("\(try #require(column))".contains("table users has no column named nick"))
        try await database.execute("DROP TABLE users; CREATE TABLE users (number INTEGER PRIMARY KEY)")
        let key = await sqliteError { try await users.delete(.integer(1)) }
        #expect("\(try #require(key))".contains("no such column: id"))
        try await database.execute("DROP TABLE users")
        let table = await sqliteError { _ = try await users.list() }
        #expect("\(try #require(table))".contains("no such table: users"))
    }

    @Test func queriesThatLeaveColumnsOutNameTheFirstMissing() async throws {
        let (_, users) = try await users()
        _ = try await users.create(User(id: 1, name: "Ada"))
        let error = await sqliteError { _ = try await users.query("SELECT id FROM users", []) }
        #expect(error == .missingColumn("name", table: "users"))
        #expect(try await users.queryRows("SELECT id FROM users", []) == [Row(["id": .integer(1)])])
    }

    @Test func anyNameCanBeTheNameOfATableOrColumn() async throws {
        struct Odd: Codable, Sendable, Equatable {
            var key: String
            var value: Int
            enum CodingKeys: String, CodingKey { case key = "or\"der", value = "select me" }
        }
        let database = try await SQLiteDatabase.inMemory()
        try await database.execute(#"CREATE TABLE "a ""b'; --" ("or""der" TEXT PRIMARY KEY, "select me")"#)
        let odd = DAO.make(
            database: database, schema: TableSchema<Odd>.codable(table: "a \"b'; --", primaryKey: "OR\"DER"))
        let value = Odd(key: "k", value: 1)
        #expect(try await odd.create(value) == value)
        #expect(try await odd.update(Odd(key: "k", value: 2)).value == 2)
        #expect(try await odd.list().count == 1)
        try await odd.delete(.text("k"))
    }

    @Test func anEntityWithoutValuesIsARowOfDefaults() async throws {
        let database = try await SQLiteDatabase.inMemory()
        try await database.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT DEFAULT 'new')")
        let users = DAO.make(
            database: database,
            schema: TableSchema<User>(
                table: "users", primaryKey: "id", encode: { _ in [:] },
                decode: { row in
                    guard case .text(let name)? = row.value("name") else { return User(name: "") }
                    return User(name: name)
                }))
        #expect(try await users.create(User(name: "x")).name == "new")
    }

    @Test func aDAOOfATransactionWritesInIt() async throws {
        let (database, users) = try await users()
        let schema = TableSchema<User>.codable(table: "users", primaryKey: "id")
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await database.withTransaction { db in
                let inside = DAO.make(database: db, schema: schema)
                _ = try await inside.create(User(id: 1, name: "Ada"))
                #expect(await sqliteError { _ = try await inside.create(User(id: 2, name: "Ada")) } != nil)
                #expect(try await inside.list().count == 1)
                throw Failure()
            }
        }
        #expect(try await users.list().isEmpty)
    }
}
