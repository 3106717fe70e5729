import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// No error says what a value is: neither in words, nor to a debugger, nor deep inside.
@Suite struct SecretSecurityTests {
    static let secret = "s3cr3tZq9"
    static let secretNumber = 918_273_645

    private let store: TemporaryStore
    private let reported = ErrorTexts()
    private var storage: Storage { store.storage }

    init() throws {
        let handler = reported.handler
        store = try TemporaryStore(options: { options in
            options.memoryCapacity = 0
            options.pool = .withoutSync
            options.onCacheError = handler
            options.onObservationError = handler
        }) { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self, EveryTypeRecord.self, SecretiveRecord.self)
            schema.addFullTextSearch(table: "testusers", columns: ["name"])
        }
    }

    // MARK: Writes

    static let rules = [
        "CREATE UNIQUE INDEX emails ON testusers (email)",
        "CREATE TRIGGER no BEFORE INSERT ON testusers BEGIN SELECT RAISE(ABORT, 'refused'); END",
        "CREATE UNIQUE INDEX ages ON testusers (age + 1)",
        """
        DROP TABLE testusers; CREATE TABLE testusers (id TEXT PRIMARY KEY, name TEXT CHECK (name = 'x'), age INTEGER,
        email TEXT, isActive BOOLEAN, updatedAt TEXT)
        """,
        """
        DROP TABLE testusers; CREATE TABLE testusers (id TEXT PRIMARY KEY, name INTEGER, age INTEGER, email ANY,
        isActive INTEGER, updatedAt TEXT) STRICT
        """,
        """
        DROP TABLE testusers; CREATE TABLE testusers (id TEXT PRIMARY KEY, name TEXT REFERENCES everytypes (id),
        age INTEGER, email TEXT, isActive BOOLEAN, updatedAt TEXT)
        """,
        "DROP TABLE testusers; CREATE TABLE testusers (id TEXT PRIMARY KEY, name, age, email, updatedAt)",
        "CREATE TRIGGER broken AFTER INSERT ON testusers BEGIN SELECT json_extract(new.name, '$.a'); END",
        "CREATE TRIGGER large AFTER INSERT ON testusers BEGIN SELECT abs(-9223372036854775808); END",
        "DROP TABLE testusers",
    ]

    @Test(arguments: rules) func aWriteThatARuleRefuses(_ rule: String) async throws {
        let user = TestUser("1", name: Self.secret, age: Self.secretNumber, email: Self.secret)
        let other = TestUser("2", name: "x", age: Self.secretNumber, email: Self.secret)
        try await store.db.write { try $0.execute(sql: rule) }
        await expectSilence {
            try await storage.save([user, other])
        }
        for entity in [user, other] { await expectSilence(mayPass: true) { try await storage.save(entity) } }
        let users = storage.query(TestUser.self)
        await expectSilence(mayPass: true) {
            _ = try await users.updateAll { [$0.email.set(to: Self.secret), $0.age.set(to: Self.secretNumber)] }
        }
        await expectSilence(mayPass: true) { _ = try await users.where { $0.name == Self.secret }.deleteAll() }
    }

    @Test func aDeleteThatAReferenceRefuses() async throws {
        try await storage.save(TestUser(Self.secret))
        try await store.db.write { db in
            try db.execute(
                sql:
                    "CREATE TABLE pets (owner TEXT REFERENCES testusers (id)); INSERT INTO pets SELECT id FROM testusers"
            )
        }
        await expectSilence { try await storage.delete(TestUser.self, id: Self.secret) }
        await expectSilence { _ = try await storage.query(TestUser.self).where { $0.id == Self.secret }.deleteAll() }
    }

    @Test(arguments: 0..<5) func aValueThatCannotBeStored(_ index: Int) async throws {
        var generator = SeededGenerator()
        var entity = EveryType.random(using: &generator)
        (entity.string, entity.json, entity.list) = (Self.secret, .string(Self.secret), [Self.secret])
        switch index {
        case 0: entity.double = .nan
        case 1: entity.json = [Self.secret: .double(.infinity)]
        case 2: entity.url = URL(string: Self.secret, relativeTo: URL(string: "https://example.com/")) ?? entity.url
        case 3: entity.date = Date(timeIntervalSince1970: 918_273_645_000_000)
        default: entity.figure = .circle(radius: .infinity)
        }
        await expectSilence { try await storage.save(entity) }
    }

    @Test func aTypeOfTheAppsThatRefusesToBeStoredOrRead() async throws {
        await expectSilence {
            try await storage.save(Secretive(id: "1", value: Blabbing(text: Self.secret, fails: true)))
        }
        try await storage.save(Secretive(id: "1", value: Blabbing(text: Self.secret, fails: false)))
        await expectSilence { _ = try await storage.all(Secretive.self) }
    }

    // MARK: Reads

    static let broken = EveryTypeRecord.schemaColumns.map(\.name).flatMap { column in
        ["'\(secret)'", "'[\"\(secret)\"'", "'{\"\(secret)\":\(secretNumber)}'", "\(secretNumber)", "x'733363723374'"]
            .map {
                (column, $0)
            }
    }

    @Test func aRowThatCannotBeRead() async throws {
        var generator = SeededGenerator()
        let entity = EveryType.random(using: &generator)
        for (column, value) in Self.broken {
            try await store.db.write { db in
                let list = EveryTypeRecord.schemaColumns.map { "\"\($0.name)\"" }.joined(separator: ", ")
                try db.execute(sql: "DROP TABLE everytypes; CREATE TABLE everytypes (\(list), UNIQUE (id))")
            }
            try await storage.save(entity)
            try await store.db.write { try $0.execute(sql: "UPDATE everytypes SET \"\(column)\" = \(value)") }
            await expectSilence(mayPass: true) { _ = try await storage.all(EveryType.self) }
            await expectSilence(mayPass: true) {
                _ = try await store.db.read {
                    try EveryTypeRecord(row: Row.fetchOne($0, sql: "SELECT * FROM everytypes")!)
                }
            }
        }
        #expect(reported.count > Self.broken.count / 2)
    }

    @Test func aQueryThatFails() async throws {
        let (secret, number) = (Self.secret, Self.secretNumber)
        try await store.db.write { try $0.execute(sql: "ALTER TABLE testusers RENAME TO gone") }
        let users = storage.query(TestUser.self)
        for query in [
            users.where { $0.name == secret && $0.age > number }, users.where { $0.name.contains(secret) },
            users.where { $0.name.hasPrefix(secret, ignoringCase: true) }, users.where { $0.age.in([number, 1]) },
            users.where { $0.name.in(Array(repeating: secret, count: 40_000)) },
            users.where { $0.email == secret }.limit(number),
            users.offset(number),
        ] {
            await expectSilence { _ = try await query.fetch() }
            await expectSilence { _ = try await query.count() }
            await expectSilence { _ = try await query.deleteAll() }
            await expectSilence { _ = try await query.sum(\.age) }
            await expectSilence { for try await _ in query.stream() {} }
        }
        await expectSilence { _ = try await storage.get(TestUser.self, id: secret) }
        await expectSilence { _ = try await storage.loadChildren(TestUser.self, where: "name", equals: secret) }
    }

    @Test(arguments: [
        "S AND", "\"S", "(S", "S:x", "S : x", "- S : x", "{S name} : x", "NEAR(a b, \"S\")", "a, S",
        "S.x", "S'", "S;",
        "*S", "S\0", "NOT S", "^ + S", "+S", "S{", "a NEAR/S b",
    ])
    func aSearchThatFTS5DoesNotUnderstand(_ pattern: String) async throws {
        try await storage.save(TestUser("1", name: Self.secret))
        for word in [Self.secret, "\(Self.secretNumber)"] {
            let search = pattern.replacing("S", with: word)
            let users = storage.query(TestUser.self).matching(search)
            await expectSilence { _ = try await storage.search(TestUser.self, query: search) }
            await expectSilence { _ = try await storage.searchWithSnippets(TestUser.self, query: search) }
            await expectSilence { _ = try await users.count() }
            await expectSilence { _ = try await users.page(limit: 1) }
            await expectSilence { _ = try await users.deleteAll() }
        }
    }

    @Test func aCursorOfAnotherOrder() async throws {
        try await storage.save([TestUser("1", name: Self.secret), TestUser("2", name: Self.secret)])
        let users = storage.query(TestUser.self)
        let cursor = try #require(try await users.orderBy("name").page(limit: 1).next)
        #expect(!"\(cursor) \(String(reflecting: cursor))".contains(Self.secret))
        await expectSilence { _ = try await users.orderBy("age").page(after: cursor, limit: 1) }
        await expectSilence {
            _ = try JSONDecoder().decode(
                PageCursor.self, from: Data(#"{"order":"x","values":["\#(Self.secret)"]}"#.utf8))
        }
    }

    // MARK: Caches and streams

    @Test(arguments: [
        #"{"level":"S"}"#, #"{"level":"low","number":918273645}"#, #"{"level":"low","number":1e999,"name":"S"}"#,
        #"{"S":1}"#, #"["S"]"#, "S", #""S"#, #"{"level":"low","dates":["S"]}"#,
        #"{"level":"low","by":{"S":"x"}}"#,
    ])
    func anEntryOfADiskCacheThatCannotBeRead(_ pattern: String) async throws {
        let json = pattern.replacing("S", with: Self.secret)
        let cache = DiskCache<Cached>(db: store.db, config: store.context.config, onError: reported.handler)
        try await store.db.write { db in
            try db.execute(
                sql: "INSERT INTO kv_cache VALUES ('key', ?, '2020-01-01 00:00:00.000', NULL, 1)",
                arguments: [Data(json.utf8)])
        }
        #expect(await cache.get("key") == nil)
        try reported.expectSilence(1)
    }

    @Test func aValueThatADiskCacheCannotKeep() async throws {
        let cache = DiskCache<Cached>(db: store.db, config: store.context.config, onError: reported.handler)
        await cache.set(Cached(level: .low, name: Self.secret, by: [Self.secret: .infinity]), for: "key", ttl: nil)
        let blabbing = DiskCache<Blabbing>(db: store.db, config: store.context.config, onError: reported.handler)
        await blabbing.set(Blabbing(text: Self.secret, fails: true), for: "key", ttl: nil)
        try await store.db.write { try $0.execute(sql: "DROP TABLE kv_cache") }
        await cache.set(Cached(level: .low, name: Self.secret), for: "key", ttl: nil)
        #expect(await cache.get("key") == nil)
        try reported.expectSilence(4)
    }

    @Test func anEntryOfAnEntityThatCannotBeRead() async throws {
        try await storage.save(TestUser("1", name: Self.secret))
        try await store.db.write { try $0.execute(sql: "UPDATE kv_cache SET blob = CAST('\(Self.secret)' AS BLOB)") }
        #expect(try await storage.get(TestUser.self, id: "1")?.name == Self.secret)
        await store.context.stores.settle()
        try await store.db.write { try $0.execute(sql: "UPDATE kv_cache SET expiresAt = '\(Self.secret)'") }
        #expect(try await storage.get(TestUser.self, id: "1")?.name == Self.secret)
        try await store.db.write { try $0.execute(sql: "DROP TABLE kv_cache") }
        try await storage.save(TestUser("2", name: Self.secret))
        await store.context.stores.settle()
        try reported.expectSilence(1)
    }

    @Test func aStreamThatMeetsARowItCannotRead() async throws {
        try await storage.save(TestUser("1"))
        let stream = StreamProbe(storage.observeAll(TestUser.self))
        _ = try await stream.next()
        try await store.db.write {
            try $0.execute(sql: "UPDATE testusers SET age = '\(Self.secret)', name = '\(Self.secret)'")
        }
        try await untilTrue { reported.count > 0 }
        try reported.expectSilence(1)
    }

    // MARK: Starts

    @Test func aColumnThatCannotBeAdded() async throws {
        let folder = try TemporaryFolder()
        do {
            let old = try TemporaryStore(folder: folder) { schema in
                schema.migration("old") { db in
                    try db.execute(sql: "CREATE TABLE secretives (id TEXT PRIMARY KEY, updatedAt DATETIME)")
                    try db.execute(
                        sql: "INSERT INTO secretives VALUES (?, ?)", arguments: [Self.secret, Self.secretNumber])
                }
            }
            try old.context.storage.pool.close()
        }
        await expectSilence { _ = try TemporaryStore(folder: folder) { $0.autoSchema(SecretiveRecord.self) } }
    }

    private func expectSilence(
        mayPass: Bool = false, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let error = await thrownError(body)
        if let error {
            reported.add(error)
        } else if !mayPass {
            Issue.record("nothing was thrown", sourceLocation: location)
        }
        for leak in reported.leaks { Issue.record("\(leak)", sourceLocation: location) }
    }
}

/// Everything that an error says by itself.
private final class ErrorTexts: Sendable {
    private struct Heard {
        var count = 0
        var leaks: [String] = []
    }

    private let heard = Mutex(Heard())

    var handler: ErrorHandler { { [self] in add($0) } }
    var count: Int { heard.withLock { $0.count } }
    /// What told a secret.
    var leaks: [String] { heard.withLock { $0.leaks } }

    func add(_ error: any Error) {
        var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription) \((error as NSError).userInfo) "
        text += (error as? DatabaseError)?.expandedDescription ?? ""
        dump(error, to: &text)
        let leaks = text.contains(SecretSecurityTests.secret) || text.contains("\(SecretSecurityTests.secretNumber)")
        heard.withLock { heard in
            heard.count += 1
            if leaks { heard.leaks.append(text) }
        }
        if let underlying = (error as? StorageError)?.underlyingError { add(underlying) }
    }

    /// That so many errors or more were reported, and none of them leaks.
    func expectSilence(_ least: Int) throws {
        #expect(count >= least)
        #expect(leaks == [])
    }
}

extension StorageError {
    fileprivate var underlyingError: (any Error)? {
        switch self {
        case .migrationFailed(_, let error), .transactionFailed(let error), .cacheReadFailed(_, let error),
            .cacheWriteFailed(_, let error), .cacheDecodingFailed(_, _, let error),
            .cacheEncodingFailed(_, _, let error),
            .entityEncodingFailed(_, let error), .entityDecodingFailed(_, let error), .queryFailed(_, let error):
            error
        case .databaseNotFound, .entityNotFound, .invalidTableName, .invalidConfiguration, .conflict,
            .constraintViolated:
            nil
        }
    }
}

private struct Cached: Codable, Sendable {
    var level: Level
    var number: Int8?
    var name: String?
    var url: URL?
    var dates: [Date]?
    var by: [String: Double]?
}

/// Says in its errors what its value is.
struct Blabbing: Codable, Sendable, Equatable {
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    var text: String
    var fails: Bool

    init(text: String, fails: Bool) {
        self.text = text
        self.fails = fails
    }

    init(from decoder: any Decoder) throws {
        throw Refusal(description: "'\(try decoder.singleValueContainer().decode(String.self))' is not good enough")
    }

    func encode(to encoder: any Encoder) throws {
        if fails { throw Refusal(description: "'\(text)' is not good enough") }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

@StorageEntity
struct Secretive {
    var id: String
    @StorageJSON var value: Blabbing
}
