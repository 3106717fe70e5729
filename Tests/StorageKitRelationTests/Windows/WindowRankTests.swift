import StorageKit
import StorageTestSupport
import Testing

/// Windows of the hits of a search by rank, whose ranks all become others with each commit.
@MainActor @Suite struct WindowRankTests {
    /// Where a window is, and whether all hits have the same rank, so that they come by id.
    struct Place: Sendable, CustomTestStringConvertible {
        let side: String
        let isEqual: Bool

        var testDescription: String { "\(side), \(isEqual ? "equal ranks" : "different ranks")" }

        static let all = ["start", "middle", "end"].flatMap { side in
            [true, false].map { Place(side: side, isEqual: $0) }
        }

        /// A shorter text ranks before a longer one.
        func text(_ number: Int) -> String { "win" + String(repeating: " and", count: isEqual ? 1 : number) }
    }

    /// A store of 200 hits, from 1000 on in their order, and 300 others.
    private func store(_ place: Place) async throws -> TemporaryStore {
        let store = try TemporaryStore {
            $0.autoSchema(TestUserRecord.self)
            $0.addFullTextSearch(table: "testusers", columns: ["name"])
        }
        try await store.storage.save((0..<200).map { TestUser("\(1000 + $0)", name: place.text($0)) })
        try await store.storage.save((0..<300).map { TestUser("\(2000 + $0)", name: "other words") })
        return store
    }

    /// A window of twenty hits.
    private func window(_ place: Place, _ store: TemporaryStore) async -> LiveWindow<TestUser> {
        let window = LiveWindow(store.storage.query(TestUser.self).matching("win"), pageSize: 10, maximumPages: 3)
        switch place.side {
        case "start": await window.loadNext()
        case "middle":
            _ = await window.jump(to: "1100")
            await window.loadNext()
        default:
            await window.jumpToEnd()
            await window.loadPrevious()
        }
        let first = ["start": 1000, "middle": 1095][place.side] ?? 1180
        expect(window, place, (first..<(first + 20)).map { "\($0)" })
        return window
    }

    private func expect(
        _ window: LiveWindow<TestUser>, _ place: Place, _ ids: [String],
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(window.items.map(\.id) == ids, sourceLocation: location)
        #expect(window.hasMoreBefore == (place.side != "start"), sourceLocation: location)
        #expect(window.hasMoreAfter == (place.side != "end"), sourceLocation: location)
        #expect(window.error == nil, sourceLocation: location)
    }

    @Test(arguments: Place.all) func theRowsInSightStayWhateverIsSaved(place: Place) async throws {
        let store = try await store(place)
        let window = await window(place, store)
        let ids = window.items.map(\.id)
        let saved = [
            TestUser("new", name: String(repeating: "more ", count: 60)), TestUser("2000", name: "fewer"),
            // Hits in sight, at both sides and between them, with the same text.
            window.items[0], window.items[7], window.items[19],
            // Hits beyond or, at an end of the list, in sight.
            TestUser("1000", name: place.text(0)), TestUser("1060", name: place.text(60)),
            TestUser("1199", name: place.text(199)),
        ]
        for var user in saved {
            user.age += 1
            try await store.storage.save(user)
            await window.settle()
            expect(window, place, ids)
        }
        try await store.storage.query(TestUser.self).where { $0.id >= "2100" && $0.id < "2200" }.deleteAll()
        await window.settle()
        expect(window, place, ids)
    }

    @Test(arguments: Place.all) func aHitComesInBetweenTheSidesAndNotBeyond(place: Place) async throws {
        let store = try await store(place)
        let window = await window(place, store)
        var ids = window.items.map(\.id)
        // Right behind the hit with the same text.
        let number = try #require(Int(ids[4])) - 1000
        for inserted in [number, 50] {
            try await store.storage.save(TestUser("\(1000 + inserted)x", name: place.text(inserted)))
            await window.settle()
            if inserted == number { ids.insert("\(1000 + number)x", at: 5) }
            expect(window, place, ids)
        }
    }

    @Test(arguments: Place.all) func aSideGoesInwardWhereItsRowIsGone(place: Place) async throws {
        let store = try await store(place)
        let window = await window(place, store)
        let ids = window.items.map(\.id)
        try await store.storage.delete(TestUser.self, id: ids[19])
        try await store.storage.save(TestUser(ids[0], name: "other words"))
        await window.settle()
        expect(window, place, Array(ids[1..<19]))
        try await store.storage.save(TestUser("new", name: "more words"))
        await window.settle()
        expect(window, place, Array(ids[1..<19]))
    }

    @Test func aRowThatGoesFarDoesNotTakeItsSideAlong() async throws {
        for isEqual in [true, false] {
            let place = Place(side: "middle", isEqual: isEqual)
            let store = try await store(place)
            let window = await window(place, store)
            let ids = window.items.map(\.id)
            // The last hit of all, and the first.
            try await store.storage.save(TestUser(ids[19], name: "win" + String(repeating: " and", count: 400)))
            await window.settle()
            expect(window, place, Array(ids[0..<19]))
            try await store.storage.save(TestUser(ids[0], name: "win win win"))
            await window.settle()
            expect(window, place, Array(ids[1..<19]))
        }
    }

    @Test(arguments: Place.all) func withoutAnyRowLeftTheWindowIsAStretchOfTheList(place: Place) async throws {
        let store = try await store(place)
        let window = await window(place, store)
        let ids = window.items.map(\.id)
        try await store.storage.query(TestUser.self).where { $0.id.in(ids) }.deleteAll()
        await window.settle()
        let list = try await store.storage.query(TestUser.self).matching("win").fetch().map(\.id)
        let shown = window.items.map(\.id)
        #expect((10...30).contains(shown.count))
        let first = try #require(shown.first.flatMap { list.firstIndex(of: $0) })
        #expect(Array(list[first...].prefix(shown.count)) == shown)
        #expect(window.hasMoreBefore == (first > 0))
        #expect(window.hasMoreAfter == (first + shown.count < list.count))
    }
}
