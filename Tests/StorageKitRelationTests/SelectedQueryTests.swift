import StorageKit
import StorageTestSupport
import Testing

@StorageSelection
private struct ListRow: Equatable, Sendable { let list: RemindersList; let open: Int; let nextDue: Date? }

@StorageSelection
private struct Bare: Equatable, Sendable { let title: String }

@StorageSelection
private struct Assigned: Equatable, Sendable {
    let title: String
    let person: Person?
    let totals: Totals
    let place: Place?
    let tags: [Tag]
}

@StorageSelection
private struct Totals: Equatable, Sendable { let length: Int; let status: Reminder.Status; let isDue: Bool }

@StorageSelection
private struct ByPerson: Equatable, Sendable { let person: UUID?; let due: Date?; let number: Int }

@StorageSelection
private struct Keyed: Sendable { let storagekit_key0: Int; let title: String }

@StorageSelection
private struct Twins: Sendable { let a: Int; let A: Int }

/// A query whose rows are those of a selection.
@Suite struct SelectedQueryTests {
    private let some = SomeReminders()
    private let log = StatementLog()
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private var reminders: Query<Reminder> { storage.query(Reminder.self) }

    init() async throws {
        store = try await some.store(log: log)
    }

    private var lists: Selection<RemindersList, ListRow> {
        storage.query(RemindersList.self).select {
            ListRow.columns(
                list: $0, open: $0.reminders.count { $0.status == .incomplete }, nextDue: $0.reminders.min(\.dueDate))
        }
    }

    private var all: [ListRow] {
        [
            ListRow(list: some.home, open: 2, nextDue: SomeReminders.day),
            ListRow(list: some.work, open: 1, nextDue: SomeReminders.day),
            ListRow(list: some.empty, open: 0, nextDue: nil),
        ]
    }

    private var assigned: Selection<Reminder, Assigned> {
        reminders.select {
            Assigned.columns(
                title: $0.title, person: $0.assignee,
                totals: Totals.columns(length: $0.title.count, status: $0.status, isDue: $0.dueDate != nil),
                place: $0.place, tags: $0.tags)
        }
    }

    private static let listSQL = """
        (SELECT "reminderslists"."id" AS "list.id", "reminderslists"."title" AS "list.title", \
        "reminderslists"."color" AS "list.color", "reminderslists"."position" AS "list.position", \
        "reminderslists"."updatedAt" AS "list.updatedAt", \
        (SELECT COUNT(*) FROM "reminders" \
        WHERE (likelihood("reminderslists"."id" = "reminders"."listId", 0.000001)) AND ("reminders"."status" = ?)) AS "open", \
        (SELECT MIN("reminders2"."dueDate") FROM "reminders" "reminders2" \
        WHERE "reminderslists"."id" = "reminders2"."listId") AS "nextDue" FROM "reminderslists") "selection"
        """

    // MARK: - Rows

    @Test func theRowsOfASelectionAreAskedAsIfTheyStoodInATable() async throws {
        let busy = lists.asQuery().where { $0.open > 0 }.orderBy(\.nextDue).orderBy(\.list.position)
        #expect(
            try busy.asSelection().sql.sql == """
                SELECT "list.id", "list.title", "list.color", "list.position", "list.updatedAt", "open", "nextDue" \
                FROM \(SelectedQueryTests.listSQL) \
                WHERE "open" > ? ORDER BY "nextDue" ASC, "list.position" ASC
                """)
        #expect(try await busy.fetch() == [all[1], all[0]])
        #expect(try await busy.fetchOne() == all[1])
        #expect(try await busy.count() == 2)
        #expect(try await lists.asQuery().where { $0.open == 0 && $0.nextDue == nil }.fetch() == [all[2]])
        #expect(try await storage.snapshot { try busy.fetch(in: $0) } == [all[1], all[0]])
        #expect(try await storage.snapshot { try busy.count(in: $0) } == 2)
    }

    @Test func anEntityAmongTheColumnsIsAPathToItsOwn() async throws {
        let query = lists.asQuery().where { $0.list.title != "Work" }.orderBy(\.list.title, .descending)
        #expect(try await query.fetch() == [all[0], all[2]])
        #expect(try await query.select { ($0.list.title, $0.open * 10) }.fetch().map(\.1) == [20, 0])
        #expect(try await query.select { $0.list }.fetch() == [some.home, some.empty])
        // Its relations lead on.
        let flagged = lists.asQuery().where { $0.list.reminders.exists { $0.isFlagged } }
        #expect(try await flagged.fetch() == [all[0]])
        let grouped = lists.asQuery().group(by: \.list).select { ($0.list.title, $0.sum(\.open)) }
        #expect(try await grouped.fetch().map(\.1).sorted() == [0, 1, 2])
    }

    @Test func structsInsideAndEntitiesThatMayBeMissingAreAskedToo() async throws {
        let ada = assigned.asQuery().where { $0.person.name == "Ada" && $0.totals.status == .incomplete }
            .orderBy(\.totals.length)
        let found = try await ada.fetch()
        #expect(found.map(\.title) == ["Milk", "Report"])
        #expect(found.map(\.person) == [some.ada, some.ada])
        #expect(found.map { $0.tags.map(\.id) } == [["cook", "swim"], ["swim"]])
        #expect(
            try await assigned.asQuery().where { $0.person == nil }.orderBy(\.title).fetch().map(\.title) == [
                "Call", "Salt",
            ])
        #expect(try await assigned.asQuery().where { !$0.totals.isDue }.count() == 2)
        #expect(try await assigned.asQuery().where { $0.place.city == nil }.count() == 5)
    }

    @Test func entitiesAreAskedByTheirColumns() async throws {
        let owners = reminders.where { $0.dueDate != nil }.select { $0.list }
        #expect(try await owners.asQuery().count() == 3)
        let homes = owners.asQuery().where { $0.title == "Home" }.orderBy(\.position)
        #expect(try await homes.fetch() == [some.home, some.home])
        #expect(try await homes.distinct().fetch() == [some.home])
        #expect(try await homes.distinct().asQuery().select { ($0, $0.reminders.count()) }.fetch().map(\.1) == [3])
        let lists = reminders.select { $0 }.asQuery().where { $0.list.title == "Work" }.orderBy(\.title)
        #expect(try await lists.fetch().map(\.title) == ["Call", "Report"])
    }

    // MARK: - Steps

    @Test func aLimitAndAnOffsetCountBeforeWhatFollows() async throws {
        let rows = reminders.orderBy(\.title).limit(3).select { Bare.columns(title: $0.title) }
        // Bread, Call, Milk
        #expect(
            try await rows.asQuery().orderBy(\.title, .descending).fetch().map(\.title) == ["Milk", "Call", "Bread"])
        #expect(try await rows.asQuery().where { $0.title > "C" }.count() == 2)
        let two = rows.asQuery().orderBy(\.title, .descending).limit(2)
        #expect(try await two.where { $0.title != "Milk" }.fetch().map(\.title) == ["Call"])
        #expect(try await two.count() == 2)
        #expect(try await two.aggregate { $0.min(\.title) }.fetchOne() == "Call")
        #expect(
            try await two.offset(1).where { $0.title < "Z" }.limit(1).where { $0.title < "Z" }.fetch().map(\.title) == [
                "Call"
            ])
        #expect(try await two.group(by: \.title).select { $0.count() }.fetch() == [1, 1])
        await #expect(throws: StorageError.self) { try await rows.limit(-1).asQuery().fetch() }
    }

    @Test func theOrderOfTheSelectionIsThatOfItsColumns() async throws {
        // The value that is selected has the name of the column that is sorted by.
        let rows = reminders.orderBy(\.title).limit(2)
            .select { Bare.columns(title: ($0.title == "Bread").then("zzz", else: $0.title)) }
        #expect(try await rows.asQuery().orderBy(\.title).fetch().map(\.title) == ["Call", "zzz"])
        let groups = reminders.group(by: \.title).having { $0.title < "D" }
            .select { Bare.columns(title: ($0.title == "Bread").then("Call", else: $0.title)) }
        #expect(try await groups.asQuery().fetch().map(\.title) == ["Call", "Call"])
    }

    @Test func textsOfRowsAreComparedAsAnyOthersThoughTheSelectionCollatesThem() async throws {
        let titles = reminders.select { Bare.columns(title: $0.title.collated(.caseInsensitive)) }.asQuery()
        #expect(try await titles.where { $0.title == "MILK" }.count() == 0)
        #expect(try await titles.where { $0.title == "Milk" }.count() == 1)
    }

    @Test func groupsAreGroupedAgain() async throws {
        let open = lists.asQuery().group { $0.open > 0 }.orderBy { $0.count() }
            .select { ($0.open > 0, $0.count(), $0.sum(\.open)) }
        let found = try await open.fetch()
        #expect(found.map(\.0) == [false, true] && found.map(\.1) == [1, 2] && found.map(\.2) == [0, 3])
        let people = reminders.group(by: \.assigneeId)
            .select { ByPerson.columns(person: $0.assigneeId, due: $0.max(\.dueDate), number: $0.count()) }
        let numbers = people.asQuery().group(by: \.number).having { $0.count() > 1 }.orderBy(\.number)
        #expect(try await numbers.select(\.number).fetch() == [2])
        #expect(try await people.asQuery().aggregate { $0.avg(\.number) }.fetchOne() == 5.0 / 3)
        #expect(try await people.asQuery().where { $0.person == nil }.select(\.number).fetch() == [2])
        #expect(
            try await people.asQuery().where { $0.due > SomeReminders.day }.select(\.person).fetch() == [some.bob.id])
        await #expect(throws: StorageError.self) {
            try await people.asQuery().group(by: \.number).select { $0.due }.fetch()
        }
    }

    @Test func rowsOfSeveralTablesAreAskedAsRowsOfOne() async throws {
        let pairs = reminders.leftJoin(Person.self) { reminder, person in reminder.assigneeId == person.id }
            .select { reminder, person in
                Assigned.columns(
                    title: reminder.title, person: person,
                    totals: Totals.columns(
                        length: reminder.position, status: reminder.status, isDue: reminder.dueDate.isNotNull),
                    place: reminder.place, tags: reminder.tags)
            }
        let query = pairs.asQuery().where { $0.person.name < "B" || $0.person == nil }.orderBy(\.title)
        #expect(try await query.fetch().map(\.title) == ["Call", "Milk", "Report", "Salt"])
        #expect(try await query.fetch().map(\.person?.name) == [nil, "Ada", "Ada", nil])
        #expect(try await pages(of: query, 1).map(\.title) == ["Call", "Milk", "Report", "Salt"])
    }

    @Test func aQueryOfAQueryIsAValueAndAListOfOthers() async throws {
        let busy = lists.asQuery().where { $0.open > 1 }.select(\.list.id)
        #expect(try await reminders.where { $0.listId.in(busy) }.count() == 3)
        let mean = lists.asQuery().aggregate { $0.avg(\.open) }
        #expect(try await lists.asQuery().where { $0.open.as(Double.self) > mean.value }.fetch() == [all[0]])
    }

    // MARK: - Pages

    private func pages<E, Row>(of query: SelectedQuery<E, Row>, _ size: Int) async throws -> [Row] {
        try await Array(allPages { try await query.page(after: $0, limit: size) }.joined())
    }

    @Test func rowsThatAreAlikeAreEachOnOnePage() async throws {
        let same = reminders.select { Bare.columns(title: $0.isFlagged.then("a", else: "b")) }.asQuery().orderBy(
            \.title)
        for size in 1...6 {
            #expect(try await pages(of: same, size).map(\.title) == ["a", "b", "b", "b", "b"])
        }
        var streamed: [String] = []
        for try await row in same.stream() { streamed.append(row.title) }
        #expect(streamed == ["a", "b", "b", "b", "b"])
        let first = try #require(try await same.page(limit: 1).next)
        #expect(try await storage.snapshot { try same.page(after: first, limit: 9, in: $0).items.count } == 4)
        await #expect(throws: StorageError.self) {
            try await same.orderBy(\.title, .descending).page(after: first, limit: 1)
        }
    }

    @Test func groupsAndDifferentRowsHavePagesWithoutASelectedKey() async throws {
        let groups = reminders.group(by: \.listId, \.dueDate).select {
            ByPerson.columns(person: $0.min(\.assigneeId), due: $0.dueDate, number: $0.count())
        }
        let all = try await groups.fetch()
        let paged = try await pages(of: groups.asQuery().orderBy(\.number), 1)
        #expect(paged.map(\.number) == all.map(\.number).sorted())
        #expect(paged.allSatisfy(all.contains))
        let different = reminders.select {
            Totals.columns(length: $0.title.count, status: $0.status, isDue: $0.isFlagged)
        }.distinct()
        let rows = try await pages(of: different.asQuery().orderBy(\.length), 1)
        #expect(rows.map(\.length) == [4, 4, 4, 5, 6])
        #expect(try await different.count() == 5)
        // A limit of the query's own makes a table of its rows once more.
        let left = reminders.select { Bare.columns(title: $0.isFlagged.then("a", else: "b")) }.asQuery()
            .orderBy(\.title).limit(3).where { $0.title != "c" }
        #expect(try await pages(of: left, 1).map(\.title) == ["a", "b", "b"])
    }

    // MARK: - Live

    @Test func theRowsAreLive() async throws {
        let probe = StreamProbe(lists.asQuery().where { $0.open > 0 }.orderBy(\.list.title).observe())
        #expect(try await probe.next() == [all[0], all[1]])
        // Of a table that only the selection reads.
        try await storage.query(Reminder.self).where { $0.title == "Report" }.updateAll {
            [$0.status.set(to: .completed)]
        }
        #expect(try await probe.next() == [all[0]])
        // Of the selection's own.
        try await storage.query(RemindersList.self).where { $0.title == "Home" }.updateAll { [$0.position.set(to: 9)] }
        #expect(try await probe.next().map(\.list.position) == [9])
        let count = StreamProbe(lists.asQuery().aggregate { $0.sum(\.open) }.observeDistinct())
        #expect(try await count.next() == 2)
        let statements = try await log.during {
            try await storage.save(Tag(id: "new"))
            try await storage.query(Reminder.self).where { $0.title == "Milk" }.deleteAll()
            #expect(try await count.next() == 1)
        }
        #expect(statements.sql.filter { $0.contains("SUM(") }.count == 1, "\(statements)")
    }

    @Test func aQueryAroundTheQueryIsLiveToo() async throws {
        let busy = lists.asQuery().where { $0.open > 1 }.select(\.list.id)
        let probe = StreamProbe(storage.query(RemindersList.self).where { $0.id.in(busy) }.orderBy(\.title).observe())
        #expect(try await probe.next() == [some.home])
        try await storage.query(Reminder.self).where { $0.title == "Call" }.updateAll {
            [$0.status.set(to: .incomplete)]
        }
        #expect(try await probe.next() == [some.home, some.work])
    }

    @Test func changesAreToldByWhatRowsAreKnownBy() async throws {
        let probe = StreamProbe(
            reminders.select { Bare.columns(title: $0.title) }.asQuery().where { $0.title < "N" }.orderBy(\.title)
                .asSelection().observeChanges())
        #expect(try await probe.next().list.map(\.title) == ["Bread", "Call", "Milk"])
        try await storage.query(Reminder.self).where { $0.title == "Call" }.updateAll { [$0.title.set(to: "Cat")] }
        let change = try await probe.next()
        #expect(change.list.map(\.title) == ["Bread", "Cat", "Milk"])
        #expect(change.updated == [1] && change.removed.isEmpty && change.inserted.isEmpty)
    }

    // MARK: - What cannot be asked

    @Test func aColumnByAWrongNameIsNamed() async throws {
        await #expect {
            try await lists.asQuery().where { _ in Column<Int>("opne") > 1 }.fetch()
        } throws: { error in
            "\(error)".contains("opne") && "\(error)".contains("did you mean 'open'?")
        }
    }

    @Test func namesThatDifferByCapitalsAloneAreRefused() async throws {
        let twins = reminders.select { Twins.columns(a: $0.position, A: $0.position + 1) }
        #expect(try await twins.fetch().count == 5)
        await #expect { try await twins.asQuery().fetch() } throws: { "\($0)".contains("'a' has the name of another") }
    }

    @Test func aSelectedValueCannotHaveTheNameOfWhatTheRowsAreKnownBy() async throws {
        let keyed = reminders.select { Keyed.columns(storagekit_key0: $0.position, title: $0.title) }
        await #expect { try await keyed.asQuery().fetch() } throws: { "\($0)".contains("StorageKit's own") }
    }

    @Test func whatTheSelectionCannotBeAskedTheQueryCannotEither() async throws {
        let rows = reminders.group(by: \.listId).select { Bare.columns(title: $0.title) }
        await #expect { try await rows.asQuery().fetch() } throws: { "\($0)".contains("'title' is neither a key") }
        await #expect(throws: StorageError.self) { try await rows.asQuery().count() }
    }
}
