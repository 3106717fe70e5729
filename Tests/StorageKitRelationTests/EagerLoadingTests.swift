import Foundation
import StorageKit
import StorageTestSupport
import Testing

@Suite struct EagerLoadingTests {
    private let some = SomeReminders()

    private func store(_ log: StatementLog? = nil) async throws -> TemporaryStore { try await some.store(log: log) }

    @Test func aToManyRelationIsFilledInEachEntityInOrder() async throws {
        let store = try await store()
        let lists = try await store.storage.query(RemindersList.self).including(\.reminders).orderBy(\.position).fetch()
        #expect(lists.map { $0.reminders.map(\.title) } == [["Report", "Call"], ["Milk", "Bread", "Salt"], []])
        #expect(lists.flatMap(\.reminders).allSatisfy { $0.tags.isEmpty && $0.list == nil })
    }

    @Test func aToOneRelationIsFilledWhereThereIsARow() async throws {
        let store = try await store()
        let reminders = try await store.storage.query(Reminder.self)
            .including(\.list).including(\.assignee).orderBy(\.id).fetch()
        #expect(reminders.map { $0.list?.title } == ["Home", "Home", "Home", "Work", "Work"])
        #expect(reminders.map { $0.assignee?.name } == ["Ada", "Bob", nil, "Ada", nil])
    }

    @Test func aToOneRelationIsFilledByAKeyThatIsJSON() async throws {
        let store = try TemporaryStore { $0.autoSchema(CellarRecord.self, BottleRecord.self) }
        let place = Shelf(row: 1, column: 2)
        try await store.storage.save(Cellar(id: place, name: "cool"))
        try await store.storage.save(Bottle(id: 1, cellarId: place))
        #expect(try await store.storage.query(Bottle.self).including(\.cellar).fetchOne()?.cellar?.name == "cool")
    }

    @Test func aToOneRelationIsFilledBesideAColumnThatNoSaveTakes() async throws {
        let store = try await store()
        // In the year 11476. A number is read as seconds, and dates of such years are not written.
        try await store.db.write { try $0.execute(sql: "UPDATE reminders SET dueDate = 300000000000") }
        let reminders = try await store.storage.query(Reminder.self)
            .including(\.list).including(\.assignee).orderBy(\.id).fetch()
        #expect(reminders.map { $0.list?.title } == ["Home", "Home", "Home", "Work", "Work"])
        #expect(reminders.map { $0.assignee?.name } == ["Ada", "Bob", nil, "Ada", nil])
    }

    @Test func aLinkLeadsToEachEntityOnce() async throws {
        let store = try await store()
        // Twice the same: the table has an index that forbids it.
        try await store.db.write { db in
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM pragma_index_list('taggings') WHERE \"unique\" AND origin = 'c'")
            for name in names { try db.execute(sql: "DROP INDEX \"\(name)\"") }
        }
        try await store.storage.save(Tagging(id: UUID(), reminderId: SomeReminders.id(21), tagId: "swim"))
        let reminders = try await store.storage.query(Reminder.self).including(\.tags).orderBy(\.id).fetch()
        #expect(reminders.map { $0.tags.map(\.id) } == [["cook", "swim"], ["cook"], [], ["swim"], []])
        let first = try await store.storage.query(Reminder.self).including(\.tags) { $0.limit(2) }.orderBy(\.id)
            .fetchOne()
        #expect(first?.tags.map(\.id) == ["cook", "swim"])
    }

    @Test func conditionsOrderAndLimitCountForEachParent() async throws {
        let store = try await store()
        let lists = try await store.storage.query(RemindersList.self).orderBy(\.position)
            .including(\.reminders) {
                $0.where { $0.status == .incomplete && $0.list.title != "Empty" }.orderBy(\.position, .descending)
                    .limit(1)
            }
            .fetch()
        #expect(lists.map { $0.reminders.map(\.title) } == [["Report"], ["Salt"], []])
    }

    @Test(arguments: [
        (0, 0, [[], []]), (2, 0, [["Report", "Call"], ["Milk", "Bread"]]), (5, 1, [["Call"], ["Bread", "Salt"]]),
        (1, 2, [[], ["Salt"]]), (0, 3, [[], []]), (.max, 1, [["Call"], ["Bread", "Salt"]]), (1, .max, [[], []]),
    ])
    func aWindowIsThatOfEachParent(limit: Int, offset: Int, titles: [[String]]) async throws {
        let store = try await store()
        let lists = try await store.storage.query(RemindersList.self).where { $0.title != "Empty" }.orderBy(\.position)
            .including(\.reminders) { $0.orderBy(\.position).limit(limit).offset(offset) }.fetch()
        #expect(lists.map { $0.reminders.map(\.title) } == titles)
        await #expect(throws: StorageError.self) {
            _ = try await store.storage.query(RemindersList.self).including(\.reminders) { $0.limit(-1) }.fetch()
        }
    }

    @Test func aStepBehindALimitAsksTheRowsThatAreLeftOfEachParent() async throws {
        let store = try await store()
        let lists = store.storage.query(RemindersList.self).orderBy(\.position)
        let completed =
            try await lists
            .including(\.reminders) { $0.orderBy(\.position).limit(2).where { $0.status == .completed } }.fetch()
        #expect(completed.map { $0.reminders.map(\.title) } == [["Call"], ["Bread"], []])
        let one =
            try await lists
            .including(\.reminders) { $0.orderBy(\.position).offset(1).where { $0.position < 9 }.limit(1) }.fetch()
        #expect(one.map { $0.reminders.map(\.title) } == [["Call"], ["Bread"], []])
        let tags = try await store.storage.query(Reminder.self).orderBy(\.id)
            .including(\.tags) { $0.orderBy(\.id).limit(1).where { $0.id != "rest" } }.fetch()
        #expect(tags.map { $0.tags.map(\.id) } == [["cook"], ["cook"], [], ["swim"], []])
    }

    @Test func aPathFillsWhatLeadsToItToo() async throws {
        let store = try await store()
        let lists = try await store.storage.query(RemindersList.self).including(\.reminders.tags).orderBy(\.position)
            .fetch()
        #expect(lists[1].reminders.map { $0.tags.map(\.id) } == [["cook", "swim"], ["cook"], []])
        let reminders = try await store.storage.query(Reminder.self).including(\.list.reminders).orderBy(\.id).fetch()
        #expect(reminders[0].list?.reminders.map(\.title) == ["Milk", "Bread", "Salt"])
        #expect(reminders[2].list?.reminders == reminders[0].list?.reminders)
    }

    @Test func aPathMayBeAsLongAsOneLikes() async throws {
        let store = try await store()
        let tags = try await store.storage.query(Tag.self).including(\.reminders.list.reminders.tags).orderBy(\.id)
            .fetch()
        #expect(tags.map(\.id) == ["cook", "rest", "swim"])
        #expect(tags[0].reminders[1].list?.reminders[0].tags.map(\.id) == ["cook", "swim"])
    }

    @Test func whatIsIncludedMayIncludeInTurn() async throws {
        let store = try await store()
        let lists = try await store.storage.query(RemindersList.self).orderBy(\.position)
            .including(\.reminders) {
                $0.orderBy(\.position).limit(1).including(\.tags) { $0.orderBy(\.id, .descending) }
            }
            .fetch()
        #expect(lists.map { $0.reminders.map { $0.tags.map(\.id) } } == [[["swim"]], [["swim", "cook"]], []])
    }

    @Test func aPathThatIsNamedBeforeItsRelationLeavesThatItsLimit() async throws {
        let store = try await store()
        let lists = try await store.storage.query(RemindersList.self).orderBy(\.position)
            .including(\.reminders.tags).including(\.reminders) { $0.orderBy(\.position).limit(1) }.fetch()
        #expect(lists.map { $0.reminders.map(\.title) } == [["Report"], ["Milk"], []])
        #expect(lists[1].reminders[0].tags.map(\.id) == ["cook", "swim"])
    }

    @Test func eachRelationIsOneStatement() async throws {
        let log = StatementLog()
        let store = try await store(log)
        let query = store.storage.query(RemindersList.self)
            .including(\.reminders) { $0.orderBy(\.position).limit(5) }.including(\.reminders.tags)
            .including(\.reminders.assignee)
        let statements = try await log.during { _ = try await query.fetch() }
        #expect(statements.count == 4, "\(statements)")
        #expect(statements.repeated(atLeast: 2).isEmpty)
        let none = try await log.during { _ = try await query.where { $0.title == "" }.fetch() }
        #expect(none.count == 1, "\(none)")
    }

    @Test func whatIsWrongWithWhatIsIncludedIsToldThoughThereIsNoOwner() async throws {
        let store = try await store()
        let none = store.storage.query(RemindersList.self).where { $0.title == "" }
        #expect(try await none.including(\.reminders) { $0.including(\.tags) }.fetch().isEmpty)
        for query in [
            none.including(\.reminders) { $0.limit(-1) }, none.including(\.reminders) { $0.orderBy("nix") },
            none.including(\.reminders) { $0.where { _ in Column<Bool>(sql: "nix = 1") } },
            none.including(\.reminders) { $0.including(\.tags) { $0.offset(-1) } },
        ] {
            let error = await storageError { _ = try await query.fetch() }
            guard case .queryFailed = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
        }
    }

    @Test func aRelationWithoutAPropertyCannotBeIncluded() async throws {
        let store = try await store()
        let error = await thrownError { _ = try await store.storage.query(Tagging.self).including(\.tag).fetch() }
        #expect("\(error as Any)".contains("the relation to 'Tag' can be included only where"), "\(error as Any)")
    }

    @Test func namingARelationTwiceThrows() async throws {
        let store = try await store()
        let lists = store.storage.query(RemindersList.self)
        for (query, named) in [
            (
                lists.including(\.reminders).including(\.reminders) { $0.limit(1) },
                #"\RemindersList.reminders is included twice"#
            ),
            (
                lists.including(\.reminders) { $0.including(\.tags) }.including(\.reminders.tags),
                #"\RemindersList.reminders, then \Reminder.tags is included twice"#
            ),
        ] {
            let error = await thrownError { _ = try await query.fetch() }
            #expect("\(error as Any)".contains(named), "\(error as Any)")
        }
    }

    @Test func aPageAndAStreamAndATransactionFillThemToo() async throws {
        let store = try await store()
        let query = store.storage.query(RemindersList.self).orderBy(\.position).including(\.reminders)
        let page = try await query.page(limit: 2)
        #expect(page.items.map(\.reminders.count) == [2, 3])
        var counts: [Int] = []
        for try await list in query.stream() { counts.append(list.reminders.count) }
        #expect(counts == [2, 3, 0])
        let inside = try await store.storage.transaction { tx in
            try store.storage.query(Reminder.self).where { $0.title == "Call" }.deleteAll(in: tx)
            return try query.fetch(in: tx).map(\.reminders.count)
        }
        #expect(inside == [1, 3, 0])
        #expect(try await query.fetchOne()?.reminders.count == 1)
    }

    @Test func aPageInASnapshotFillsThemToo() async throws {
        let store = try await store()
        let query = store.storage.query(RemindersList.self).orderBy(\.position).including(\.reminders)
        let page = try await store.storage.snapshot { try query.page(limit: 2, in: $0) }
        #expect(page.items.map(\.reminders.count) == [2, 3])
    }

    @Test func aSaveIgnoresThem() async throws {
        let store = try await store()
        var list = try #require(
            try await store.storage.query(RemindersList.self).orderBy(\.position).including(\.reminders).fetchOne())
        list.title = "Office"
        list.reminders[0].title = "Ignored"
        try await store.storage.save(list)
        let reread = try await store.storage.query(RemindersList.self).orderBy(\.position).including(\.reminders)
            .fetchOne()
        #expect(reread?.title == "Office")
        #expect(try await store.storage.get(RemindersList.self, id: list.id)?.reminders.isEmpty == true)
        #expect(reread?.reminders.first?.title == "Report")
    }

    @Test func whatIsFetchedWithThemEntersNoCache() async throws {
        let store = try await store()
        _ = try await store.storage.query(RemindersList.self).including(\.reminders).fetch()
        #expect(try await store.storage.get(RemindersList.self, id: some.home.id)?.reminders.isEmpty == true)
    }

    @Test func aStreamHearsOfEachTableThatItLoads() async throws {
        let store = try await store()
        let lists = StreamProbe(
            store.storage.query(RemindersList.self).orderBy(\.position).including(\.reminders.tags).observe())
        #expect(try await lists.next().map { $0.reminders.map(\.tags.count) } == [[1, 0], [2, 1, 0], []])
        try await store.storage.save(Tagging(id: UUID(), reminderId: SomeReminders.id(25), tagId: "rest"))
        #expect(try await lists.next()[0].reminders[1].tags.map(\.id) == ["rest"])
        try await store.storage.delete(Reminder.self, id: SomeReminders.id(24))
        #expect(try await lists.next()[0].reminders.map(\.title) == ["Call"])
        try await store.storage.save(RemindersList(id: some.work.id, title: "Office", position: 1))
        #expect(try await lists.next()[0].title == "Office")
    }

    @Test func aStreamHearsOfTheTablesOfItsConditionToo() async throws {
        let store = try await store()
        let home = StreamProbe(
            store.storage.query(Reminder.self).where { $0.list.title == "Home" }.orderBy(\.position).including(\.tags)
                .observe())
        #expect(try await home.next().map(\.title) == ["Milk", "Bread", "Salt"])
        try await store.storage.save(RemindersList(id: some.work.id, title: "Home", position: 1))
        #expect(try await home.next().count == 5)
    }

    @Test func aStreamHearsOfTheTablesOfAConditionOnWhatItLoads() async throws {
        let store = try await store()
        let lists = StreamProbe(
            store.storage.query(RemindersList.self).orderBy(\.position)
                .including(\.reminders) { $0.where { $0.assignee.name == "Ada" } }.observe())
        #expect(try await lists.next().map { $0.reminders.map(\.title) } == [["Report"], ["Milk"], []])
        try await store.storage.save(Person(id: some.bob.id, name: "Ada"))
        #expect(try await lists.next()[1].reminders.map(\.title) == ["Milk", "Bread"])
    }

    @Test func aPathOfThreeParentsInARowIsLoadedWhole() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(OvenRecord.self, LoafRecord.self, SliceRecord.self, CrumbRecord.self)
        }
        try await store.storage.save(Oven(id: 1))
        try await store.storage.save(Loaf(id: 2, ovenId: 1))
        try await store.storage.save(Slice(id: 3, loafId: 2))
        try await store.storage.save(Crumb(id: 4, sliceId: 3))
        let crumb = try await store.storage.query(Crumb.self).including(\.slice.loaf.oven).fetchOne()
        #expect(crumb?.slice?.loaf?.oven?.id == 1)
    }

    @Test func whatAnEntityRefersToIsFoundThoughOtherColumnsCannotBeWritten() async throws {
        let store = try TemporaryStore { $0.autoSchema(OvenRecord.self, TrayRecord.self) }
        try await store.storage.save(Oven(id: 1))
        try await store.db.write {
            try $0.execute(
                sql: """
                    INSERT INTO trays (id, label, mark_text, ovenId, notes, updatedAt)
                    VALUES (2, ?, 'm', 1, ?, '2026-01-01')
                    """,
                arguments: [#"{"text":"l"}"#, #"[{"text":"n"}]"#])
        }
        let tray = try await store.storage.query(Tray.self).including(\.oven).fetchOne()
        #expect(tray?.label.text == "l" && tray?.mark.text == "m" && tray?.notes.map(\.text) == ["n"])
        #expect(tray?.oven?.id == 1)
    }

    @Test func aStreamHearsOfTheTableThatAPathPasses() async throws {
        let store = try await store()
        let lists = StreamProbe(
            store.storage.query(RemindersList.self).orderBy(\.position).including(\.reminders.tags).observe())
        #expect(try await lists.next()[0].reminders.map(\.title) == ["Report", "Call"])
        try await store.storage.query(Reminder.self).where { $0.title == "Call" }.updateAll {
            [$0.title.set(to: "Ring")]
        }
        #expect(try await lists.next()[0].reminders.map(\.title) == ["Report", "Ring"])
    }

    @Test func entitiesThatAreSelectedHaveNoRelationsIncluded() async throws {
        let store = try await store()
        let lists = store.storage.query(RemindersList.self).including(\.reminders).orderBy(\.position)
        await expectRefusal("included") { try await lists.select { $0 }.fetch().count }
        await expectRefusal("included") { try await lists.select { ($0.title, $0) }.fetch().count }
        #expect(try await lists.select { ($0.title, $0.position) }.fetch().map(\.0) == ["Work", "Home", "Empty"])
        #expect(try await lists.select(\.title).fetch() == ["Work", "Home", "Empty"])
    }
}

@StorageEntity
private struct Oven { var id: Int }

@StorageEntity(table: "loaves")
private struct Loaf {
    var id: Int
    @StorageReference(Oven.self) var ovenId: Int
    @StorageBelongsTo(foreignKey: "ovenId") var oven: Oven?
}

/// What can be read and not written.
private struct Sealed: Codable, Equatable {
    let text: String

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(text, .init(codingPath: [], debugDescription: "sealed"))
    }
}

@StorageEntity
private struct Tray {
    var id: Int
    @StorageJSON var label: Sealed
    @StorageEmbedded(prefix: "mark_") var mark: Sealed
    @StorageReference(Oven.self) var ovenId: Int
    @StorageJSON var notes: [Sealed]
    @StorageBelongsTo(foreignKey: "ovenId") var oven: Oven?
}

@StorageEntity
private struct Slice {
    var id: Int
    @StorageReference(Loaf.self) var loafId: Int
    @StorageBelongsTo(foreignKey: "loafId") var loaf: Loaf?
}

@StorageEntity
private struct Crumb {
    var id: Int
    @StorageReference(Slice.self) var sliceId: Int
    @StorageBelongsTo(foreignKey: "sliceId") var slice: Slice?
}

private struct Shelf: Codable, Hashable {
    var row: Int
    var column: Int
}

@StorageEntity
private struct Cellar {
    var id: Shelf
    var name: String
}

@StorageEntity
private struct Bottle {
    var id: Int
    var cellarId: Shelf
    @StorageBelongsTo(foreignKey: "cellarId") var cellar: Cellar?
}
