import StorageKit
import Testing

/// The code of the article on migrations, compiled and run.
enum Press {
    enum Old {
        @StorageEntity(table: "users")
        struct User {
            var id: String
            var name: String
            var email: String
        }
    }

    @StorageEntity(table: "users")
    struct User {
        var id: String
        var fullName: String
        var email: String
        var phone: String
    }

    @StorageEntity
    struct Post {
        var id: String
        var title: String
    }
}

@Suite struct MigrationArticleTests {
    typealias UserRecord = Press.UserRecord
    typealias PostRecord = Press.PostRecord

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test func theOverviewStarts() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("app.sqlite")
            let context = try StorageKit.start(at: url) { schema in
                schema.autoSchema(UserRecord.self, PostRecord.self)
                schema.migration("2026-01-15_lowercase_email") { db in
                    try db.execute(sql: "UPDATE users SET email = lower(email)")
                }
            }
            #expect(try await context.facade.count(Press.User.self) == 0)
        }
    }

    @Test(arguments: [true, false])
    func aRenamedColumnKeepsItsValues(isInstalled: Bool) async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("app.sqlite")
            if isInstalled {
                let old = try StorageKit.start(at: url) { $0.autoSchema(Press.Old.UserRecord.self) }
                try await old.facade.save(Press.Old.User(id: "1", name: "Ada", email: "a@b.c"))
            }
            let context = try StorageKit.start(at: url) { schema in
                schema.migration("2026-03-01_full_name") { db in
                    guard try db.tableExists("users") else { return }
                    try db.execute(sql: "ALTER TABLE users RENAME COLUMN name TO fullName")
                }
                schema.autoSchema(UserRecord.self)
            }
            #expect(try await context.facade.get(Press.User.self, id: "1")?.fullName == (isInstalled ? "Ada" : nil))
        }
    }

    @Test func anIndexOfSomeRowsIsMadeAndAColumnDropped() async throws {
        try await withFolder { folder in
            let context = try StorageKit.start(at: folder.appendingPathComponent("app.sqlite")) { schema in
                schema.migration("before") { db in
                    try db.execute(sql: "CREATE TABLE users (id TEXT PRIMARY KEY, fax TEXT)")
                }
                schema.autoSchema(UserRecord.self)
                schema.drop(column: "fax", of: UserRecord.self)
                schema.index(UserRecord.self, on: \.email) { $0.phone != "" }
            }
            let (columns, indexes) = try await context.storage.dbActor.read { db in
                (try db.columns(in: "users").map(\.name), try db.indexes(on: "users").map(\.name))
            }
            #expect(!columns.contains("fax"))
            #expect(indexes.contains { $0.hasPrefix("idx_users_email") })
        }
    }

    @Test func aPlanReadsAsShown() async throws {
        try await withFolder { folder in
            let context = try StorageKit.start(at: folder.appendingPathComponent("app.sqlite")) { schema in
                schema.migration("before") { db in
                    try db.execute(
                        sql: """
                            CREATE TABLE users (
                                id TEXT PRIMARY KEY, fullName TEXT NOT NULL, email TEXT NOT NULL,
                                updatedAt DATETIME NOT NULL)
                            """)
                }
            }
            let pool = context.storage.pool
            var schema = AppMigrations()
            schema.autoSchema(UserRecord.self)
            let plan = try schema.plan(on: pool)
            print(plan)
            #expect("\(plan.operations[0])" == #"Add column 'phone' to 'users': "phone" TEXT NOT NULL DEFAULT ''"#)
            #expect(plan.operations.count == 1)
            #expect(plan.unknownMigrations == ["before"])
        }
    }

    @Test func aSchemaOfEverythingStarts() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("app.sqlite")
            let context = try StorageKit.start(at: url) { schema in
                schema.setOptions(
                    Options(
                        eraseDatabaseOnSchemaChange: false,
                        logger: { print($0) }
                    ))
                schema.addKVCache(tableName: "app_cache")
                schema.autoSchema(
                    UserRecord.self,
                    PostRecord.self
                )
                schema.addFullTextSearch(table: "posts", columns: ["title"], tokenizer: "unicode61")
                schema.migration("2026-01-15_create_settings", skipIfTableExists: "settings") { db in
                    try db.create(table: "settings") { t in
                        t.column("key", .text).primaryKey()
                        t.column("value", .text).notNull()
                    }
                }
                schema.migration("2026-01-15_indexes") { db in
                    try db.create(index: "idx_users_email", on: "users", columns: ["email"], unique: true)
                }
                schema.add(id: "2025-09-15_add_isArchived_to_posts") { db in
                    try db.alter(table: "posts") { t in
                        t.add(column: "isArchived", .boolean).notNull().defaults(to: false)
                    }
                }
                schema.migration("2026-01-20_normalize_data") { db in
                    try db.execute(sql: "UPDATE users SET email = LOWER(TRIM(email))")
                }
            }
            try await context.facade.save(Press.Post(id: "1", title: "Grüße"))
            #expect(try await context.checkIntegrity().isIntact)
        }
    }

    @Test func upkeepWorksAsShown() async throws {
        try await withFolder { folder in
            let context = try StorageKit.start(at: folder.appendingPathComponent("app.sqlite")) { schema in
                schema.setOptions(
                    Options(
                        eraseDatabaseOnSchemaChange: true,
                        logger: { print("[Migration] \($0)") }
                    ))
                schema.autoSchema(UserRecord.self)
            }
            try await context.backup(to: folder.appendingPathComponent("backup.sqlite"))
            try await context.vacuum()
            try await context.analyze()
            let report = try await context.checkIntegrity()
            if !report.isIntact { print(report) }
            #expect(report.isIntact)
        }
    }
}
