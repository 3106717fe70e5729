import Foundation
import StorageKit
import StorageTestSupport
import Testing

@Suite struct WriteByExpressionTests {
    private let some = SomeReminders()

    private func positions(_ store: TemporaryStore) async throws -> [Int] {
        try await store.storage.query(Reminder.self).orderBy(\.id).fetch().map(\.position)
    }

    @Test func aPathChoosesTheRowsToUpdate() async throws {
        let store = try await some.store()
        let query = store.storage.query(Reminder.self).where { $0.list.title == "Home" }
        #expect(try await query.updateAll { [$0.status.set(to: .completed), $0.dueDate.set(to: nil)] } == 3)
        let reminders = try await store.storage.query(Reminder.self).where { $0.dueDate == nil }.orderBy(\.id).fetch()
        #expect(reminders.map(\.title) == ["Milk", "Bread", "Salt", "Call"])
        #expect(reminders.allSatisfy { $0.status == .completed })
    }

    @Test func aPathChoosesTheRowsToDelete() async throws {
        let store = try await some.store()
        #expect(try await store.storage.query(Reminder.self).where { $0.assignee.name == "Ada" }.deleteAll() == 2)
        #expect(try await store.storage.query(RemindersList.self).where { $0.reminders.isEmpty }.deleteAll() == 1)
        #expect(
            try await store.storage.query(Reminder.self).orderBy(\.id).fetch().map(\.title) == [
                "Bread", "Salt", "Call",
            ])
    }

    @Test func rowsThatLookAtEachOtherAreDeletedTogether() async throws {
        let store = try await some.store()
        // Each of three has two others beside it, until one is gone.
        let crowded = store.storage.query(Reminder.self).where { $0.list.reminders.count() > 2 }
        #expect(try await crowded.deleteAll() == 3)
    }

    @Test func aValueMayComeFromARowThatIsReferredTo() async throws {
        let store = try await some.store()
        let query = store.storage.query(Reminder.self).where { $0.isFlagged || $0.list.title == "Work" }
        #expect(try await query.updateAll { [$0.notes.set(to: $0.list.title), $0.isFlagged.set(to: true)] } == 3)
        let reminders = try await store.storage.query(Reminder.self).orderBy(\.id).fetch()
        #expect(reminders.map(\.notes) == ["Home", "for Ada", "", "Work", "Work"])
        #expect(reminders.map(\.isFlagged) == [true, false, false, true, true])
    }

    @Test func aColumnAtTheEndOfAPathCannotBeSet() async throws {
        let store = try await some.store()
        await expectRefusal("column 'color' cannot be set: it is a column of another table") {
            try await store.storage.query(Reminder.self).updateAll { [$0.list.color.set(to: 1)] }
        }
    }

    @Test func aColumnOfAnotherTablesClosureCannotBeSet() async throws {
        let store = try await some.store()
        var title: Column<String>?
        _ = store.storage.query(RemindersList.self).where { list in
            title = list.title
            return list.position > 0
        }
        let leaked = try #require(title)
        await expectRefusal("column 'title' cannot be set: it is a column of another table") {
            try await store.storage.query(Reminder.self).updateAll { _ in [leaked.set(to: "x")] }
        }
    }

    @Test func anIntegerThatIsTooGreatIsNotStoredBesideAPathEither() async throws {
        let store = try await some.store()
        let before = try await positions(store)
        try await store.storage.query(RemindersList.self).updateAll { [$0.position.set(to: Int.max)] }
        let error = await storageError {
            try await store.storage.query(Reminder.self).updateAll {
                [$0.position.set(to: $0.position + $0.list.position)]
            }
        }
        guard case .queryFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await positions(store) == before)
    }

    @Test func allValuesAreCalculatedBeforeTheFirstRowChanges() async throws {
        let store = try await some.store()
        // One, two, three, where each becomes one more than the number of those of its list that stand before it.
        try await store.storage.query(Reminder.self).updateAll { mine in
            [mine.position.set(to: mine.list.reminders.count { $0.position < mine.position } + 1)]
        }
        #expect(try await positions(store) == [1, 2, 3, 1, 2])
        // The greatest of the list and one: a statement that saw its own writes would count on, 4, 5, 6.
        try await store.storage.query(Reminder.self).updateAll { mine in
            [mine.position.set(to: (mine.list.reminders.max(\.position) ?? 0) + 1)]
        }
        #expect(try await positions(store) == [4, 4, 4, 3, 3])
    }

    @Test func whatMeansTheRowAloneIsCalculatedFromTheRowAsItWas() async throws {
        let log = StatementLog()
        let store = try await some.store(log: log)
        let query = store.storage.query(Reminder.self).where { $0.listId == some.home.id && $0.position >= 2 }
        let statements = try await log.during {
            try await query.updateAll { [$0.position.set(to: $0.position + 1)] }
        }
        #expect(try await positions(store) == [1, 3, 4, 1, 5])
        #expect(statements.sql.allSatisfy { !$0.hasPrefix("WITH") }, "\(statements)")
    }

    @Test func aLimitAndASearchlessOrderChooseTheRows() async throws {
        let store = try await some.store()
        let last = store.storage.query(Reminder.self).orderBy(\.position, .descending).orderBy(\.id).limit(2)
        #expect(try await last.updateAll { [$0.notes.set(to: $0.list.title)] } == 2)
        #expect(
            try await store.storage.query(Reminder.self).orderBy(\.id).fetch().map(\.notes) == [
                "", "for Ada", "Home", "", "Work",
            ])
    }

    @Test func anOrderAndAnOffsetAloneChooseTheRows() async throws {
        let store = try await some.store()
        let reminders = store.storage.query(Reminder.self).orderBy(\.title, .descending)
        let chosen = try await reminders.fetch().dropFirst(3).map(\.title)
        #expect(try await reminders.offset(3).updateAll { [$0.notes.set(to: $0.list.title.lowercased())] } == 2)
        #expect(try await reminders.where { $0.notes.in(["home", "work"]) }.fetch().map(\.title) == chosen)
    }

    @Test func cachesAndStreamsHearOfIt() async throws {
        let store = try await some.store()
        let id = some.reminders[0].id
        #expect(try await store.storage.get(Reminder.self, id: id)?.notes == "")
        let notes = StreamProbe(
            store.storage.query(Reminder.self).where { $0.list.title == "Home" }.orderBy(\.id).observe())
        #expect(try await notes.next().map(\.notes) == ["", "for Ada", ""])
        try await store.storage.query(Reminder.self).updateAll { [$0.notes.set(to: $0.list.title)] }
        #expect(try await notes.next().map(\.notes) == ["Home", "Home", "Home"])
        #expect(try await store.storage.get(Reminder.self, id: id)?.notes == "Home")
    }

    @Test func inATransactionItIsUndoneWithIt() async throws {
        let store = try await some.store()
        struct Undo: Error {}
        await #expect(throws: Undo.self) {
            try await store.storage.transaction { tx in
                let all = store.storage.query(Reminder.self)
                let count = try all.updateAll(in: tx) { [$0.notes.set(to: $0.list.title)] }
                #expect(count == 5)
                #expect(try all.where { $0.list.title == "Work" }.deleteAll(in: tx) == 2)
                #expect(try all.where { $0.notes == "Home" }.count(in: tx) == 3)
                throw Undo()
            }
        }
        #expect(try await store.storage.query(Reminder.self).where { $0.notes == "Home" }.count() == 0)
        #expect(try await store.storage.query(Reminder.self).count() == 5)
    }

    @Test func nilFromAPathIsRefusedByAColumnThatMayNotBeNil() async throws {
        let store = try await some.store()
        let error = await thrownError {
            _ = try await store.storage.query(Reminder.self).where { $0.assigneeId == nil }
                .updateAll { [$0.notes.set(to: $0.list.title), $0.title.set(to: $0.sql("NULL", as: String.self))] }
        }
        guard case .constraintViolated? = error as? StorageError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await store.storage.query(Reminder.self).where { $0.notes == "Home" }.count() == 0)
    }

    @Test func anIntegerThatIsTooGreatIsAQueryThatFailed() async throws {
        let store = try await some.store()
        let all = store.storage.query(Reminder.self)
        let before = try await positions(store)
        await expectRefusal("Int") { try await all.updateAll { [$0.position.set(to: $0.position * Int.max)] } }
        try await store.storage.transaction { tx in
            #expect(throws: StorageError.self) {
                try all.updateAll(in: tx) { [$0.position.set(to: $0.position * Int.max)] }
            }
        }
        #expect(try await positions(store) == before)
    }

    @StorageEntity
    struct Dial { var id: Int; var level: UInt8; var turn: Int16? }

    @Test func anIntegerThatIsTooGreatForASmallTypeIsAQueryThatFailed() async throws {
        let store = try TemporaryStore { $0.autoSchema(DialRecord.self) }
        let dials = [Dial(id: 1, level: 5, turn: nil), Dial(id: 2, level: 250, turn: -32_000)]
        try await store.storage.save(dials)
        let all = store.storage.query(Dial.self).orderBy(\.id)
        await expectRefusal("0 to 255") { try await all.updateAll { [$0.level.set(to: $0.level + 6)] } }
        await expectRefusal("0 to 255") { try await all.updateAll { [$0.level.set(to: $0.level - 6)] } }
        await expectRefusal("-32768 to 32767") { try await all.updateAll { [$0.turn.set(to: $0.turn * 2)] } }
        #expect(try await all.fetch() == dials)
        #expect(try await all.updateAll { [$0.level.set(to: $0.level + 5), $0.turn.set(to: $0.turn - 768)] } == 2)
        #expect(try await all.fetch().map(\.level) == [10, 255])
        #expect(try await all.fetch().map(\.turn) == [nil, -32_768])
    }

    @Test func aSmallColumnThatMayBeNilTakesNoIntegerThatIsTooGreatEither() async throws {
        let store = try TemporaryStore { $0.autoSchema(DialRecord.self) }
        try await store.storage.save(Dial(id: 1, level: 250, turn: nil))
        let all = store.storage.query(Dial.self)
        await expectRefusal("-32768 to 32767") {
            try await all.updateAll { [$0.turn.set(to: $0.level.as(Int16.self) * 200)] }
        }
        #expect(try await all.updateAll { [$0.turn.set(to: $0.level.as(Int16.self) * 100)] } == 1)
        #expect(try await all.fetchOne()?.turn == 25_000)
    }
}
