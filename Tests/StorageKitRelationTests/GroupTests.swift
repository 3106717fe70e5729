import StorageKit
import StorageTestSupport
import Testing

@StorageSelection
private struct Totals: Equatable, Sendable {
    let all: Int
    let live: Int
    let played: Int
    let longest: Int?
}

@Suite struct GroupTests {
    private let store: TemporaryStore
    private var tracks: Query<Track> { store.storage.query(Track.self) }

    init() async throws {
        store = try await tracksStore()
    }

    // MARK: - One row

    @Test func oneRowIsMadeOfAllThatMatch() async throws {
        let totals = tracks.where { $0.albumId < 3 }.aggregate {
            Totals.columns(
                all: $0.count(), live: $0.count { $0.isLive }, played: $0.count(\.plays), longest: $0.max(\.seconds))
        }
        #expect(
            try totals.selection.sql.sql == """
                SELECT COUNT(*), COUNT(*) FILTER (WHERE "isLive" = ?), COUNT("plays"), MAX("seconds") \
                FROM "tracks" WHERE "albumId" < ?
                """)
        #expect(try await totals.fetchOne() == Totals(all: 5, live: 1, played: 3, longest: 300))
    }

    @Test func groupsOfALimitedQueryAreNotSortedByWhatChoseItsRows() throws {
        let groups = tracks.orderBy(\.title).limit(3).group(by: \.albumId).select { ($0.albumId, $0.count()) }
        #expect(try groups.sql.sql.components(separatedBy: "GROUP BY").last?.contains("title") == false)
    }

    @Test func whatIsMadeOfNothingIsZeroOrNil() async throws {
        let row = try await tracks.where { $0.id > 99 }.aggregate {
            ($0.count(), $0.sum(\.seconds), $0.sum(\.plays), $0.min(\.seconds), $0.max(\.plays), $0.avg(\.seconds))
        }.fetchOne()
        let nothing = try #require(row)
        #expect(nothing.0 == 0 && nothing.1 == 0 && nothing.2 == 0)
        #expect(nothing.3 == nil && nothing.4 == nil && nothing.5 == nil)
    }

    @Test func aggregatesAreCalculatedWith() async throws {
        let share = tracks.aggregate { 100 * $0.count { $0.isLive } / $0.count() }
        #expect(try await share.fetchOne() == 33)
        let none = tracks.where { $0.id > 99 }.aggregate { 100 * $0.count { $0.isLive } / $0.count() }
        #expect(try await none.fetchOne() == .some(nil))
    }

    @Test func anOrderOfTheRowsIsNothingToOneRow() async throws {
        #expect(try await tracks.orderBy(\.title).aggregate { $0.count() }.fetchOne() == 6)
    }

    @Test func aSumBeyondItsTypeIsAQueryThatFailed() async throws {
        try await tracks.updateAll { [$0.seconds.set(to: .max)] }
        await expectRefusal("overflow") { try await tracks.aggregate { $0.sum(\.seconds) }.fetchOne() }
    }

    // MARK: - Groups

    @Test func rowsWithTheSameKeyAreOneGroup() async throws {
        let selection = tracks.group(by: \.albumId).having { $0.count() > 1 }.orderBy(\.albumId)
            .select { ($0.albumId, $0.count(), $0.max(\.plays)) }
        try await expectSelection(
            selection,
            sql: """
                SELECT "albumId", COUNT(*), MAX("plays") FROM "tracks" GROUP BY "albumId" HAVING COUNT(*) > ? \
                ORDER BY "albumId" ASC
                """, rows: [(1, 3, 7), (2, 2, 1)])
    }

    @Test func twoNilsAreOneKey() async throws {
        let selection = tracks.group(by: \.genre).orderBy(\.genre).select { ($0.genre, $0.count()) }
        try await expectSelection(
            selection, sql: #"SELECT "genre", COUNT(*) FROM "tracks" GROUP BY "genre" ORDER BY "genre" ASC"#,
            rows: [(nil, 2), (.folk, 2), (.jazz, 1), (.noise, 1)])
    }

    @Test func theKeyThatIsNilStandsWhereItIsAskedFor() async throws {
        let genres = tracks.group(by: \.genre).orderBy(\.genre, nulls: .last).select(\.genre)
        #expect(try await genres.fetch() == [.folk, .jazz, .noise, nil])
    }

    @Test func keysAreExpressionsToo() async throws {
        let selection = tracks.group { ($0.seconds / 100, $0.isLive) }
            .orderBy({ $0.seconds / 100 }).orderBy({ $0.isLive }, .descending)
            .select { ($0.seconds / 100, $0.isLive, $0.count()) }
        try await expectSelection(
            selection,
            sql: """
                SELECT storagekit_int("seconds" / ?), "isLive", COUNT(*) FROM "tracks" GROUP BY storagekit_int("seconds" / ?), "isLive" \
                ORDER BY storagekit_int("seconds" / ?) ASC, "isLive" DESC
                """, rows: [(0, true, 2), (1, false, 2), (2, false, 1), (3, false, 1)])
    }

    @Test func aggregatesAreComparedAndSortedBy() async throws {
        let selection = tracks.group(by: \.albumId).having { $0.sum(\.seconds) { !$0.isLive } > 100 }
            .orderBy({ $0.max(\.addedAt) }, .descending).limit(1).select(\.albumId)
        try await expectSelection(
            selection,
            sql: """
                SELECT "albumId" FROM "tracks" GROUP BY "albumId" \
                HAVING COALESCE(SUM("seconds") FILTER (WHERE "isLive" = ?), ?) > ? \
                ORDER BY MAX("addedAt") DESC LIMIT ?
                """, rows: [2])
    }

    @Test func aConditionBehindALimitAsksTheGroupsThatItLeaves() async throws {
        let sorted = tracks.group(by: \.genre).orderBy(\.genre)
        let left = sorted.limit(3).having { $0.count() == 1 }
        #expect(try await left.select(\.genre).fetch() == [.jazz])
        #expect(try await left.select(\.genre).count() == 1)
        let all = try await sorted.select { ($0.genre, $0.count()) }.fetch()
        for count in 1...2 {
            let behind = try await sorted.offset(1).having { $0.count() == count }.select(\.genre).fetch()
            #expect(behind == all.dropFirst().filter { $0.1 == count }.map(\.0))
        }
        #expect(try await sorted.offset(1).having { $0.count() == 2 }.limit(1).select(\.genre).fetch() == [.folk])
    }

    @Test func differentValuesAreCounted() async throws {
        let selection = tracks.group(by: \.albumId).orderBy(\.albumId).select {
            ($0.albumId, $0.count(distinct: \.title))
        }
        try await expectSelection(
            selection,
            sql: """
                SELECT "albumId", COUNT(DISTINCT "title") FROM "tracks" GROUP BY "albumId" ORDER BY "albumId" ASC
                """, rows: [(1, 2), (2, 2), (3, 1)])
    }

    @Test func oneTimeInTwoSpellingsIsOneKey() async throws {
        try await store.db.write { db in
            try db.execute(sql: "UPDATE tracks SET addedAt = substr(addedAt, 1, 19) WHERE id IN (2, 5)")
        }
        let days = try await tracks.group(by: \.addedAt).orderBy(\.addedAt).select { ($0.addedAt, $0.count()) }.fetch()
        #expect(days.map(\.0) == Set(Track.some.map(\.addedAt)).sorted())
        #expect(days.map(\.1) == [1, 2, 2, 1])
    }

    @Test func aKeyInTwoSpellingsSortsAsOne() async throws {
        let time = Track.some[0].addedAt
        try await tracks.updateAll { [$0.addedAt.set(to: time)] }
        try await store.db.write { db in
            try db.execute(sql: "UPDATE tracks SET addedAt = substr(addedAt, 1, 19) WHERE title = 'b'")
        }
        let titles = Set(Track.some.map(\.title)).sorted()
        let groups = tracks.group(by: \.addedAt, \.title).orderBy(\.addedAt).orderBy(\.title).select(\.title)
        #expect(try await groups.fetch() == titles)
        let different = tracks.orderBy(\.addedAt).orderBy(\.title).select { ($0.addedAt, $0.title) }.distinct()
        #expect(try await different.fetch().map(\.1) == titles)
    }

    @Test func aConditionThatMayBeNilIsFalseThen() async throws {
        func isLong(_ track: ColumnRef<Track>) -> Column<Bool?> { track.sql("\(track.plays) > 5", as: Bool?.self) }
        let row = try await tracks.aggregate {
            (
                $0.sum(\.seconds, where: isLong), $0.sum(of: { $0.seconds * 2 }, where: isLong),
                $0.avg(\.seconds, where: isLong), $0.min(\.plays, where: isLong), $0.max(\.seconds, where: isLong),
                $0.max(of: { $0.seconds + 1 }, where: isLong), $0.count(\.genre, where: isLong),
                $0.count(distinct: \.title, where: isLong)
            )
        }.fetchOne()
        let all = try #require(row)
        #expect(all.0 == 360 && all.1 == 720 && all.2 == 180 && all.3 == 7 && all.4 == 300 && all.5 == 301)
        #expect(all.6 == 2 && all.7 == 2)
    }

    @Test func aConditionOnAQueryInsideIsAKeyLikeAnyOther() async throws {
        let albums = store.storage.query(Album.self).where { $0.year == nil }.select(\.id)
        let groups = tracks.group { $0.albumId.in(albums) }.orderBy({ $0.albumId.in(albums) })
            .select { ($0.albumId.in(albums), $0.count()) }
        let found = try await groups.fetch()
        #expect(found.map(\.0) == [false, true] && found.map(\.1) == [4, 2])
    }

    @Test func whatIsNeverTrueIsAKeyAndAnOrder() async throws {
        let groups = tracks.group { ($0.id.in([]), $0.isLive) }.orderBy({ $0.id.in([]) }).orderBy(\.isLive)
            .select { ($0.id.in([]), $0.isLive, $0.count()) }
        let found = try await groups.fetch()
        #expect(found.map(\.0) == [false, false] && found.map(\.1) == [false, true] && found.map(\.2) == [4, 2])
        let both = tracks.orderBy { $0.id.in([]) && $0.isLive }
        #expect(try await both.orderBy(\.id).fetch().map(\.id) == [1, 2, 3, 4, 5, 6])
        #expect(try await tracks.orderBy { $0.id.in([]) }.orderBy(\.id).fetch().map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    // MARK: - What has no one value

    @Test func aColumnThatIsNeitherKeyNorInAnAggregateIsNamed() async throws {
        let groups = tracks.group(by: \.albumId)
        await expectRefusal("'title'") { try await groups.select { ($0.albumId, $0.title) }.fetch() }
        await expectRefusal("'title'") { try await groups.select { $0.title + "!" }.count() }
        await expectRefusal("'seconds'") { try await groups.having { $0.seconds > 1 }.select(\.albumId).fetch() }
        await expectRefusal("'seconds'") { try await groups.orderBy(\.seconds).select(\.albumId).fetch() }
        await expectRefusal("'title'") {
            try await tracks.orderBy(\.title).group(by: \.albumId).select(\.albumId).fetch()
        }
        await expectRefusal("'title'") { try await tracks.aggregate { ($0.count(), $0.title) }.fetchOne() }
        await expectRefusal("'seconds'") {
            try await tracks.group { $0.seconds / 100 }.select { $0.seconds / 10 }.fetch()
        }
    }

    @Test func aValueThatIsLookedForInAQueryIsOneOfTheGroup() async throws {
        let names = store.storage.query(Album.self).select(\.name)
        await expectRefusal("'title'") {
            try await tracks.group(by: \.albumId).having { $0.title.in(names) }.select(\.albumId).fetch()
        }
    }

    @Test func soItIsWhereAQueryInsideLooksForIt() async throws {
        let albums = store.storage.query(Album.self)
        await expectRefusal("'title'") {
            try await tracks.group(by: \.albumId).select { group in
                albums.where { _ in group.title.in(albums.select(\.name)) }.aggregate { $0.count() }.value
            }.fetch()
        }
    }

    @Test func aColumnBesideTheIdIsSettledByIt() async throws {
        let selection = tracks.group(by: \.id).orderBy(\.id).limit(2).select { ($0.title, $0.count()) }
        try await expectSelection(
            selection, sql: #"SELECT "title", COUNT(*) FROM "tracks" GROUP BY "id" ORDER BY "id" ASC LIMIT ?"#,
            rows: [("a", 1), ("b", 1)])
    }
}
