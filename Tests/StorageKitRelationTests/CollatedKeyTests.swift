import StorageKit
import StorageTestSupport
import Testing

/// Relations to a table whose ids have another collation than the keys that refer to them: what refers to a row is what SQLite's
/// foreign key says, which compares as the parent does.
@Suite struct CollatedKeyTests {
    @StorageEntity(table: "doors")
    struct Door: Equatable {
        var id: String
        @StorageHasMany(foreignKey: "doorId") var visits: [Visit]
    }

    @StorageEntity
    struct Visit: Equatable {
        var id: Int
        @StorageReference(Door.self, onDelete: .cascade) var doorId: String
    }

    private let store: TemporaryStore
    private var doors: Query<Door> { store.storage.query(Door.self) }

    init() async throws {
        store = try TemporaryStore { schema in
            schema.migration("doors") { db in
                let columns = "id TEXT PRIMARY KEY COLLATE NOCASE NOT NULL, updatedAt DATETIME NOT NULL"
                try db.execute(sql: "CREATE TABLE doors (\(columns))")
            }
            schema.autoSchema(DoorRecord.self, VisitRecord.self)
        }
        try await store.storage.save(Door(id: "K", visits: []))
        try await store.storage.save([Visit(id: 1, doorId: "K"), Visit(id: 2, doorId: "k")])
    }

    @Test func rowsInAnotherCaseAreCounted() async throws {
        #expect(try await doors.select { $0.visits.count() }.fetch() == [2])
    }

    @Test func aRowThatIsReferredToInAnotherCaseIsNotDeletedAsAnEmptyOne() async throws {
        try await store.storage.delete(Visit.self, id: 1)
        #expect(try await doors.where { $0.visits.exists() }.count() == 1)
        try await doors.where { $0.visits.isEmpty }.deleteAll()
        #expect(try await store.storage.count(Visit.self) == 1)
    }

    @Test(arguments: [nil, 5]) func rowsInAnotherCaseAreLoaded(limit: Int?) async throws {
        let query = doors.including(\.visits) { visits in
            limit.map { visits.orderBy(\.id).limit($0) } ?? visits.orderBy(\.id)
        }
        #expect(try await query.fetch().map { $0.visits.map(\.id) } == [[1, 2]])
    }

    @StorageEntity(table: "collatedkeyrings")
    struct Ring: Equatable {
        var id: Int
        @StorageHasMany(through: RingDoor.self) var doors: [Door]
    }

    @StorageEntity(table: "collatedringdoors")
    struct RingDoor: Equatable {
        var id: Int
        @StorageReference(Ring.self) var ringId: Int
        @StorageReference(Door.self) var doorId: String
    }

    @Test func aRowThatALinkNamesInTwoCasesIsLoadedOnce() async throws {
        try await StorageKit.start(at: store.url) { $0.autoSchema(RingRecord.self, RingDoorRecord.self) }.close()
        let rings = store.storage.query(Ring.self)
        try await store.storage.save(Ring(id: 1, doors: []))
        try await store.storage.save([
            RingDoor(id: 1, ringId: 1, doorId: "K"), RingDoor(id: 2, ringId: 1, doorId: "k"),
        ])
        #expect(try await rings.select { $0.doors.count() }.fetch() == [1])
        #expect(try await rings.including(\.doors).fetch().map { $0.doors.map(\.id) } == [["K"]])
        #expect(try await rings.select { $0.doors }.fetch().map { $0.map(\.id) } == [["K"]])
    }

    /// A door with the rings that a link puts it on.
    @StorageEntity(table: "doors")
    struct RingedDoor: Equatable {
        var id: String
        @StorageHasMany(through: RingDoor.self) var rings: [Ring]
    }

    @Test func rowsOfALinkThatNamesTheOwnerInAnotherCaseAreLoaded() async throws {
        try await StorageKit.start(at: store.url) { $0.autoSchema(RingRecord.self, RingDoorRecord.self) }.close()
        try await store.storage.save([Ring(id: 1, doors: []), Ring(id: 2, doors: [])])
        try await store.storage.save([
            RingDoor(id: 1, ringId: 1, doorId: "K"), RingDoor(id: 2, ringId: 2, doorId: "k"),
        ])
        let doors = store.storage.query(RingedDoor.self)
        #expect(try await doors.select { $0.rings.count() }.fetch() == [2])
        #expect(try await doors.including(\.rings).fetch().map { $0.rings.map(\.id) } == [[1, 2]])
    }

    @Test func aLiveCountFollowsRowsInAnotherCase() async throws {
        let counts = StreamProbe(doors.select { $0.visits.count() }.observe())
        #expect(try await counts.next() == [2])
        try await store.storage.save(Visit(id: 3, doorId: "k"))
        #expect(try await counts.next() == [3])
    }

    @StorageEntity(table: "collatedfans")
    struct Fan: Equatable {
        var id: Int
        var nick: String?
        var age: Int
    }

    @Test func groupsAfterALimitAreThoseOfAllSpellings() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("fans") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE collatedfans (id INTEGER PRIMARY KEY NOT NULL, nick TEXT COLLATE NOCASE, age INTEGER NOT NULL,
                            updatedAt DATETIME NOT NULL)
                        """)
            }
        }
        let nicks = ["Kyiv", "kyiv", "KYIV", "Lviv", "lviv", nil, nil]
        let ages = [1, 9, 5, 3, 8, 2, 2]
        try await store.storage.save(nicks.indices.map { Fan(id: $0, nick: nicks[$0], age: ages[$0]) })
        let groups = store.storage.query(Fan.self).group(by: \.nick).orderBy({ $0.max(\.age) }, .descending).limit(2)
            .having { $0.count() > 1 }
        let (upwards, downwards, named) = try await (
            groups.select { ($0.max(\.age), $0.min(\.age)) }.fetch(),
            groups.select { ($0.min(\.age), $0.max(\.age)) }.fetch(),
            groups.select { ($0.nick, $0.max(\.age), $0.min(\.age)) }.fetch()
        )
        #expect(upwards.map(\.0) == [9, 8])
        #expect(downwards.map(\.0) == [1, 3])
        #expect(named.map(\.1) == [9, 8])
    }
}
