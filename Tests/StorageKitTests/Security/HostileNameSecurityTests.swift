import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Whatever a name is made of, it is a name, or refused by a typed error: never SQL.
@Suite struct HostileNameSecurityTests {
    @Test(arguments: HostileText.run) func aCacheTable(_ name: String) async throws {
        let (error, store) = try startingWithVictims { schema in schema.addKVCache(tableName: name) }
        guard let store else { return try expectRefused(error, name) }
        try await store.expectOnly([name, "idx_\(name)_expiresAt", "idx_\(name)_updatedAt"])
        let cache = DiskCache<String>(db: store.db, config: store.context.config)
        await cache.set("value", for: name, ttl: nil)
        #expect(await cache.get(name) == "value")
        try await store.storage.save(TestUser("1"))
        #expect(try await store.rowCount(of: name) == 2)
        await cache.removeAll()
        #expect(try await store.rowCount(of: name) == 0)
    }

    @Test(arguments: HostileText.run) func aMigration(_ id: String) async throws {
        let folder = try TemporaryFolder()
        for start in 1...2 {
            let (error, store) = try startingWithVictims(folder) { schema in
                schema.migration(id) { try $0.execute(sql: "INSERT INTO victims VALUES ('migrated')") }
            }
            guard let store else { return try expectRefused(error, id) }
            #expect(try await store.rowCount(of: "victims") == 2, "start \(start)")
            let ids = try await store.db.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
            #expect(ids.filter { $0.utf8.elementsEqual(id.utf8) }.count == 1)
            try store.context.storage.pool.close()
        }
    }

    @Test(arguments: HostileText.run) func aTableThatAMigrationIsSkippedFor(_ name: String) async throws {
        guard name != "sqlite_master" else { return }
        let (error, store) = try startingWithVictims { schema in
            schema.migration("new", skipIfTableExists: name) { try $0.execute(sql: "CREATE TABLE made (x)") }
        }
        guard let store else { return try expectRefused(error, name) }
        // There is no such table, so that it ran.
        try await store.expectOnly(["made"])
    }

    @Test(arguments: HostileText.run) func aNamespace(_ namespace: String) async throws {
        let (_, started) = try startingWithVictims(options: {
            $0.namespace = namespace
            $0.memoryCapacity = 0
        }) { $0.addKVCache() }
        let store = try #require(started)
        try await store.storage.save(TestUser("1", name: "old"))
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "old")
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET name = 'new'") }
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "new")
        #expect(try await store.rowCount(of: "victims") == 1)
        await store.context.stores.settle()
        let keys = try await store.db.read { try Data.fetchAll($0, sql: "SELECT CAST(key AS BLOB) FROM kv_cache") }
        #expect(keys == [Data("\(namespace).TestUser:1".utf8)])
    }

    @Test(arguments: HostileText.run) func aSearchedTable(_ name: String) async throws {
        let (error, store) = try startingWithVictims { schema in
            schema.migration("make") { db in
                guard !HostileText.impossibleNames.contains(name) else { return }
                try db.execute(sql: "CREATE TABLE \(name.quotedForTest) (id TEXT PRIMARY KEY, words TEXT)")
            }
            schema.addFullTextSearch(table: name, columns: ["words"])
        }
        guard let store else { return try expectRefused(error, name) }
        try await store.expectFound(table: name, column: "words")
    }

    @Test(arguments: HostileText.run) func aSearchedColumn(_ name: String) async throws {
        let (error, store) = try startingWithVictims { schema in
            schema.migration("make") { db in
                guard !name.isEmpty, !name.utf8.contains(0) else { return }
                try db.execute(sql: "CREATE TABLE texts (id TEXT PRIMARY KEY, \(name.quotedForTest) TEXT)")
            }
            schema.addFullTextSearch(table: "texts", columns: [name])
        }
        // FTS5 keeps some names for itself.
        guard let store else { return try expectRefused(error, name, isOnlyName: name != "rowid") }
        try await store.expectFound(table: "texts", column: name)
    }

    @Test(
        arguments: HostileText.run.enumerated().flatMap { number, text in
            let options = ["porter '\(text)", "unicode61 tokenchars '\(text)'", "trigram \(text)"]
            return [text]
                + (RunLength.current == .full || text.contains("'") ? options : [options[number % 3]])
        })
    func aTokenizer(_ tokenizer: String) async throws {
        let (error, store) = try startingWithVictims { schema in
            schema.addFullTextSearch(table: "testusers", columns: ["name"], tokenizer: tokenizer)
        }
        guard let store else { return try expectRefused(error, tokenizer, isOnlyName: false) }
        try await store.storage.save(TestUser("1", name: "lovelace"))
        #expect(try await store.storage.searchText(TestUser.self, "lovelace").count == 1)
        #expect(try await store.rowCount(of: "victims") == 1)
    }

    @Test(arguments: HostileText.run) func aColumnToSortOrCompareBy(_ name: String) async throws {
        let (_, started) = try startingWithVictims { _ in }
        let store = try #require(started)
        try await store.storage.save(TestUser("1"))
        let users = store.storage.query(TestUser.self)
        let repository = store.storage.repository(TestUser.self)
        let asked: [() async throws -> Void] = [
            { _ = try await store.storage.all(TestUser.self, orderBy: name) },
            { _ = try await store.storage.page(TestUser.self, orderBy: name, limit: 1) },
            { _ = try await store.storage.loadChildren(TestUser.self, where: name, equals: "1") },
            { _ = try await store.storage.loadChildren(TestUser.self, where: "id", equals: "1", orderBy: name) },
            { _ = try await repository.getAll(orderBy: name) },
            { _ = try await users.orderBy(name).fetch() },
            { _ = try await users.orderBy(name, .descending, nulls: .last).count() },
            { _ = try await users.orderBy(name).page(limit: 1) },
            { _ = try await users.orderBy(name).deleteAll() },
            { _ = try await users.where { _ in Column<String>(name) == "1" }.fetch() },
            { _ = try await users.where { _ in Column<String>(name).contains("1") }.deleteAll() },
            { _ = try await users.where { _ in Column<Int>(name).in([1, 2]) }.exists() },
            { _ = try await users.updateAll { _ in [Column<String>(name).set(to: "1")] } },
        ]
        for (index, ask) in asked.enumerated() {
            guard case .queryFailed(nil, _) = await storageError(ask) else {
                Issue.record("\(index) takes \(name.debugDescription)")
                continue
            }
        }
        #expect(try await store.storage.count(TestUser.self) == 1)
        #expect(try await store.rowCount(of: "victims") == 1)
    }

    /// What is not the name of a table or column by itself: SQLite's words for the row, and quoted names.
    @Test(arguments: [
        "rowid", "_rowid_", "oid", "\"name\"", "`name`", "[name]", "NAME", "testusers.name", "name ", "1",
    ])
    func aColumnThatOnlySQLiteKnows(_ name: String) async throws {
        let (_, started) = try startingWithVictims { _ in }
        let store = try #require(started)
        let error = await storageError { _ = try await store.storage.all(TestUser.self, orderBy: name) }
        guard case .queryFailed(nil, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: HostileText.run) func aFile(_ name: String) async throws {
        let folder = try TemporaryFolder()
        // What a file system takes for a name.
        guard !name.isEmpty, !name.contains("/"), !name.utf8.contains(0) else { return }
        for name in [
            name, "file:\(name)?mode=memory", ":memory:\(name)", "\(name)?vfs=none&mode=ro#x", "%00\(name)%20",
        ] {
            let context = try StorageKit.start(at: folder.file(name)) { $0.autoSchema(TestUserRecord.self) }
            try await context.facade.save(TestUser("1"))
            try await context.backup(to: folder.file("copy of \(name)"))
            try context.storage.pool.close()
            let found = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(Set(found).isSuperset(of: [name, "copy of \(name)"]))
            let copy = try StorageKit.start(at: folder.file("copy of \(name)")) { $0.autoSchema(TestUserRecord.self) }
            #expect(try await copy.facade.count(TestUser.self) == 1)
            try copy.storage.pool.close()
        }
    }

    /// Starts a store beside a table that nothing may touch; nil and the error if the schema is refused.
    private func startingWithVictims(
        _ folder: TemporaryFolder? = nil, options: (inout StorageKit.StartOptions) -> Void = { _ in },
        _ schema: (inout AppMigrations) -> Void
    ) throws -> (StorageError?, TemporaryStore?) {
        let folder = try folder ?? TemporaryFolder()
        do {
            let store = try TemporaryStore(
                folder: folder,
                options: {
                    $0.pool = .withoutSync
                    options(&$0)
                },
                schema: {
                    HostileNameSecurityTests.makeVictims(&$0)
                    schema(&$0)
                })
            return (nil, store)
        } catch let error as StorageError {
            // A start that fails leaves nothing: what is there now was not there to be touched.
            let store = try TemporaryStore(folder: folder, schema: HostileNameSecurityTests.makeVictims)
            let rows = try store.context.storage.pool.read { try String.fetchAll($0, sql: "SELECT name FROM victims") }
            #expect(rows == ["untouched"])
            return (error, nil)
        }
    }

    private static func makeVictims(_ schema: inout AppMigrations) {
        schema.autoSchema(TestUserRecord.self)
        schema.migration("victims") { db in
            try db.execute(sql: "CREATE TABLE victims (name TEXT); INSERT INTO victims VALUES ('untouched')")
        }
    }

    /// - Parameter isOnlyName: Whether nothing speaks against the name but what it is made of.
    private func expectRefused(_ error: StorageError?, _ name: String, isOnlyName: Bool = true) throws {
        #expect(!isOnlyName || name.isImpossible, "\(name.debugDescription): \(String(describing: error))")
        switch error {
        case .invalidTableName, .invalidConfiguration, .migrationFailed(_, is StorageError): break
        default: Issue.record("\(name.debugDescription): \(String(describing: error))")
        }
    }
}

extension TemporaryStore {
    fileprivate func rowCount(of table: String) async throws -> Int {
        try await db.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table.quotedForTest)") ?? -1 }
    }

    /// That the schema has these names beside those that it always has.
    fileprivate func expectOnly(_ names: [String]) async throws {
        let found = try await db.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE name NOT IN ('victims', 'testusers', 'grdb_migrations')
                    AND name NOT LIKE 'sqlite_autoindex%'
                    """)
        }
        #expect(Set(found.map { Array($0.utf8) }) == Set(names.map { Array($0.utf8) }))
        #expect(try await rowCount(of: "victims") == 1)
    }

    /// That a row of the table is in its index, and no longer than the row.
    fileprivate func expectFound(table: String, column: String) async throws {
        let (rows, index) = (table.quotedForTest, "\(table)_fts".quotedForTest)
        let found = try await db.write { db in
            try db.execute(sql: "INSERT INTO \(rows) (id, \(column.quotedForTest)) VALUES ('1', 'lovelace')")
            let sql = "SELECT COUNT(*) FROM \(index) WHERE \(index) MATCH 'lovelace'"
            let before = try Int.fetchOne(db, sql: sql)
            try db.execute(sql: "DELETE FROM \(rows)")
            return [before, try Int.fetchOne(db, sql: sql)]
        }
        #expect(found == [1, 0])
        #expect(try await rowCount(of: "victims") == 1)
        #expect(try await context.checkIntegrity().isIntact)
    }
}

extension String {
    /// Whether no table can have the name, or GRDB could not handle it.
    fileprivate var isImpossible: Bool {
        isEmpty || utf8.contains(0) || utf8.contains(0x22) || lowercased().hasPrefix("sqlite_")
    }

    /// The name as SQL writes it; not with the code under test.
    fileprivate var quotedForTest: String {
        String(decoding: [0x22] + utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] } + [0x22], as: UTF8.self)
    }
}
