import StorageKit
import StorageTestSupport
import Testing

@StorageSelection
private struct Mention: Equatable, Sendable { let title: String; let person: Person? }

/// Rows of several tables side by side.
@Suite struct JoinTests {
    private let some = SomeReminders()
    private let log = StatementLog()
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private var reminders: Query<Reminder> { storage.query(Reminder.self) }
    private var people: Query<Person> { storage.query(Person.self) }

    init() async throws {
        store = try await some.store(log: log)
    }

    /// The compiler takes the closure for one of several values, of which there are none.
    @Test func aSelectionOfNothingIsRefused() async throws {
        let selection = await storageError { _ = try await reminders.select { _ in () }.fetch() }
        #expect(selection?.localizedDescription.contains("is nothing that SQL computes") == true)
    }

    @Test func changesOfAJoinAreTold() async throws {
        let lists = StreamProbe(assigned.observeChanges())
        let before = try await lists.next().list.count
        let person = try #require(try await people.fetch().first)
        try await storage.delete(person)
        #expect(try await lists.next().list.count < before)
    }

    /// All pairs of a reminder and the person that it is assigned to.
    private var assigned: JoinedQuery<Reminder, TwoRows<ColumnRef<Reminder>, ColumnRef<Person>>> {
        reminders.join(Person.self) { reminder, person in reminder.assigneeId == person.id }
    }

    /// Each reminder, with its person if it has one.
    private var perhapsAssigned: JoinedQuery<Reminder, TwoRows<ColumnRef<Reminder>, OptionalToOne<Person>>> {
        reminders.leftJoin(Person.self) { reminder, person in reminder.assigneeId == person.id }
    }

    // MARK: - Conditions

    @Test func aConditionOfAJoinThatMayBeNilIsFalseThen() async throws {
        func isLate(_ reminder: ColumnRef<Reminder>) -> Column<Bool?> {
            reminder.sql("\(reminder.dueDate) > \(SomeReminders.day)", as: Bool?.self)
        }
        let late = try await reminders.where(isLate).select(\.title).fetch()
        let joined = reminders.join(Person.self) { reminder, _ in isLate(reminder) }
        #expect(try await Set(joined.select { reminder, _ in reminder.title }.fetch()) == Set(late))
        let three = reminders.join(Person.self) { reminder, person in reminder.assigneeId == person.id }
            .join(RemindersList.self) { reminder, _, _ in isLate(reminder) }
            .leftJoin(Tagging.self) { reminder, _, _, _ in isLate(reminder) }
        #expect(try await three.where { reminder, _, _, _ in !isLate(reminder) }.count() == 0)
        let groups = assigned.group { reminder, _ in isLate(reminder) }.having { reminder, _ in reminder.max(of: isLate)
        }
        #expect(try await groups.select { reminder, _ in reminder.count() }.fetch().count <= 1)
        #expect(
            try await storage.query(RemindersList.self).where { $0.reminders.exists(where: isLate) }.count()
                == storage.query(RemindersList.self).where { $0.reminders.count(where: isLate) > 0 }.count())
    }

    // MARK: - Pairs

    @Test func rowsAreBesideThoseThatMeetACondition() async throws {
        let mentions = reminders.join(Person.self) { reminder, person in reminder.notes.contains(person.name) }
        try await expectSelection(
            mentions.select { reminder, person in (reminder.title, person.name) },
            sql: """
                SELECT "reminders"."title", "persons"."name" FROM "reminders" \
                JOIN "persons" ON instr("reminders"."notes", "persons"."name") > 0
                """, rows: [("Bread", "Ada")])
        let pairs: [(Reminder, Person)] = try await mentions.fetch()
        #expect(pairs.map(\.0) == [some.reminders[1]] && pairs.map(\.1) == [some.ada])
        #expect(try await mentions.count() == 1)
        #expect(try await mentions.exists())
        #expect(try await mentions.where { reminder, _ in reminder.isFlagged }.exists() == false)
    }

    @Test func conditionsOrdersAndWindowsUseBothRows() async throws {
        let query = assigned.where { reminder, person in reminder.dueDate != nil && person.name == "Ada" }
            .orderBy({ reminder, person in person.name }).orderBy({ reminder, _ in reminder.title }, .descending)
        try await expectSelection(
            query.select { reminder, person in (person.name, reminder.title) },
            sql: """
                SELECT "persons"."name", "reminders"."title" FROM "reminders" \
                JOIN "persons" ON "reminders"."assigneeId" IS "persons"."id" \
                WHERE ("reminders"."dueDate" IS NOT NULL) AND ("persons"."name" = ?) \
                ORDER BY "persons"."name" ASC, "reminders"."title" DESC
                """, rows: [("Ada", "Report"), ("Ada", "Milk")])
        let one = try await query.offset(1).limit(1).fetch()
        #expect(one.map(\.0.title) == ["Milk"] && one.map(\.1) == [some.ada])
        #expect(try await query.limit(1).count() == 1)
        #expect(try await query.fetchOne()?.0.title == "Report")
    }

    @Test func aConditionThatMayBeNilIsFalseThen() async throws {
        let query = perhapsAssigned.where { reminder, person in person.name == "Ada" || reminder.dueDate == nil }
        #expect(try await query.count() == 4)
    }

    @Test func theSameTableIsJoinedUnderAnotherName() async throws {
        let query = reminders.join(Reminder.self) { mine, other in
            mine.listId == other.listId && mine.position < other.position
        }.orderBy { mine, _ in mine.title }
            .orderBy { _, other in other.title }
        try await expectSelection(
            query.select { mine, other in (mine.title, other.title) },
            sql: """
                SELECT "reminders"."title", "reminders2"."title" FROM "reminders" JOIN "reminders" "reminders2" \
                ON ("reminders"."listId" = "reminders2"."listId") AND ("reminders"."position" < "reminders2"."position") \
                ORDER BY "reminders"."title" ASC, "reminders2"."title" ASC
                """, rows: [("Bread", "Salt"), ("Milk", "Bread"), ("Milk", "Salt"), ("Report", "Call")])
    }

    // MARK: - Left joins

    @Test func aRowThatHasNoneStaysAndTheOtherIsNil() async throws {
        let query = perhapsAssigned.orderBy { reminder, _ in reminder.title }
        let rows: [(Reminder, Person?)] = try await query.fetch()
        #expect(rows.map(\.0.title) == ["Bread", "Call", "Milk", "Report", "Salt"])
        #expect(rows.map(\.1) == [some.bob, nil, some.ada, some.ada, nil])
        let names: [(String, String?)] = try await query.select { ($0.title, $1.name) }.fetch()
        #expect(names.map(\.1) == ["Bob", nil, "Ada", "Ada", nil])
        let without = query.where { _, person in person == nil }.select { reminder, _ in reminder.title }
        #expect(try await without.fetch() == ["Call", "Salt"])
        let mentions = query.select { Mention.columns(title: $0.title, person: $1) }
        #expect(try await mentions.fetchOne() == Mention(title: "Bread", person: some.bob))
    }

    @Test func theConditionOfALeftJoinComparesTheRowAsOneThatIsThere() throws {
        #expect(
            try storage.query(RemindersList.self).leftJoin(Reminder.self) { list, reminder in reminder.listId == list.id
            }
            ._rows.sql.sql.hasSuffix(
                #"LEFT JOIN "reminders" ON "reminders"."listId" = "reminderslists"."id""#))
    }

    @Test func theConditionOfALeftJoinFollowsPathsOfTheOther() async throws {
        let query = people.leftJoin(Reminder.self) { person, reminder in
            reminder.assigneeId == person.id && reminder.list.title == "Work"
        }.orderBy { person, _ in person.name }
        try await expectSelection(
            query.select { person, reminder in (person.name, reminder.list.title) },
            sql: """
                SELECT "persons"."name", "list"."title" FROM "persons" LEFT JOIN ("reminders" \
                LEFT JOIN "reminderslists" "list" ON "list"."id" = "reminders"."listId") \
                ON ("reminders"."assigneeId" IS "persons"."id") AND ("list"."title" = ?) ORDER BY "persons"."name" ASC
                """, rows: [("Ada", "Work"), ("Bob", nil)])
    }

    /// A condition that none meets asks nothing of the rows that its path leads to.
    @Test func aPathOfTheOtherThatNothingIsAskedOfLeadsNowhere() async throws {
        let none: [String] = []
        let pairs = reminders.leftJoin(Reminder.self) { $0.id == $1.id || $1.list.title.in(none) }
        let titles = try await pairs.orderBy { reminder, _ in reminder.title }.select { ($0.title, $1.title) }.fetch()
        #expect(titles.map(\.0) == some.reminders.map(\.title).sorted())
        #expect(titles.allSatisfy { $0.0 == $0.1 })
    }

    @Test func pathsOfAJoinedRowFollowIt() async throws {
        let query = people.join(Reminder.self) { person, reminder in
            reminder.assigneeId == person.id && reminder.list.title == "Home"
        }.orderBy { person, _ in person.name }
        try await expectSelection(
            query.select { person, reminder in (person.name, reminder.list.position, reminder.tags.count()) },
            sql: """
                SELECT "persons"."name", "list"."position", (SELECT COUNT(*) FROM "tags" WHERE "tags"."id" IN \
                (SELECT "taggings"."tagId" FROM "taggings" WHERE "reminders"."id" = "taggings"."reminderId")) FROM "persons" \
                JOIN "reminders" ON ("reminders"."assigneeId" IS "persons"."id") AND ("list"."title" = ?) \
                JOIN "reminderslists" "list" ON "list"."id" = "reminders"."listId" ORDER BY "persons"."name" ASC
                """, rows: [("Ada", 2, 2), ("Bob", 2, 1)])
    }

    // MARK: - Three tables and more

    @Test func threeTablesStandSideBySide() async throws {
        let query =
            assigned
            .leftJoin(Tagging.self) { reminder, person, tagging in
                tagging.reminderId == reminder.id && person.name == "Ada"
            }
            .where { reminder, person, tagging in reminder.position < 3 }
            .orderBy { reminder, _, _ in reminder.title }.orderBy { _, _, tagging in tagging.tagId }
        let rows: [(Reminder, Person, Tagging?)] = try await query.fetch()
        #expect(rows.map(\.0.title) == ["Bread", "Milk", "Milk", "Report"])
        #expect(rows.map(\.2?.tagId) == [nil, "cook", "swim", "swim"])
        let four = query.join(Tag.self) { _, _, tagging, tag in tagging.tagId == tag.id }
            .select { reminder, person, tagging, tag in (reminder.title, person.name, tag.id) }
        #expect(try await four.fetch().map(\.2) == ["cook", "swim", "swim"])
    }

    // MARK: - Groups

    @Test func groupsOfPairsAreSummedUpByEachSide() async throws {
        let groups = assigned.group { _, person in person.name }.having { reminder, _ in reminder.count() > 0 }
            .orderBy { _, person in person.name }
            .select { reminder, person in (person.name, reminder.count(), reminder.max(\.position)) }
        try await expectSelection(
            groups,
            sql: """
                SELECT "persons"."name", COUNT(*), MAX("reminders"."position") FROM "reminders" \
                JOIN "persons" ON "reminders"."assigneeId" IS "persons"."id" GROUP BY "persons"."name" \
                HAVING COUNT(*) > ? ORDER BY "persons"."name" ASC
                """, rows: [("Ada", 2, 1), ("Bob", 1, 2)])
    }

    @Test func rowsThatAreNotThereCountForNothing() async throws {
        let lists = storage.query(RemindersList.self)
            .leftJoin(Reminder.self) { list, reminder in reminder.listId == list.id }
            .group { list, _ in list.id }.orderBy { list, _ in list.title }
            .select { list, reminder in
                (
                    list.title, reminder.count(), reminder.count { $0.status != .completed },
                    reminder.sum { $0.position + 10 }
                )
            }
        let rows = try await lists.fetch()
        #expect(rows.map(\.0) == ["Empty", "Home", "Work"])
        #expect(rows.map(\.1) == [0, 3, 2] && rows.map(\.2) == [0, 2, 1] && rows.map(\.3) == [0, 36, 26])
    }

    @Test func aFourthTableMayHaveNoRow() async throws {
        let three = reminders.join(RemindersList.self) { reminder, list in reminder.listId == list.id }
            .leftJoin(Person.self) { reminder, _, person in reminder.assigneeId == person.id }
        let four = three.leftJoin(Tagging.self) { reminder, _, _, tagging in
            reminder.id == tagging.reminderId && reminder.title == "Milk"
        }
        #expect(try await three.count() == 5)
        #expect(try await Set(four.select { reminder, _, _, _ in reminder.id }.fetch()).count == 5)
    }

    @Test func oneRowIsMadeOfAllPairs() async throws {
        let row = try await perhapsAssigned.aggregate { reminder, person in
            (reminder.count(), person.count(), person.count(distinct: \.name), person.max(\.name))
        }.fetchOne()
        let all = try #require(row)
        #expect(all.0 == 5 && all.1 == 3 && all.2 == 2 && all.3 == "Bob")
        #expect(try await perhapsAssigned.aggregate { _, person in person.count() }.fetchOne() == 3)
    }

    @Test func aColumnOfEitherSideThatIsNoKeyIsNamed() async throws {
        await expectRefusal("'title'") {
            try await assigned.group { _, person in person.name }.select { reminder, _ in reminder.title }.fetch()
        }
        await expectRefusal("'name'") {
            try await assigned.group { reminder, _ in reminder.id }.select { _, person in person.name }.fetch()
        }
        let settled = assigned.group { _, person in person.id }.select { reminder, person in
            (person.name, reminder.count())
        }
        #expect(try await settled.count() == 2)
    }

    // MARK: - Windows

    @Test func stepsAfterALimitAskThePairsThatAreLeft() async throws {
        let left = perhapsAssigned.orderBy { reminder, _ in reminder.title }.limit(3)
        let titles = left.where { _, person in person.name != "Bob" }.select { reminder, _ in reminder.title }
        #expect(
            try titles.sql.sql.contains(
                """
                WHERE (("reminders"."id", "persons"."id" IS NULL, IFNULL("persons"."id", 0)) IN (SELECT "reminders2"."id", \
                "persons2"."id" IS NULL, IFNULL("persons2"."id", 0) FROM "reminders" "reminders2"
                """))
        #expect(try await titles.fetch() == ["Call", "Milk"])
        #expect(try await left.aggregate { reminder, person in person.count() }.fetchOne() == 2)
        #expect(try await left.group { _, person in person.name }.select { _, person in person.name }.count() == 3)
        let joined = left.join(RemindersList.self) { reminder, _, list in reminder.listId == list.id }
            .where { _, _, list in list.title == "Home" }.select { reminder, _, _ in reminder.title }
        #expect(try await joined.fetch() == ["Bread", "Milk"])
        let names = left.select { _, person in person.name }.distinct()
        #expect(try await left.count() == 3)
        #expect(try await Set(names.fetch()) == ["Ada", "Bob", nil])
        let all = perhapsAssigned.orderBy { reminder, _ in reminder.title }.select { _, person in person.name }
        await expectRefusal("'title'") { try await all.distinct().fetch() }
    }

    @Test func aLimitBeforeAJoinLeavesTheRowsThatAreJoined() async throws {
        let pairs = reminders.orderBy(\.title).limit(2).join(Tagging.self) { $0.id == $1.reminderId }
        #expect(try await pairs.fetch().map(\.1.tagId) == ["cook"])
    }

    @Test(arguments: [1, 2, 3, 4, 5]) func pagesLeadThroughAllPairsOnce(limit: Int) async throws {
        let query = perhapsAssigned.orderBy({ _, person in person.name }, .descending)
        let paged = try await allPages { try await query.page(after: $0, limit: limit) }
        #expect(paged.joined().map(\.0.title) == ["Bread", "Report", "Milk", "Call", "Salt"])
        var streamed: [String] = []
        for try await row in query.stream() { streamed.append(row.0.title) }
        #expect(try await streamed == query.fetch().map(\.0.title))
    }

    // MARK: - Live and in transactions

    @Test func aChangeOfEitherTableIsHeardAndOfNoOther() async throws {
        let query = assigned.orderBy { reminder, _ in reminder.title }
        let probe = StreamProbe(query.observe())
        let count = StreamProbe(query.observeCount())
        #expect(try await probe.next().map(\.1.name) == ["Bob", "Ada", "Ada"])
        #expect(try await count.next() == 3)
        let sql = try query._rows.sql.sql
        let before = log.statements.sql.filter { $0 == sql }.count
        try await storage.save(Tag(id: "new"))
        try await storage.save(Person(id: some.bob.id, name: "Robert"))
        #expect(try await probe.next().map(\.1.name) == ["Robert", "Ada", "Ada"])
        #expect(log.statements.sql.filter { $0 == sql }.count == before + 1)
        try await storage.delete(Person.self, id: some.ada.id)
        #expect(try await probe.next().map(\.0.title) == ["Bread"])
        #expect(try await count.next() == 1)
    }

    @Test func aTransactionSeesThePairsThatItWrote() async throws {
        let query = assigned.orderBy { reminder, _ in reminder.title }
        try await storage.transaction { tx in
            try tx.save(Person(id: some.bob.id, name: "Robert"))
            #expect(try query.fetch(in: tx).map(\.1.name) == ["Robert", "Ada", "Ada"])
            #expect(try query.fetchOne(in: tx)?.1.name == "Robert")
            #expect(try query.count(in: tx) == 3)
            #expect(try query.exists(in: tx))
            #expect(try query.page(limit: 2, in: tx).items.count == 2)
            #expect(try query.select { _, person in person.name }.count(in: tx) == 3)
        }
    }

    // MARK: - What cannot be asked

    @Test func aColumnOutsideItsJoinIsRefused() async throws {
        var strange: Column<String>?
        _ = assigned.where {
            strange = $1.name
            return $0.isFlagged
        }
        let column = try #require(strange)
        await expectRefusal("outside the closure") { try await reminders.where { $0.title == column }.fetch() }
    }

    @Test func aQueryThatIncludesRelationsIsNotJoined() async throws {
        await expectRefusal("includes relations") {
            try await reminders.including(\.list).join(Person.self) { $0.assigneeId == $1.id }.fetch().count
        }
    }

    @Test func aCursorOfAnotherJoinIsRefused() async throws {
        let page = try await assigned.page(limit: 1)
        await expectRefusal("cursor") {
            try await reminders.join(Tagging.self) { $0.id == $1.reminderId }.page(after: page.next, limit: 1).items
                .count
        }
    }
}
