import StorageKit
import StorageTestSupport
import Testing

/// What `observeChanges` says of a list that changes.
@Suite struct ObserveChangesTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private var byAge: Query<TestUser> { storage.query(TestUser.self).orderBy(\.age) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await storage.save([TestUser("a", age: 10), TestUser("b", age: 20), TestUser("c", age: 30)])
    }

    @Test func theFirstListIsAllInserted() async throws {
        let change = try await StreamProbe(byAge.observeChanges()).next()
        #expect(change.list.map(\.id) == ["a", "b", "c"])
        #expect(change.inserted == [0, 1, 2])
        #expect(change.removed == [] && change.moved == [] && change.updated == [])
    }

    @Test func anEntityThatIsSavedAsItWasIsNotUpdatedInASelection() async throws {
        let plain = StreamProbe(byAge.select { $0 }.observeChanges())
        _ = try await plain.next()
        try await storage.save(TestUser("a", age: 10))
        try await storage.save(TestUser("d", age: 40))
        let change = try await plain.first { $0.list.count == 4 }
        #expect(change.updated == [] && change.inserted == [3])
    }

    @Test func soIsOneThatIsSavedLaterAsItWas() async throws {
        let plain = StreamProbe(byAge.select { $0 }.observeChanges())
        _ = try await plain.next()
        store.clock.advance(by: 60)
        try await storage.save(TestUser("a", age: 10))
        try await storage.save(TestUser("d", age: 40))
        let change = try await plain.next()
        #expect(change.updated == [] && change.inserted == [3])
    }

    @StorageEntity(table: "stays")
    struct Stay {
        var id: Int
        var day: Date
        var price: Decimal
    }

    @StorageSelection
    struct PriceRow: Sendable {
        let price: Decimal
        let count: Int
    }

    @Test func soIsOneOfAQueryAroundTheGroups() async throws {
        let store = try TemporaryStore { $0.autoSchema(StayRecord.self) }
        try await store.storage.save(Stay(id: 2, day: Date(timeIntervalSince1970: 86_400), price: 1.5))
        try await store.db.write { db in
            try db.execute(sql: "INSERT INTO stays VALUES (1, CURRENT_TIMESTAMP, '1.50', CURRENT_TIMESTAMP)")
        }
        let prices = StreamProbe(
            store.storage.query(Stay.self).group { $0.price }
                .select { PriceRow.columns(price: $0.price, count: $0.count()) }
                .asQuery().orderBy(\.count).observeChanges())
        #expect(try await prices.next().inserted == [0])
        try await store.storage.delete(Stay.self, id: 1)
        let change = try await prices.next()
        #expect(change.updated == [0] && change.inserted == [] && change.removed == [])
        try await store.db.write { db in
            try db.execute(sql: "INSERT INTO stays VALUES (1, CURRENT_TIMESTAMP, '1.50', CURRENT_TIMESTAMP)")
        }
        #expect(try await prices.next().updated == [0])
        try await store.storage.delete(Stay.self, id: 2)
        #expect(try await prices.next().updated == [0])
    }

    /// Of its rows SQLite says the key of one, whichever that is.
    @Test func aGroupWhoseRowsSpellItsKeyOtherwiseIsUpdatedAndNoOther() async throws {
        let store = try TemporaryStore { $0.autoSchema(StayRecord.self) }
        let day = Date(timeIntervalSince1970: 86_400)
        try await store.storage.save(Stay(id: 2, day: day, price: 1.5))
        try await store.db.write { db in
            try db.execute(sql: "INSERT INTO stays VALUES (1, '1970-01-02 00:00:00', '1.50', CURRENT_TIMESTAMP)")
        }
        let stays = store.storage.query(Stay.self)
        let days = StreamProbe(stays.group { $0.day }.select { ($0.day, $0.count()) }.observeChanges())
        let prices = StreamProbe(stays.group { $0.price }.select { ($0.price, $0.count()) }.observeChanges())
        #expect(try await days.next().inserted == [0])
        #expect(try await prices.next().inserted == [0])
        try await store.db.write { try $0.execute(sql: "DELETE FROM stays WHERE id = 1") }
        let (ofDays, ofPrices) = (try await days.next(), try await prices.next())
        #expect(ofDays.updated == [0] && ofDays.inserted == [] && ofDays.removed == [])
        #expect(ofPrices.updated == [0] && ofPrices.inserted == [] && ofPrices.removed == [])
    }

    @Test func anEmptyListComesToo() async throws {
        let change = try await StreamProbe(byAge.where { $0.age > 99 }.observeChanges()).next()
        #expect(change.list == [] && change.inserted == [])
    }

    @Test func aRowThatMovesAndChangesIsMovedAndUpdated() async throws {
        let probe = StreamProbe(byAge.observeChanges())
        _ = try await probe.next()
        try await storage.save(TestUser("a", age: 35))
        let change = try await probe.next()
        #expect(change.moved == [ListMove(from: 0, to: 2)])
        #expect(change.updated == [2])
        #expect(change.inserted == [] && change.removed == [])
    }

    @Test func aRowThatIsRemovedAndBackInOneCommitIsUpdated() async throws {
        let probe = StreamProbe(byAge.observeChanges())
        _ = try await probe.next()
        try await storage.transaction { db in
            try db.delete(TestUser.self, id: "b")
            try db.save(TestUser("b", name: "back", age: 20))
        }
        let change = try await probe.next()
        #expect(change.updated == [1])
        #expect(change.inserted == [] && change.removed == [] && change.moved == [])
    }

    @Test func aLoopThatIsSlowGetsSeveralCommitsAsOneDifference() async throws {
        var changes = byAge.observeChanges().makeAsyncIterator()
        let first = try #require(await changes.next())
        try await storage.delete(TestUser.self, id: "a")
        try await storage.save(TestUser("d", age: 5))
        try await storage.save(TestUser("b", age: 99))
        // Another stream of the same list has seen the last commit, so that this one has too.
        let other = StreamProbe(byAge.observe())
        _ = try await other.first { $0.map(\.id) == ["d", "c", "b"] }
        var list = first.list
        while list.map(\.id) != ["d", "c", "b"] {
            let change = try #require(await changes.next())
            list = list.applying(change)
            #expect(list == change.list)
        }
    }

    @Test func aCommitThatChangesNothingOfTheListIsNotTold() async throws {
        let probe = StreamProbe(byAge.where { $0.age < 50 }.observeChanges())
        _ = try await probe.next()
        try await storage.save(TestUser("b", age: 20))
        try await storage.save(TestUser("old", age: 70))
        try await storage.delete(TestUser.self, id: "c")
        let change = try await probe.first { !$0.removed.isEmpty }
        #expect(change.list.map(\.id) == ["a", "b"])
        #expect(change.updated == [])
    }

    @Test func rowsOfASelectionAreKnownByTheirIds() async throws {
        let probe = StreamProbe(byAge.select { ($0.name, $0.age) }.observeChanges())
        _ = try await probe.next()
        try await storage.save(TestUser("b", name: "new", age: 20))
        let change = try await probe.next()
        #expect(change.updated == [1])
        #expect(change.list[1].0 == "new")
        #expect(change.inserted == [] && change.moved == [] && change.removed == [])
    }

    @Test func aRowIsUpdatedIfARelationInTheSelectionIs() async throws {
        let some = SomeReminders()
        let store = try await some.store()
        let lists = store.storage.query(RemindersList.self).orderBy(\.position).select { ($0.title, $0.reminders) }
        let probe = StreamProbe(lists.observeChanges())
        #expect(try await probe.next().list.map(\.1.count) == [2, 3, 0])
        var reminder = some.reminders[0]
        reminder.title = "Oat milk"
        try await store.storage.save(reminder)
        let change = try await probe.next()
        #expect(change.updated == [1])
        #expect(change.inserted == [] && change.moved == [] && change.removed == [])
    }

    @Test func groupsAreKnownByTheirKeys() async throws {
        let groups = storage.query(TestUser.self).group(by: \.isActive).orderBy { $0.count() }.select { $0.count() }
        let probe = StreamProbe(groups.observeChanges())
        #expect(try await probe.next().list == [3])
        try await storage.save([TestUser("d", isActive: false), TestUser("b", isActive: false)])
        let second = try await probe.next()
        #expect(second.list.sorted() == [2, 2])
        #expect(second.inserted.count == 1 && second.updated.count == 1)
        try await storage.save([TestUser("a", isActive: false)])
        let third = try await probe.next()
        #expect(third.list == [1, 3])
        #expect(third.updated == [0, 1] && third.inserted == [] && third.removed == [])
    }

    @Test func rowsThatCountOnceCannotBeTold() async throws {
        let errors = ErrorLog()
        let probe = StreamProbe(byAge.select(\.age).distinct().observeChanges(onError: errors.handler))
        try await untilTrue { errors.cases.first == "queryFailed" }
        probe.cancel()
    }

    @Test func aStreamThatIsDroppedObservesNothing() async throws {
        do {
            let probe = StreamProbe(byAge.observeChanges())
            _ = try await probe.next()
        }
        try await untilTrue { store.db.changes.listenerCount == 0 }
    }
}
