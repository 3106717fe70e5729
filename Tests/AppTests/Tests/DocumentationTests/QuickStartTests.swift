import StorageKit
import Testing

// The documents' quick starts, with their entities. Each stands in an enum of its own, because they reuse names.

@Suite struct QuickStartTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var url: URL { folder.appendingPathComponent("quick.sqlite") }

    @Test func aTaskIsCreatedReadUpdatedAndDeleted() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { schema in
            schema.addKVCache()
            schema.autoSchema(Tasks.TaskRecord.self)
        }
        try await Tasks.run(context.facade)
    }

    @Test func aUserIsSavedReadAndObserved() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { schema in
            schema.addKVCache()
            schema.autoSchema(Users.UserRecord.self)
        }
        try await Users.run(context.facade)
    }

    @Test func favouriteContactsAreFoundAndSorted() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { schema in
            schema.addKVCache()
            schema.autoSchema(Contacts.ContactRecord.self)
        }
        try await Contacts.run(context.facade)
    }

    @Test func aHandWrittenRecordAndTheOlderSpellingsWork() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Profiles.run(at: url)
    }
}

enum Tasks {
    @StorageEntity
    struct Task {
        var id: String
        var title: String
        var isCompleted: Bool
    }

    static func run(_ storage: Storage) async throws {
        let task = Task(id: UUID().uuidString, title: "Buy milk", isCompleted: false)
        try await storage.save(task)

        let fetched = try await storage.get(Task.self, id: task.id)
        #expect(fetched == task)

        var updated = task
        updated.isCompleted = true
        try await storage.save(updated)
        #expect(try await storage.all(Task.self) == [updated])

        try await storage.delete(Task.self, id: task.id)
        let allTasks = try await storage.all(Task.self)
        #expect(allTasks.isEmpty)
    }
}

enum Users {
    @StorageEntity
    struct User {
        var id: String
        var name: String
        var email: String
    }

    static func run(_ storage: Storage) async throws {
        let user = User(id: UUID().uuidString, name: "Alice", email: "alice@example.com")
        try await storage.save(user)
        if let retrieved = try await storage.get(User.self, id: user.id) {
            #expect(retrieved.name == "Alice")
        } else {
            Issue.record("the saved user was not found")
        }
        for await users in storage.observeAll(User.self, orderBy: "name") {
            #expect(users == [user])
            break
        }
    }
}

enum Contacts {
    @StorageEntity
    struct Contact {
        var id: String
        var name: String
        var email: String
        var phone: String
        var isFavorite: Bool
    }

    static func run(_ storage: Storage) async throws {
        let contacts = ["Chen", "Ada", "Bo"].map { name in
            Contact(id: name, name: name, email: "\(name)@example.com", phone: "", isFavorite: name != "Bo")
        }
        try await storage.save(contacts)

        let favorites = try await storage.query(Contact.self)
            .where { $0.isFavorite == true }
            .orderBy("name", .ascending)
            .fetch()
        #expect(favorites.map(\.name) == ["Ada", "Chen"])

        let searchText = "Bo@"
        let matches = try await storage.query(Contact.self)
            .where { $0.name.contains(searchText) || $0.email.contains(searchText) }
            .fetch()
        #expect(matches.map(\.name) == ["Bo"])
    }
}

enum Profiles {
    struct UserProfileModel: StorageKitEntity {
        var id: String
        var name: String
        var email: String
    }

    struct UserProfileRecord: StorageKitEntityRecord, Codable {
        typealias E = UserProfileModel
        static let databaseTableName = "user_profiles"

        var id: String
        var name: String
        var email: String
        var updatedAt: Date

        func asEntity() -> UserProfileModel {
            UserProfileModel(id: id, name: name, email: email)
        }

        static func from(_ e: UserProfileModel, now: Date) -> UserProfileRecord {
            UserProfileRecord(id: e.id, name: e.name, email: e.email, updatedAt: now)
        }

        static var schemaColumns: [ColumnSchema] {
            [
                ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
                ColumnSchema(name: "name", type: "TEXT", notNull: true),
                ColumnSchema(name: "email", type: "TEXT", notNull: true),
                ColumnSchema(name: "updatedAt", type: "DATETIME", notNull: true),
            ]
        }
    }

    typealias UserRepository = GenericRepository<UserProfileModel, UserProfileRecord>

    static func run(at url: URL) async throws {
        var schema = AppMigrations()
        schema.addKVCache()
        schema.add(id: "2025-08-28_create_user_profiles", ifTableMissing: "user_profiles") { db in
            try db.create(table: "user_profiles") { t in
                t.column("id", .text).primaryKey()
                t.column("name", .text).notNull()
                t.column("email", .text).notNull()
                t.column("updatedAt", .datetime).notNull()
            }
            try db.create(index: "idx_user_profiles_email", on: "user_profiles", columns: ["email"])
        }
        let ctx = try StorageKit.start(
            at: url,
            options: .init(
                namespace: "myapp",
                defaultTTL: 300,
                diskQuotaBytes: 30 * 1024 * 1024,
                pool: .init(
                    preset: .default,
                    pragmasPlacement: .append,
                    configure: { cfg in cfg.maximumReaderCount = 4 }
                )
            )
        ) { $0 = schema }

        let userRepo: UserRepository = ctx.makeRepository(UserProfileModel.self, record: UserProfileRecord.self)
        let profile = UserProfileModel(id: "u1", name: "Ada", email: "ada@example.com")
        try await userRepo.put(profile)
        #expect(try await userRepo.get(id: "u1") == profile)
        for await value in userRepo.observe(id: "u1") {
            #expect(value?.name == "Ada")
            break
        }
    }
}
