import StorageKit
import StorageTestSupport
import Testing

@Suite struct SubqueryTests {
    private let store: TemporaryStore
    private var tracks: Query<Track> { store.storage.query(Track.self) }
    private var albums: Query<Album> { store.storage.query(Album.self) }

    init() async throws {
        store = try await tracksStore()
    }

    private func ids(_ query: Query<Track>) async throws -> [Int] { try await query.orderBy(\.id).fetch().map(\.id) }

    @Test func aColumnInsideASelectOfTheAppsOwnIsThatOfTheRowAround() async throws {
        let store = try await SomeReminders().store()
        let lists = store.storage.query(RemindersList.self).orderBy(\.id)
        @Sendable func count(_ list: ColumnRef<RemindersList>) -> Column<Int> {
            list.sql("(SELECT count(*) FROM reminders WHERE listId = \(list.id))", as: Int.self)
        }
        #expect(try await lists.select { count($0) }.fetch() == [3, 2, 0])
        #expect(try await lists.where { count($0) == 2 }.fetch().map(\.title) == ["Work"])
        #expect(
            try await store.storage.query(RemindersList.self).orderBy({ count($0) }).fetch().map(\.title) == [
                "Empty", "Work", "Home",
            ])
        #expect(try await lists.updateAll { [$0.position.set(to: count($0))] } == 3)
        #expect(try await lists.fetch().map(\.position) == [3, 2, 0])
        #expect(try await store.storage.query(RemindersList.self).where { count($0) == 0 }.deleteAll() == 1)
    }

    @Test func aValueIsInAQueryOfOneColumn() async throws {
        let query = tracks.where { $0.albumId.in(albums.where { $0.year == nil }.select(\.id)) }
        #expect(
            try query.sql.sql.hasSuffix(
                #"WHERE "tracks"."albumId" IN (SELECT "albums"."id" FROM "albums" WHERE "albums"."year" IS NULL)"#))
        #expect(try await ids(query) == [4, 5])
        #expect(try await ids(tracks.where { !$0.albumId.in(albums.select(\.id)) }) == [6])
    }

    @Test func nilIsOneOfTheValues() async throws {
        let years = albums.select(\.year)
        let plays = tracks.select(\.plays)
        #expect(try await ids(tracks.where { $0.plays.in(years) }) == [2, 4])
        #expect(try await ids(tracks.where { !$0.plays.in(years) }) == [1, 3, 5, 6])
        // What is not optional among what is, and the other way round.
        #expect(try await ids(tracks.where { $0.id.in(plays) }) == [1, 5])
        #expect(try await ids(tracks.where { !$0.id.in(plays) }) == [2, 3, 4, 6])
        #expect(try await ids(tracks.where { $0.plays.in(tracks.select(\.id)) }) == [1, 5])
        #expect(try await ids(tracks.where { !$0.plays.in(tracks.select(\.id)) }) == [2, 3, 4, 6])
    }

    @Test func groupsAreAListOfTheirKeys() async throws {
        let many = tracks.group(by: \.albumId).having { $0.count() > 2 }.select(\.albumId)
        #expect(try await albums.where { $0.id.in(many) }.fetch().map(\.name) == ["one"])
        #expect(try await albums.where { !$0.id.in(many) }.fetch().map(\.name) == ["two", "four"])
    }

    @Test func theFirstRowOfAListOfValuesIsComparedWith() async throws {
        let last = tracks.orderBy(\.id, .descending).select(\.id)
        #expect(try await ids(tracks.where { $0.id == last.value }) == [6])
        #expect(try await ids(tracks.where { $0.id == last.offset(1).value }) == [5])
        let years = albums.where { $0.year != nil }.orderBy(\.year).select(\.year)
        let first = try await years.fetch().first
        #expect(try await albums.where { $0.year == years.value }.fetch().map(\.year) == [first])
        let none = albums.where { $0.name == "none" }.select(\.year)
        #expect(try await albums.where { $0.year == none.value }.fetch().map(\.year) == [nil])
        let nothing = tracks.where { $0.id == 99 }.select(\.seconds)
        #expect(try await tracks.where { $0.seconds != nothing.value }.count() == 6)
        let two = albums.select { ($0.id, $0.year) }
        await #expect(throws: StorageError.self) { try await albums.select { _ in two.value.isNull }.fetch() }
    }

    @Test func aValueOfAllRowsIsComparedWith() async throws {
        let query = tracks.where { $0.seconds.as(Double.self) > tracks.aggregate { $0.avg(\.seconds) }.value }
        #expect(
            try query.sql.sql.hasSuffix(
                """
                WHERE CAST("tracks"."seconds" AS REAL) > (SELECT storagekit_mean("tracks2"."seconds") FROM "tracks" "tracks2")
                """))
        #expect(try await ids(query) == [2, 3, 5])
    }

    @Test func anInnerClosureUsesWhatAnOuterOneHolds() async throws {
        let longest = tracks.where { mine in
            mine.seconds
                == tracks.where { $0.albumId == mine.albumId }.aggregate { $0.max(\.seconds) }.value
        }
        #expect(try await ids(longest) == [3, 5, 6])
        let share = tracks.orderBy(\.id).select { mine in
            (mine.id, tracks.where { $0.title == mine.title && $0.id != mine.id }.aggregate { $0.count() }.value)
        }
        #expect(try await share.fetch().map(\.1) == [1, 1, 1, 0, 1, 0])
    }

    @Test func aGroupUsesItsKeysInAQueryInside() async throws {
        let albums = albums
        let names = tracks.group(by: \.albumId).orderBy(\.albumId).select { group in
            (group.albumId, albums.where { $0.id == group.albumId }.aggregate { $0.max(\.name) }.value)
        }
        let found = try await names.fetch()
        #expect(found.map(\.0) == [1, 2, 3] && found.map(\.1) == ["one", "two", nil])
        await expectRefusal("'title'") {
            try await tracks.group(by: \.albumId).select { group in
                albums.where { $0.name == group.title }.aggregate { $0.count() }.value
            }.fetch()
        }
    }

    @Test func aLimitedQueryIsAListOfWhatItLeaves() async throws {
        #expect(try await ids(tracks.where { $0.id.in(tracks.orderBy(\.seconds).limit(2).select(\.id)) }) == [4, 6])
    }

    @Test func aColumnOutsideItsClosureIsRefused() async throws {
        var strange: Column<Int>?
        _ = albums.where {
            strange = $0.id
            return $0.id > 0
        }
        let column = try #require(strange)
        await expectRefusal("outside the closure") { try await tracks.where { $0.albumId == column }.fetch() }
    }

    @Test func severalValuesAreNotOne() async throws {
        let several = tracks.aggregate { ($0.count(), $0.count()) }
        await expectRefusal("2 values") {
            try await tracks.select { _ in several.value.as(Int.self) }.fetch()
        }
    }
}

private struct Desk: Codable, Equatable {
    var room: String
}

@StorageEntity(table: "subquery_clerks") private struct Clerk {
    var id: Int
    var chiefId: Int?
    var name: String
    @StorageEmbedded var desk: Desk
}

/// Of an entity with an embedded value that is declared elsewhere, whose columns are found by their spelling too.
@Suite struct EmbeddedSubqueryTests {
    @Test func aValueIsInAQueryOfThoseThatMayBeNilAndTheOtherWayRound() async throws {
        let store = try TemporaryStore { $0.autoSchema(ClerkRecord.self) }
        try await store.storage.save([
            Clerk(id: 1, name: "Ada", desk: Desk(room: "Ada")),
            Clerk(id: 2, chiefId: 1, name: "Bob", desk: Desk(room: "B")),
        ])
        let clerks = store.storage.query(Clerk.self)
        #expect(try await clerks.where { $0.id.in(clerks.select(\.chiefId)) }.fetch().map(\.id) == [1])
        #expect(try await clerks.where { !$0.id.in(clerks.select { $0.chiefId }) }.fetch().map(\.id) == [2])
        #expect(try await clerks.where { $0.chiefId.in(clerks.select(\.id)) }.fetch().map(\.id) == [2])
        #expect(try await clerks.where { $0.chiefId.in(clerks.select(\.chiefId)) }.count() == 2)
        #expect(try await clerks.where { $0.deskRoom.in(clerks.select(\.name)) }.fetch().map(\.id) == [1])
        #expect(try await clerks.where { $0.name.in(clerks.select(\.desk.room)) }.fetch().map(\.id) == [1])
    }
}
