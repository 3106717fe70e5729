import StorageKit
import StorageTestSupport
import Testing

@Suite struct SelectionObservationTests {
    private let store: TemporaryStore
    private let log: StatementLog
    private var storage: Storage { store.storage }
    private var tracks: Query<Track> { storage.query(Track.self) }

    init() async throws {
        log = StatementLog()
        store = try await tracksStore(log: log)
    }

    private func track(_ id: Int, _ title: String) -> Track {
        Track(id, album: 1, title, nil, 1, plays: nil, price: 1)
    }

    @Test func aSelectionIsEmittedAtOnceThenOnEachChange() async throws {
        let probe = StreamProbe(tracks.where { $0.albumId == 1 }.orderBy(\.id).select(\.title).observe())
        #expect(try await probe.next() == ["a", "b", "a"])
        try await storage.save(track(2, "z"))
        #expect(try await probe.next() == ["a", "z", "a"])
        try await storage.delete(Track.self, id: 1)
        #expect(try await probe.next() == ["z", "a"])
    }

    @Test func equalListsAreLeftOut() async throws {
        let probe = StreamProbe(tracks.orderBy(\.title).select(\.title).distinct().observeDistinct())
        #expect(try await probe.next() == ["a", "b", "c", "d"])
        try await storage.save(track(7, "a"))
        try await storage.save(track(8, "e"))
        #expect(try await probe.next() == ["a", "b", "c", "d", "e"])
    }

    @Test func groupsAndOneRowAreLiveToo() async throws {
        let groups = StreamProbe(
            tracks.group(by: \.albumId).orderBy(\.albumId).select { ($0.albumId, $0.count()) }.observe())
        let count = StreamProbe(tracks.aggregate { $0.count() }.observeDistinct())
        #expect(try await groups.next().map(\.1) == [3, 2, 1])
        #expect(try await count.next() == 6)
        try await storage.save(track(7, "x"))
        #expect(try await groups.next().map(\.1) == [4, 2, 1])
        #expect(try await count.next() == 7)
    }

    @Test func aCommitOfAnotherTableReadsNothing() async throws {
        let probe = StreamProbe(tracks.orderBy(\.id).select(\.title).observe())
        _ = try await probe.next()
        let statements = try await log.during {
            try await storage.save(Album(id: 9, name: "nine", year: nil))
            try await storage.save(track(1, "new"))
            #expect(try await probe.next().first == "new")
        }
        #expect(statements.sql.filter { $0.contains(#"SELECT "title""#) }.count == 1, "\(statements)")
    }

    @Test func sqlInAConditionMayNameAColumnThatIsNotSelected() async throws {
        let long = tracks.where { _ in Predicate(sql: "seconds > 120") }.orderBy(\.id)
        let probe = StreamProbe(long.select(\.title).observe())
        #expect(try await probe.next() == ["b", "a", "b"])
        try await store.db.write { try $0.execute(sql: "UPDATE tracks SET seconds = 1 WHERE id = 3") }
        #expect(try await probe.next() == ["b", "b"])
    }

    @Test func sqlInAQueryInsideMayNameAColumnOfTheRowOutside() async throws {
        let albums = storage.query(Album.self).where { album in
            tracks.where { $0.albumId == album.id && Predicate(sql: "albums.name <> 'hidden'") }.aggregate {
                $0.count()
            }.value > 0
        }
        let ids = try await albums.orderBy(\.id).select(\.id).fetch()
        let count = StreamProbe(albums.observeCount())
        let selected = StreamProbe(albums.orderBy(\.id).select(\.id).observe())
        #expect(try await count.next() == ids.count)
        #expect(try await selected.next() == ids)
        try await store.db.write { try $0.execute(sql: "UPDATE albums SET name = 'hidden' WHERE id = 2") }
        #expect(ids.contains(2))
        #expect(try await count.next() == ids.count - 1)
        #expect(try await selected.next() == ids.filter { $0 != 2 })
    }

    @MainActor @Test func aLiveQueryHoldsASelection() async throws {
        let live = LiveQuery(tracks.orderBy(\.id).limit(2).select(\.title))
        await live.refresh()
        #expect(live.value == ["a", "b"])
        live.stop()
    }

    @MainActor @Test func aLiveQueryHoldsJoinedRowsAndOneRow() async throws {
        let all = tracks.orderBy(\.id)
        let joined = all.join(Album.self) { $0.albumId == $1.id }
        let pairs = LiveQuery(joined)
        let count = LiveQuery(all.aggregate { $0.count() })
        await pairs.refresh()
        await count.refresh()
        #expect(try await pairs.value.map(\.0.id) == joined.fetch().map(\.0.id))
        #expect(try await count.value == all.count())
        let rest = try await all.count() - 1
        try await storage.delete(Track.self, id: 1)
        try await untilTrue { count.value == rest }
        pairs.stop()
        count.stop()
    }

    @Test func aStreamWithAHandlerOfItsOwnTellsThatOne() async throws {
        let (own, others) = (ErrorLog(), ErrorLog())
        let handler = others.handler
        let store = try TemporaryStore(options: { $0.onObservationError = handler }) { $0.autoSchema(TrackRecord.self) }
        let tracks = store.storage.query(Track.self)
        // What has no one value.
        let (groups, row) = (tracks.group(by: \.albumId).select { $0.title }, tracks.aggregate { $0.title })
        let lists = StreamProbe(groups.observeDistinct(onError: own.handler))
        let rows = [
            StreamProbe(row.observe(onError: own.handler)), StreamProbe(row.observeDistinct(onError: own.handler)),
        ]
        try await untilTrue { own.cases.count + others.cases.count == 3 }
        #expect(others.cases == [])
        lists.cancel()
        for probe in rows { probe.cancel() }
    }

    @Test func whatCannotBeAskedIsReported() async throws {
        let errors = ErrorLog()
        let probe = StreamProbe(
            tracks.group(by: \.albumId).select { $0.title }.observe(onError: errors.handler))
        try await untilTrue { errors.cases == ["queryFailed"] }
        probe.cancel()
    }
}
