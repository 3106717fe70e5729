import StorageKit
import Testing

/// The code of the article for those who come from GRDB, compiled and run.
enum Arena {
    @StorageEntity(table: "player")
    struct Player {
        var id: Int64
        var name: String
        var score: Int
    }

    @StorageEntity(table: "team")
    struct Team {
        var id: UUID
        var founded: Date
    }

    @StorageEntity
    struct Match {
        var id: Int
        var goals: [Date]
    }

    @StorageEntity
    struct Club {
        var id: Int64
        var name: String
        @StorageHasMany(foreignKey: "clubId") var members: [Member]
    }

    @StorageEntity
    struct Member {
        var id: Int64
        var name: String
        var score = 0
        @StorageReference(Club.self, onDelete: .setNull) var clubId: Int64?
        @StorageBelongsTo(foreignKey: "clubId") var club: Club?
    }

    @StorageEntity
    struct Referee {
        var id: Int
        var lastName: String

        enum CodingKeys: String, CodingKey {
            case id
            case lastName = "last_name"
        }
    }

    /// What the app had before.
    enum Before {
        struct Player: Codable, FetchableRecord, PersistableRecord {
            var id: Int64
            var name: String
            var score: Int
        }

        struct Team: Codable, PersistableRecord {
            var id: UUID
            var founded: Date
        }

        /// As GRDB's `DatabaseMigrator` leaves it after a migration "v1".
        static func makeFile(at url: URL, team: Team) throws {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let pool = try DatabasePool(path: url.path)
            try pool.write { db in
                try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('v1')")
                try db.create(table: "player") { t in
                    t.primaryKey("id", .integer)
                    t.column("name", .text).notNull()
                    t.column("score", .integer).notNull()
                }
                try db.create(table: "team") { t in
                    t.primaryKey("id", .blob)
                    t.column("founded", .datetime).notNull()
                }
                try Player(id: 7, name: "Grace", score: 11).insert(db)
                try team.insert(db)
            }
            try pool.close()
        }
    }
}

@Suite struct ComingFromGRDBArticleTests {
    typealias Player = Arena.Player
    typealias PlayerRecord = Arena.PlayerRecord

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var url: URL { folder.appendingPathComponent("arena.sqlite") }

    private func start() throws -> StorageKit.Context {
        let context = try StorageKit.start(at: url) { schema in
            schema.migration("v1") { db in
                try db.create(table: "player") { t in
                    t.primaryKey("id", .integer)
                    t.column("name", .text).notNull()
                    t.column("score", .integer).notNull()
                }
            }
            schema.autoSchema(PlayerRecord.self)
        }
        return context
    }

    @Test func aNewFileIsUsedAsShown() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try start()
        let storage = context.facade
        try await storage.save(Player(id: 1, name: "Ada", score: 12))
        let best = try await storage.query(Player.self).where { $0.score > 10 }.orderBy(\.score, .descending).fetch()
        #expect(best == [Player(id: 1, name: "Ada", score: 12)])

        let count = try await context.storage.dbActor.read { db in
            try PlayerRecord.fetchCount(db)
        }
        #expect(count == 1)
    }

    @Test func relationsAreAskedForAsShown() async throws {
        typealias Club = Arena.Club
        typealias Member = Arena.Member
        let context = try StorageKit.startInMemory { $0.autoSchema(Arena.ClubRecord.self, Arena.MemberRecord.self) }
        let storage = context.facade
        try await storage.save([Club(id: 1, name: "Red"), Club(id: 2, name: "Blue")])
        try await storage.save([
            Member(id: 1, name: "Ada", score: 3, clubId: 1), Member(id: 2, name: "Bo", score: 5, clubId: 1),
            Member(id: 3, name: "Cy", clubId: nil),
        ])
        let members = try await storage.query(Member.self).where { $0.club.name == "Red" }.including(\.club).fetch()
        let rows = try await storage.query(Club.self)
            .select { ($0.name, $0.members.count(), $0.members.max(\.score)) }.fetch()
        #expect(members.map { $0.club?.name } == ["Red", "Red"])
        #expect(rows.map(\.1) == [2, 0] && rows.map(\.2) == [5, nil])
    }

    @Test func aFileOfGRDBIsTakenOver() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let team = Arena.Before.Team(id: UUID(), founded: Date(timeIntervalSince1970: 1_000))
        try Arena.Before.makeFile(at: url, team: team)

        let storage = try start().facade
        #expect(try await storage.all(Player.self) == [Player(id: 7, name: "Grace", score: 11)])
        try await storage.save(Player(id: 7, name: "Grace", score: 13))
        #expect(try await storage.get(Player.self, id: 7 as Int64)?.score == 13)
    }

    @Test func idsOfGRDBBecomeText() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let team = Arena.Before.Team(id: UUID(), founded: Date(timeIntervalSince1970: 1_000))
        try Arena.Before.makeFile(at: url, team: team)

        let before = try StorageKit.start(at: url) { $0.autoSchema(Arena.TeamRecord.self) }
        #expect(try await before.facade.all(Arena.Team.self).map(\.id) == [team.id])
        #expect(try await before.facade.get(Arena.Team.self, id: team.id) == nil)

        let context = try StorageKit.start(at: url) { schema in
            schema.migration("v2 ids as text") { db in
                try db.execute(
                    sql: """
                        UPDATE team SET id = substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
                            || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21) WHERE typeof(id) = 'blob'
                        """)
            }
            schema.autoSchema(Arena.TeamRecord.self)
        }
        #expect(try await context.facade.get(Arena.Team.self, id: team.id)?.founded == team.founded)
    }

    @Test func datesInJSONOfGRDBAreRead() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let options = StartOptions(
            configureEncoder: { $0.dateEncodingStrategy = .millisecondsSince1970 },
            configureDecoder: { $0.dateDecodingStrategy = .millisecondsSince1970 })
        let context = try StorageKit.start(at: url, options: options) { $0.autoSchema(Arena.MatchRecord.self) }
        try await context.storage.dbActor.write { db in
            try db.execute(sql: "INSERT INTO matchs VALUES (1, '[1000]', '2026-01-01')")
        }
        let match = try await context.facade.get(Arena.Match.self, id: 1)
        #expect(match?.goals == [Date(timeIntervalSince1970: 1)])
        try await context.facade.save(Arena.Match(id: 1, goals: [Date(timeIntervalSince1970: 2)]))
        let json = try await context.storage.dbActor.read { db in
            try String.fetchOne(db, sql: "SELECT goals FROM matchs")
        }
        #expect(json == "[2000]")
    }

    /// What the options change is in PlanOptionsTests.
    @Test func theCallThatPlansWithOptionsRuns() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let options = StartOptions(
            configureEncoder: { $0.dateEncodingStrategy = .millisecondsSince1970 },
            configureDecoder: { $0.dateDecodingStrategy = .millisecondsSince1970 })
        let context = try StorageKit.start(at: url, options: options) { schema in
            schema.migration("v1") { try $0.execute(sql: "CREATE TABLE matchs (id INTEGER NOT NULL PRIMARY KEY)") }
        }
        let pool = context.storage.pool
        var schema = AppMigrations()
        schema.autoSchema(Arena.MatchRecord.self)
        let plan = try schema.plan(on: pool, options: options)
        #expect(plan.operations.map(\.description).contains { $0.hasPrefix("Add column 'goals' to 'matchs'") })
    }

    @Test func aColumnHasTheNameOfItsProperty() {
        #expect(Arena.RefereeRecord.schemaColumns.map(\.name) == ["id", "lastName", "updatedAt"])
    }

    // Without an end.
    private func observe(_ storage: Storage, show: ([Player]) -> Void) async {
        for await players in storage.observeAll(Player.self, orderBy: "name") { show(players) }
    }
}
