import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
private struct Stage {
    enum Place: String, Codable, Sendable { case inside, outside }

    var id: Int
    var place: Place
    var next: Place?
}

/// Calls of the facade that take a key path where others take the name of a column.
@Suite struct KeyPathFormTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private let users = [
        TestUser("1", name: "Bo", age: 7, email: "a"), TestUser("2", name: "Ada", age: 7),
        TestUser("3", name: "Cy", age: 5, email: "a"),
    ]

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await storage.save(users)
    }

    @Test func allEntitiesAreSorted() async throws {
        #expect(try await storage.all(TestUser.self, orderBy: \.name).map(\.name) == ["Ada", "Bo", "Cy"])
        #expect(try await storage.all(TestUser.self, orderBy: \.email, ascending: false).map(\.id).last == "2")
    }

    @Test func aPageIsSortedAndSaysWhetherThereAreOthers() async throws {
        let page = try await storage.page(TestUser.self, orderBy: \.age, ascending: false, limit: 2)
        #expect(page.items.map(\.id) == ["1", "2"] && page.hasMore && page.nextOffset == 2)
        let next = try await storage.page(TestUser.self, orderBy: \.age, ascending: false, limit: 2, offset: 2)
        #expect(next.items.map(\.id) == ["3"] && !next.hasMore)
    }

    @Test func streamsAreSorted() async throws {
        let all = StreamProbe(storage.observeAll(TestUser.self, orderBy: \.name, ascending: false))
        let distinct = StreamProbe(storage.observeAllDistinct(TestUser.self, orderBy: \.age))
        #expect(try await all.next().map(\.id) == ["3", "1", "2"])
        #expect(try await distinct.next().first?.id == "3")
    }

    @Test func aDistinctStreamLeavesOutAListThatIsTheSame() async throws {
        let all = StreamProbe(storage.observeAll(TestUser.self, orderBy: \.age))
        let distinct = StreamProbe(storage.observeAllDistinct(TestUser.self, orderBy: \.age))
        for list in [all, distinct] { _ = try await list.next() }
        store.clock.advance(by: 1)
        try await storage.save(users[0])
        _ = try await all.next()
        // All who observe are told in one go.
        await MainActor.run {}
        try await storage.save(TestUser("4"))
        #expect(try await distinct.next().count == 4)
    }

    @Test func childrenAreThoseOfTheParent() async throws {
        #expect(try await storage.loadChildren(TestUser.self, where: \.age, equals: 7).map(\.id) == ["1", "2"])
        let sorted = try await storage.loadChildren(TestUser.self, where: \.age, equals: 7, orderBy: \.name)
        #expect(sorted.map(\.id) == ["2", "1"])
        let optional = try await storage.loadChildren(
            TestUser.self, where: \.email, equals: "a", orderBy: \.id, ascending: false)
        #expect(optional.map(\.id) == ["3", "1"])
    }

    @Test func withoutAnOrderChildrenComeById() async throws {
        try await storage.save(TestUser("0", age: 7))
        #expect(try await storage.loadChildren(TestUser.self, where: \.age, equals: 7).map(\.id) == ["0", "1", "2"])
    }

    @Test func childrenAreFoundByARawValue() async throws {
        let store = try TemporaryStore { $0.autoSchema(StageRecord.self) }
        try await store.storage.save([
            Stage(id: 1, place: .inside, next: .outside), Stage(id: 2, place: .inside, next: nil),
            Stage(id: 3, place: .outside, next: .outside),
        ])
        #expect(try await store.storage.loadChildren(Stage.self, where: \.place, equals: .inside).map(\.id) == [1, 2])
        #expect(try await store.storage.loadChildren(Stage.self, where: \.next, equals: .outside).map(\.id) == [1, 3])
        #expect(try await store.storage.loadChildren(Stage.self, where: \.next, equals: nil).map(\.id) == [2])
        let sorted = try await store.storage.loadChildren(
            Stage.self, where: \.next, equals: .outside, orderBy: \.id, ascending: false)
        #expect(sorted.map(\.id) == [3, 1])
    }

    @Test func whatHoldsAValueIsDeleted() async throws {
        #expect(try await storage.deleteAll(TestUser.self, where: \.email, equals: nil) == 1)
        #expect(try await storage.deleteAll(TestUser.self, where: \.email, equals: "a") == 2)
    }

    @Test func whatHoldsARawValueIsDeleted() async throws {
        let store = try TemporaryStore { $0.autoSchema(StageRecord.self) }
        try await store.storage.save([
            Stage(id: 1, place: .inside, next: .outside), Stage(id: 2, place: .inside, next: nil),
            Stage(id: 3, place: .outside, next: nil), Stage(id: 4, place: .inside, next: nil),
        ])
        #expect(try await store.storage.deleteAll(Stage.self, where: \.place, equals: .outside) == 1)
        #expect(try await store.storage.deleteAll(Stage.self, where: \.next, equals: .outside) == 1)
        #expect(try await store.storage.deleteAll(Stage.self, where: \.next, equals: nil) == 2)
    }
}
