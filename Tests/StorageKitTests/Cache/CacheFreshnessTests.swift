import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// By whatever road a row changes, the next read gives what the row holds: from all tiers, and from the disk alone.
@Suite struct CacheFreshnessTests {
    @Test func aRowThatATriggerStoredInAnotherPlaceIsNotFoundInThisOne() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER low BEFORE INSERT ON testusers WHEN new.id <> lower(new.id) BEGIN
                        INSERT INTO testusers SELECT lower(new.id), new.name, new.age, new.email, new.isActive, new.updatedAt;
                        SELECT RAISE(IGNORE);
                    END
                    """)
        }
        let row = StreamProbe(store.storage.observe(TestUser.self, id: "ABC"))
        #expect(try await row.next() == nil)
        try await store.storage.save(TestUser("ABC", name: "x"))
        #expect(try await store.storage.get(TestUser.self, id: "ABC") == nil)
        #expect(try await store.storage.get(TestUser.self, id: "abc")?.name == "x")
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET id = 'ABC'") }
        #expect(try await row.next()?.name == "x")
    }

    @Test func aRowThatATriggerLeftAsItWasIsReadAsItIsThoughLIKEKnowsCapitals() async throws {
        let store = try TemporaryStore(
            options: { $0.pool.preset.pragmas.append("PRAGMA case_sensitive_like = ON") },
            schema: { $0.autoSchema(TestUserRecord.self) })
        _ = try await store.storage.insert(TestUser("1", name: "old"))
        try await store.db.write {
            try $0.execute(sql: "CREATE TRIGGER kept BEFORE UPDATE ON testusers BEGIN SELECT RAISE(IGNORE); END")
        }
        try await store.storage.save(TestUser("1", name: "new"))
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "old")
    }

    @Test func aRowThatATriggerTookAwayAsItWasSavedIsGone() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        _ = try await store.storage.insert(TestUser("1", name: "old"))
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER gone BEFORE UPDATE ON testusers WHEN new.name = '' BEGIN
                        DELETE FROM testusers WHERE id = old.id;
                    END
                    """)
        }
        try await store.storage.save(TestUser("1", name: ""))
        #expect(try await store.storage.get(TestUser.self, id: "1") == nil)
        #expect(try await store.storage.count(TestUser.self) == 0)
    }

    @Test func whatATableOfAnotherConnectionsMakingStoresIsWhatIsRead() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        _ = try await store.storage.insert(TestUser("1"))
        try await GRDB.DatabaseQueue(path: store.url.path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE made (id TEXT PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL,
                        email TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'x', isActive BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL);
                    DROP TABLE testusers;
                    ALTER TABLE made RENAME TO testusers
                    """)
        }
        _ = try await store.storage.insert(TestUser("2", email: nil))
        #expect(try await store.storage.get(TestUser.self, id: "2")?.email == "x")
    }

    /// Ways to change the user 1, and what its name is then.
    static let changes: [(sql: String, name: String?)] = [
        ("UPDATE testusers SET name = 'new'", "new"),
        ("UPDATE testusers SET name = 'new' WHERE id = '1'", "new"),
        ("INSERT OR REPLACE INTO testusers VALUES ('1', 'new', 0, NULL, 1, '2026-01-01 00:00:00.000')", "new"),
        (
            """
            INSERT INTO testusers VALUES ('1', 'x', 0, NULL, 1, '2026-01-01 00:00:00.000')
            ON CONFLICT (id) DO UPDATE SET name = 'new'
            """, "new"
        ),
        ("DELETE FROM testusers WHERE id = '1'", nil),
        ("DELETE FROM testusers", nil),
        ("UPDATE testusers SET id = '2' WHERE id = '1'", nil),
        ("DELETE FROM testusers; INSERT INTO testusers VALUES ('1', 'new', 0, NULL, 1, '2026-01-01')", "new"),
        (
            """
            CREATE UNIQUE INDEX one_name ON testusers (name);
            INSERT OR REPLACE INTO testusers VALUES ('2', 'old', 0, NULL, 1, '2026-01-01 00:00:00.000')
            """, nil
        ),
        (
            """
            ALTER TABLE testusers RENAME COLUMN name TO other;
            ALTER TABLE testusers RENAME COLUMN email TO name;
            ALTER TABLE testusers RENAME COLUMN other TO email
            """, "email"
        ),
        (
            """
            ALTER TABLE testusers DROP COLUMN name;
            ALTER TABLE testusers ADD COLUMN name TEXT NOT NULL DEFAULT 'new'
            """, "new"
        ),
        (
            """
            ALTER TABLE testusers RENAME TO others;
            CREATE TABLE testusers AS SELECT * FROM others;
            UPDATE testusers SET name = 'new'
            """, "new"
        ),
        ("DROP TABLE testusers; CREATE TABLE testusers (id, name, age, email, isActive, updatedAt)", nil),
    ]

    private func saved() async throws -> CachedStore {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1", name: "old", email: "email"))
        #expect(try await store.place() == CachedStore.memory)
        return store
    }

    @Test(arguments: 0..<changes.count) func rawSQLThroughThePoolIsSeen(change: Int) async throws {
        let store = try await saved()
        try await store.run(Self.changes[change].sql)
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == Self.changes[change].name)
        await store.settle()
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == Self.changes[change].name)
    }

    @Test(arguments: 0..<changes.count) func anotherConnectionsWriteIsSeen(change: Int) async throws {
        let store = try await saved()
        try await store.runOutside(Self.changes[change].sql)
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == Self.changes[change].name)
        #expect(try await store.users.get(id: "1")?.name == Self.changes[change].name)
    }

    @Test(arguments: 0..<changes.count) func theDiskAloneIsNotOlderEither(change: Int) async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 })
        try await store.storage.save(TestUser("1", name: "old", email: "email"))
        #expect(try await store.place() == CachedStore.disk)
        try await store.runOutside(Self.changes[change].sql)
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == Self.changes[change].name)
    }

    @Test func aRollbackLeavesNoTrace() async throws {
        struct Refused: Error {}
        let store = try await saved()
        await #expect(throws: Refused.self) {
            try await store.store.db.write { db in
                try db.execute(sql: "UPDATE testusers SET name = 'new'")
                throw Refused()
            }
        }
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "old")
        #expect(try await store.reopened().storage.get(TestUser.self, id: "1")?.name == "old")
    }

    @Test func theAppsOwnTriggerOnTheSavedRowIsSeen() async throws {
        let store = try await saved()
        try await store.run(
            """
            CREATE TRIGGER shout AFTER UPDATE OF name ON testusers WHEN new.name <> upper(new.name)
            BEGIN UPDATE testusers SET name = upper(new.name) WHERE id = new.id; END
            """)
        for name in ["first", "second"] {
            try await store.storage.save(TestUser("1", name: name))
            #expect(try await store.storage.get(TestUser.self, id: "1")?.name == name.uppercased())
            #expect(try await store.reopened().storage.get(TestUser.self, id: "1")?.name == name.uppercased())
        }
    }

    @Test func aForeignKeyThatTakesTheRowAlongIsSeen() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.migration("tables") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE teams (id TEXT PRIMARY KEY);
                        INSERT INTO teams VALUES ('red');
                        CREATE TABLE testusers (id TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES teams ON DELETE CASCADE,
                            age INTEGER NOT NULL, email TEXT, isActive BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL)
                        """)
            }
        })
        try await store.storage.save(TestUser("1", name: "red"))
        #expect(try await store.place() == CachedStore.memory)
        try await store.run("DELETE FROM teams")
        #expect(try await store.storage.get(TestUser.self, id: "1") == nil)
        #expect(try await store.users.get(id: "1", policy: .cacheOnly) == nil)
    }

    @Test func aSaveOfAVersionedEntityOrOneWithAGivenIdIsToldToTheDiskCache() async throws {
        let store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(DraftRecord.self, GivenIdTests.LogLineRecord.self)
        }
        let draft = try await store.storage.save(Draft(id: "a", text: "1"))
        let line = try await store.storage.save(GivenIdTests.LogLine(id: nil, text: "b"))
        for _ in 0..<2 {
            #expect(try await store.db.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM kv_cache") } == 2)
            try await store.storage.save(line)
        }
        let stored = try await store.storage.save(draft)
        let options = StorageKit.StartOptions(clock: store.clock)
        let again = try StorageKit.start(at: store.url, options: options) { schema in
            schema.addKVCache()
            schema.autoSchema(DraftRecord.self, GivenIdTests.LogLineRecord.self)
        }
        #expect(try await again.facade.repository(Draft.self).get(id: "a", policy: .cacheOnly) == stored)
    }

    @Test func twoContextsOfOneFileAreOfOneMind() async throws {
        let first = try await saved()
        let second = try await first.reopened()
        #expect(try await second.place() == CachedStore.disk)
        try await first.storage.save(TestUser("1", name: "a"))
        #expect(try await second.storage.get(TestUser.self, id: "1")?.name == "a")
        try await second.storage.save([TestUser("1", name: "b")])
        #expect(try await first.storage.get(TestUser.self, id: "1")?.name == "b")
        try await second.storage.delete(TestUser.self, id: "1")
        #expect(try await first.storage.get(TestUser.self, id: "1") == nil)
    }

    @Test func namespacesKeepContextsOfOneFileApart() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (
            try CachedStore(folder, options: { $0.namespace = "a" }),
            try CachedStore(folder, options: { $0.namespace = "b" })
        )
        for (index, writer) in [first, second, first].enumerated() {
            try await writer.storage.save(TestUser("1", name: "\(index)"))
            for reader in [first, second] {
                #expect(try await reader.storage.get(TestUser.self, id: "1")?.name == "\(index)")
                await reader.settle()
            }
        }
        let keys = try await first.fetch(String.self, "SELECT key FROM kv_cache ORDER BY key")
        #expect(keys == ["a.TestUser:1", "b.TestUser:1"])
        try await first.runOutside("UPDATE testusers SET name = 'new'")
        let third = try CachedStore(folder, options: { $0.namespace = "b" })
        #expect(try await third.storage.get(TestUser.self, id: "1")?.name == "new")
    }

    @Test func anEntityThatTheSaveMadeIsThatOfTheTable() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self, TestOrderRecord.self)
        })
        let line = TestOrder(UUID(), city: "Kyiv", userId: "1")
        var order = TestOrder(UUID(), city: "Kyiv", userId: "1")
        order.lines = [line]
        order.user = TestUser("1", name: "nobody")
        try await store.storage.save(order)
        for store in [store, try await store.reopened()] {
            let found = try #require(try await store.storage.get(TestOrder.self, id: order.id))
            #expect(found.lines.isEmpty && found.user == nil && found.userId == "1")
        }
        try await store.storage.save(TestUser("1", name: "Ada"))
        #expect(try await store.storage.loadParent(TestUser.self, id: "1")?.name == "Ada")
        try await store.run("UPDATE testusers SET name = 'Grace'")
        #expect(try await store.storage.loadParent(TestUser.self, id: "1")?.name == "Grace")
    }

    /// Of the rows that go with it SQLite does not tell.
    @Test func aTableThatATransactionMakesAnewIsReadAnew() async throws {
        let store = try await saved()
        for _ in 0..<2 { try await store.storage.save(TestUser("1", name: "old")) }
        #expect(try await store.place() == CachedStore.memory)
        try await store.storage.transaction { tx in
            let db = try tx.database
            let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'testusers'")
            try db.execute(sql: "DROP TABLE testusers; \(sql ?? "")")
            try tx.save(TestUser("2"))
        }
        #expect(try await store.storage.get(TestUser.self, id: "1") == nil)
    }

    @Test func aRebuildAfterATransactionThatRolledItselfBackEmptiesTheCaches() async throws {
        let store = try CachedStore()
        try await store.run("CREATE TRIGGER kept BEFORE DELETE ON testusers BEGIN SELECT RAISE(ROLLBACK, 'kept'); END")
        for _ in 1...2 { try await store.storage.save(TestUser("1", name: "old")) }
        await #expect(throws: StorageError.self) { try await store.storage.deleteAll(TestUser.self) }
        try await store.run(
            """
            CREATE TABLE fresh AS SELECT * FROM testusers;
            UPDATE fresh SET name = 'new';
            DROP TABLE testusers;
            ALTER TABLE fresh RENAME TO testusers
            """)
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "new")
    }

    @Test func aCommitOfAnotherBetweenOneToAnAttachedFileAndOursIsSeen() async throws {
        let store = try await saved()
        try await store.store.attachFile()
        for _ in 0..<2 { #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "old") }
        try await store.runOutside("UPDATE testusers SET name = 'new'")
        try await store.storage.save(TestUser("2"))
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "new")
    }

    @Test func aColumnThatTakesItsDefaultInsteadOfNullIsReadBackAsThat() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.migration("users") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE testusers (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, age INTEGER NOT NULL,
                        email TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'none', isActive BOOLEAN NOT NULL,
                        updatedAt DATETIME NOT NULL)
                        """)
            }
        })
        let probe = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        _ = try await probe.next()
        for name in ["a", "b"] {
            try await store.storage.save(TestUser("1", name: name, email: nil))
            #expect(try await store.storage.get(TestUser.self, id: "1")?.email == "none")
        }
        #expect(try await probe.first { $0?.name == "b" }?.email == "none")
    }

    @Test func theAppsOwnTriggerOnMoreRowsThanAreKnownIsSeen() async throws {
        let store = try await saved()
        try await store.storage.save((0..<1001).map { TestUser("other \($0)") })
        try await store.run(
            "CREATE TRIGGER late AFTER UPDATE ON testusers WHEN NEW.name = 'b' BEGIN UPDATE testusers SET name = 'late'; END"
        )
        try await store.storage.save(TestUser("1", name: "b"))
        #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "late")
    }

    @Test func whatWasChangedTwiceInACommitIsKeptOnceItIsSavedAnew() async throws {
        let store = try await saved()
        try await store.run("UPDATE testusers SET name = 'b'; UPDATE testusers SET name = 'c'")
        try await store.storage.save(TestUser("1", name: "d"))
        #expect(try await store.place() == CachedStore.memory)
    }
}
