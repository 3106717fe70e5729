import Foundation
import StorageKit
import StorageTestSupport
import Testing

import class GRDB.DatabaseFunction

@StorageSelection
private struct TrackRow: Equatable, Sendable {
    let title: String
    let genre: Track.Genre?
    var plays: Int?
    let kind = "row"
}

@StorageSelection
private struct TrackAndRow: Equatable, Sendable {
    let row: TrackRow
    let track: Track
    let doubled: Int

    init(row: TrackRow, track: Track) {
        self.row = row
        self.track = track
        doubled = 0
    }
}

@StorageSelection
private struct ShapedRow: Equatable, Sendable {
    typealias Title = String
    let title: Self.Title
    let genre: Self.Genre?

    typealias Genre = Track.Genre
}

@Suite struct SelectionTests {
    private let store: TemporaryStore
    private var tracks: Query<Track> { store.storage.query(Track.self) }

    init() async throws {
        store = try await tracksStore()
    }

    @Test func aPropertyMaySayItsTypeByTheStructItself() async throws {
        let rows = tracks.orderBy(\.id).select { ShapedRow.columns(title: $0.title, genre: $0.genre) }
        let all = try await tracks.orderBy(\.id).fetch()
        #expect(try await rows.fetch() == all.map { ShapedRow(title: $0.title, genre: $0.genre) })
        let folk = rows.asQuery().where { $0.genre == .folk }
        #expect(try await folk.count() == all.count { $0.genre == .folk })
    }

    @Test func aConstantIsSelectedAsItself() async throws {
        let (id, day) = (UUID(), Date(timeIntervalSince1970: 86_400))
        let row = try await tracks.orderBy(\.id).select { ($0.id, 5, "it's", true, 0.5, day, id) }.fetchOne()
        let all = try #require(row)
        #expect(all.0 == 1 && all.1 == 5 && all.2 == "it's" && all.3 && all.4 == 0.5 && all.5 == day && all.6 == id)
    }

    @Test func aColumnIsAListOfItsValues() async throws {
        let titles: [String] = try await tracks.orderBy(\.id).select(\.title).fetch()
        #expect(titles == ["a", "b", "a", "c", "b", "d"])
        let selection = tracks.where { $0.isLive }.orderBy(\.id).select(\.genre)
        try await expectSelection(
            selection, sql: #"SELECT "genre" FROM "tracks" WHERE "isLive" = ? ORDER BY "id" ASC"#,
            rows: [.folk, .noise])
        let selection2 = tracks.orderBy(\.id).limit(2).select(\.plays)
        try await expectSelection(
            selection2, sql: #"SELECT "plays" FROM "tracks" ORDER BY "id" ASC LIMIT ?"#,
            rows: [5, nil])
    }

    @Test func anExpressionIsSelectedAsItsValue() async throws {
        let selection = tracks.where { $0.albumId == 1 }.orderBy(\.id).select { $0.plays + 1 }
        try await expectSelection(
            selection, sql: #"SELECT "plays" + ? FROM "tracks" WHERE "albumId" = ? ORDER BY "id" ASC"#,
            rows: [6, nil, 8])
        let selection2 = tracks.where { $0.albumId == 1 }.orderBy(\.id).select { $0.plays > 5 }
        try await expectSelection(
            selection2, sql: #"SELECT ("plays" > ?) IS TRUE FROM "tracks" WHERE "albumId" = ? ORDER BY "id" ASC"#,
            rows: [false, false, true])
    }

    @Test func aConditionThatMayBeNilIsSelectedAsFalse() async throws {
        let rows = tracks.orderBy(\.id).limit(3).select {
            (!(!($0.plays.isKnown)), $0.plays.isKnown.predicate, !($0.plays.isKnown))
        }
        let found = try await rows.fetch()
        #expect(found.map(\.0) == [true, false, true])
        #expect(found.map(\.1) == [true, false, true])
        #expect(found.map(\.2) == [false, true, false])
    }

    @Test func anIntegerThatBecameTooGreatOnTheWayIsAnError() async throws {
        let columns: [(ColumnRef<Track>) -> Column<Int>] = [
            { $0.seconds + Int.max }, { ($0.seconds + Int.max) - Int.max }, { ($0.seconds * Int.max) - 1000 },
        ]
        for column in columns {
            await #expect { try await tracks.select { column($0) }.fetch() } throws: { error in
                guard case .queryFailed(_, let underlying)? = error as? StorageError else { return false }
                return "\(underlying)".contains("beyond the range of Int64")
            }
        }
        await #expect(throws: StorageError.self) {
            try await tracks.group(by: \.albumId).select { ($0.albumId, $0.sum { $0.seconds + Int.max }) }.fetch()
        }
        let sums = tracks.group(by: \.albumId).orderBy(\.albumId).select { $0.sum { $0.seconds * 2 } }
        try await expectSelection(
            sums,
            sql: #"SELECT COALESCE(SUM("seconds" * ?), ?) FROM "tracks" GROUP BY "albumId" ORDER BY "albumId" ASC"#,
            rows: [1200, 400, 120])
    }

    @Test func severalExpressionsAreATuple() async throws {
        let selection = tracks.where { $0.albumId == 2 }.orderBy(\.id).select { ($0.title, $0.genre, $0.seconds * 2) }
        try await expectSelection(
            selection,
            sql:
                #"SELECT "title", "genre", "seconds" * ? FROM "tracks" WHERE "albumId" = ? ORDER BY "id" ASC"#,
            rows: [("c", .folk, 100), ("b", nil, 300)])
    }

    @Test func everyKindOfColumnIsSelected() async throws {
        let all = tracks.orderBy(\.id).select {
            (
                $0.id, $0.genre, $0.plays, $0.price, $0.addedAt, $0.isLive, $0.tags,
                $0.sql("\($0.title) || '!'", as: String.self)
            )
        }
        let row = try #require(try await all.fetchOne())
        let first = Track.some[0]
        #expect(row.0 == first.id && row.1 == first.genre && row.2 == first.plays && row.3 == first.price)
        #expect(row.4 == first.addedAt && row.5 == first.isLive && row.6 == first.tags && row.7 == "a!")
    }

    @Test func wholeEntitiesAreSelectedBesideColumns() async throws {
        let rows = try await tracks.orderBy(\.id).select { ($0.seconds, $0, $0.title) }.fetch()
        #expect(rows.map(\.0) == Track.some.map(\.seconds))
        #expect(rows.map(\.1) == Track.some)
        #expect(rows.map(\.2) == Track.some.map(\.title))
    }

    @Test func anEntityIsThereThoughTheFirstOfItsColumnsIsNil() async throws {
        let store = try TemporaryStore { $0.autoSchema(LockerRecord.self, LockerKeyRecord.self) }
        let locker = Locker(note: nil, id: 1)
        try await store.storage.save(locker)
        try await store.storage.save([LockerKey(id: 1, lockerId: 1), LockerKey(id: 2)])
        let lockers = store.storage.query(LockerKey.self).orderBy(\.id).select { $0.locker }
        #expect(try await lockers.fetch() == [locker, nil])
    }

    @Test func aStructIsMadeOfEachRow() async throws {
        let selection = tracks.where { $0.id <= 2 }.orderBy(\.id).select {
            TrackRow.columns(title: $0.title, genre: $0.genre, plays: $0.plays)
        }
        try await expectSelection(
            selection, sql: #"SELECT "title", "genre", "plays" FROM "tracks" WHERE "id" <= ? ORDER BY "id" ASC"#,
            rows: [TrackRow(title: "a", genre: .folk, plays: 5), TrackRow(title: "b", genre: nil, plays: nil)])
    }

    @Test func aColumnThatIsNeverNilIsSelectedWhereOneMayBe() async throws {
        let selection = tracks.orderBy(\.id).limit(1).select {
            TrackRow.columns(title: $0.title, genre: $0.genre, plays: $0.seconds.optional)
        }
        #expect(try await selection.fetch().map(\.plays) == [Track.some[0].seconds])
    }

    @Test func aStructThatMakesItselfHoldsEntitiesAndStructs() async throws {
        let found = try await tracks.orderBy(\.id).select {
            TrackAndRow.columns(
                row: TrackRow.columns(title: $0.title, genre: $0.genre, plays: $0.plays), track: $0,
                doubled: $0.seconds * 2)
        }.fetchOne()
        let row = try #require(found)
        #expect(row.track == Track.some[0] && row.doubled == 200)
        #expect(row.row == TrackRow(title: "a", genre: .folk, plays: 5))
    }

    // MARK: - Different rows

    @Test func equalRowsCountOnceAndNilIsAValue() async throws {
        let selection = tracks.orderBy(\.genre).select(\.genre).distinct()
        try await expectSelection(
            selection, sql: #"SELECT DISTINCT "genre" FROM "tracks" ORDER BY "genre" ASC"#,
            rows: [nil, .folk, .jazz, .noise])
        let selection2 = tracks.orderBy(\.title).select(\.title).distinct().limit(2).offset(1)
        try await expectSelection(
            selection2, sql: #"SELECT DISTINCT "title" FROM "tracks" ORDER BY "title" ASC LIMIT ? OFFSET ?"#,
            rows: ["b", "c"])
    }

    /// SQLite ignores DISTINCT where only the first row counts.
    @Test func anOffsetBehindDistinctPassesOverDifferentRows() async throws {
        let titles = tracks.where { $0.title == "a" }.select(\.title).distinct()
        #expect(try await titles.count() == 1)
        #expect(try await titles.exists())
        #expect(try await !titles.offset(1).exists())
        #expect(try await tracks.where { $0.title == titles.value }.count() == 2)
        #expect(try await tracks.where { $0.title == titles.offset(1).value }.count() == 0)
    }

    @Test func aLimitBeforeDistinctLeavesTheRowsThatAreAsked() async throws {
        let selection = tracks.orderBy(\.title).limit(3).select(\.title).distinct()
        try await expectSelection(
            selection,
            sql: """
                SELECT DISTINCT "title" FROM "tracks" WHERE "id" IN (SELECT "id" FROM "tracks" \
                ORDER BY "title" ASC LIMIT ?) ORDER BY "title" ASC
                """, rows: ["a", "b"])
    }

    @Test func anOrderBeforeALimitSaysWhichRowsAreLeftAndNeedNotBeSelected() async throws {
        let latest = tracks.orderBy(\.id, .descending).limit(3).select(\.genre).distinct()
        #expect(try await Set(latest.fetch()) == [.noise, nil, .folk])
        #expect(try await latest.count() == 3)
        let first = tracks.orderBy(\.genre).orderBy(\.id).limit(3).select(\.genre).distinct()
        #expect(try await first.fetch() == [nil, .folk])
        let groups = tracks.group(by: \.genre, \.title).orderBy(\.genre).orderBy { $0.count() }.limit(2)
        #expect(try await groups.select(\.genre).distinct().fetch() == [nil, .folk])
    }

    @Test func aLimitBeforeDistinctLeavesTheGroupsThatAreAsked() async throws {
        let selection = tracks.group(by: \.genre, \.title).orderBy(\.genre).orderBy(\.title).limit(3).select(\.genre)
        #expect(try await selection.fetch() == [nil, .folk, .folk])
        let different = tracks.group(by: \.genre, \.title).orderBy(\.genre).limit(2).select(\.genre).distinct()
        try await expectSelection(
            different,
            sql: """
                SELECT DISTINCT "genre" FROM "tracks" GROUP BY "genre", "title" HAVING \
                (MIN("genre" COLLATE BINARY) IS NULL, IFNULL(MIN("genre" COLLATE BINARY), 0), "title") IN \
                (SELECT MIN("genre" COLLATE BINARY) IS NULL, IFNULL(MIN("genre" COLLATE BINARY), 0), "title" FROM "tracks" \
                GROUP BY "genre", "title" ORDER BY "genre" ASC LIMIT ?) ORDER BY "genre" ASC
                """, rows: [nil, .folk])
        #expect(try await different.limit(1).fetch() == [nil])
    }

    @Test func differentSpellingsOfOneValueCountOnce() async throws {
        try await store.db.write { db in
            try db.execute(sql: "UPDATE tracks SET addedAt = substr(addedAt, 1, 19), price = '1.0' WHERE id IN (2, 5)")
        }
        let days = try await tracks.orderBy(\.addedAt).select(\.addedAt).distinct().fetch()
        #expect(days == Set(Track.some.map(\.addedAt)).sorted())
        let prices = try await tracks.orderBy(\.price).select(\.price).distinct().fetch()
        #expect(prices == [1, 3, 4, 10])
    }

    @Test func differentRowsAreSortedByWhatIsSelectedOnly() async throws {
        await expectRefusal("'id'") { try await tracks.orderBy(\.id).select(\.title).distinct().fetch() }
    }

    // MARK: - Windows, pages, streams

    @Test func stepsAfterALimitAskTheRowsThatAreLeft() async throws {
        let left = tracks.orderBy(\.id).limit(4)
        #expect(try await left.where { $0.title == "a" }.fetch().map(\.id) == [1, 3])
        #expect(try await left.where { $0.title == "b" }.fetch().map(\.id) == [2])
        #expect(try await left.where { $0.isLive }.count() == 1)
        #expect(try await tracks.orderBy(\.id).offset(4).where { $0.albumId > 0 }.limit(1).fetch().map(\.id) == [5])
        #expect(try await left.aggregate { $0.sum(\.seconds) }.fetchOne() == 650)
        #expect(try await left.group(by: \.title).orderBy(\.title).select { $0.count() }.fetch() == [2, 1, 1])
    }

    @Test func aConditionOnAColumnNamedByHandAsksTheRowsThatAreLeft() async throws {
        let left = tracks.orderBy(\.id).limit(4).where { Column<String>("title") == "b" }
        #expect(try await left.fetch().map(\.id) == [2])
    }

    @Test(arguments: [1, 2, 3, 5, 6, 7]) func pagesLeadThroughAllRowsOnce(limit: Int) async throws {
        let selection = tracks.orderBy(\.title, .descending).select { ($0.title, $0.seconds) }
        let rows = try await allPages { try await selection.page(after: $0, limit: limit) }.joined()
        #expect(rows.map(\.0) == ["d", "c", "b", "b", "a", "a"])
        #expect(rows.map(\.1) == [60, 50, 150, 200, 300, 100])
        var streamed: [String] = []
        for try await row in selection.stream() { streamed.append(row.0) }
        #expect(streamed == rows.map(\.0))
    }

    @Test(arguments: [1, 2, 4, 5]) func pagesOfGroupsAndOfDifferentRowsDoSo(limit: Int) async throws {
        let groups = tracks.group(by: \.title).orderBy({ $0.count() }, .descending).select { $0.sum(\.seconds) }
        let genres = tracks.select(\.genre).distinct()
        let sums = try await allPages { try await groups.page(after: $0, limit: limit) }
        #expect(Array(sums.joined()) == [350, 400, 60, 50])
        let found = try await allPages { try await genres.page(after: $0, limit: limit) }
        #expect(Array(found.joined()) == [nil, .folk, .jazz, .noise])
    }

    @Test(arguments: [1, 2, 3]) func pagesOfDatesInTwoSpellingsGiveEachOnce(limit: Int) async throws {
        try await store.db.write { db in
            try db.execute(sql: "UPDATE tracks SET addedAt = substr(addedAt, 1, 19) WHERE id IN (2, 5)")
        }
        let expected = Set(Track.some.map(\.addedAt)).sorted()
        for selection in [
            tracks.select(\.addedAt).distinct(), tracks.orderBy(\.addedAt).select(\.addedAt).distinct(),
            tracks.group(by: \.addedAt).select(\.addedAt),
            tracks.group(by: \.addedAt).orderBy(\.addedAt).select(\.addedAt),
        ] {
            let found = try await allPages { try await selection.page(after: $0, limit: limit) }
            #expect(Array(found.joined()) == expected)
        }
    }

    @Test func thePartsOfAPageAreReadInOneState() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file().path
        // While the tracks without plays are read, somebody plays one of them.
        let play = DatabaseFunction("play", argumentCount: 0) { _ in
            try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE tracks SET plays = 8 WHERE id = 4") }
            return true
        }
        let store = try TemporaryStore(
            folder: folder, options: { $0.pool.alsoPrepare { $0.add(function: play) } },
            schema: { $0.autoSchema(TrackRecord.self) })
        try await store.storage.save(Track.some)
        let tracks = store.storage.query(Track.self).orderBy(\.plays)
        let first = try await tracks.page(limit: 1)
        #expect(first.items.map(\.id) == [2])
        let rest = try await tracks.where { _ in Column<Bool>(sql: "play()") }.page(after: first.next, limit: 9)
        #expect(rest.items.map(\.id) == [4, 5, 1, 3, 6])
        #expect(try await tracks.fetch().map(\.id) == [2, 5, 1, 3, 4, 6])
    }

    @Test func theFirstOfNoRowsIsNil() async throws {
        #expect(try await tracks.select(\.id).limit(0).fetchOne() == nil)
        await expectRefusal("negative") { try await tracks.select(\.id).limit(-1).fetchOne() }
    }

    @Test func aCursorOfAnotherOrderIsRefused() async throws {
        let page = try await tracks.orderBy(\.title).select(\.title).page(limit: 1)
        await expectRefusal("cursor") {
            try await tracks.orderBy(\.seconds).select(\.title).page(after: page.next, limit: 1)
        }
        await expectRefusal("limit") { try await tracks.limit(1).select(\.title).page(limit: 1) }
        await expectRefusal("negative") { try await tracks.select(\.title).limit(-1).fetch() }
    }

    // MARK: - Transactions

    @Test func aTransactionSeesWhatItWrote() async throws {
        let titles = tracks.orderBy(\.title).select(\.title).distinct()
        try await store.storage.transaction { tx in
            try tracks.where { $0.title == "a" }.deleteAll(in: tx)
            #expect(try titles.fetch(in: tx) == ["b", "c", "d"])
            #expect(try titles.fetchOne(in: tx) == "b")
            #expect(try titles.count(in: tx) == 3)
            #expect(try titles.page(limit: 2, in: tx).items == ["b", "c"])
            #expect(try tracks.aggregate { $0.count() }.fetchOne(in: tx) == 4)
        }
    }

    // MARK: - What is broken

    @Test func aBrokenColumnIsNamed() async throws {
        try await store.db.write { db in try db.execute(sql: "UPDATE tracks SET genre = 'polka' WHERE id = 2") }
        let error = await #expect(throws: StorageError.self) { try await tracks.select(\.genre).fetch() }
        guard case .entityDecodingFailed(let type, let underlying as ColumnDecodingError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(type == "Track" && underlying.column == "genre")
        await #expect(throws: StorageError.self) { try await tracks.select { ($0.id, $0) }.fetch() }
    }

    @Test func aNumberBeyondItsTypeIsAQueryThatFailed() async throws {
        await expectRefusal("Int") { try await tracks.select { $0.seconds * Int.max }.fetch() }
    }

    @Test func anUnknownColumnIsNamed() async throws {
        await expectRefusal("nonsense") { try await tracks.select { _ in Column<Int>("nonsense") }.fetch() }
    }
}

extension Column<Int?> {
    fileprivate var isKnown: Column<Bool?> { (self == nil).then(Column<Bool?>.none, else: Column<Bool?>.some(true)) }
}

extension Column<Bool?> {
    fileprivate static var none: Column<Bool?> { Column(sql: "NULL") }
    fileprivate static func some(_ value: Bool) -> Column<Bool?> { Column(sql: "\(value)") }
}

@StorageEntity(table: "selected_lockers")
private struct Locker: Equatable {
    var note: String?
    var id: Int
}

@StorageEntity(table: "selected_locker_keys")
private struct LockerKey {
    var id: Int
    @StorageReference(Locker.self) var lockerId: Int?
}
