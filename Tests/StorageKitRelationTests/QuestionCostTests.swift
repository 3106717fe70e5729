import StorageKit
import StorageTestSupport
import Testing

/// SQLite is asked for no more than a question needs.
@Suite struct QuestionCostTests {
    private let some = SomeReminders()
    private let log = StatementLog()

    private func statements(_ question: (Storage) async throws -> Void) async throws -> [String] {
        let store = try await some.store(log: log)
        return try await log.during { try await question(store.storage) }.sql
    }

    @Test func rowsBehindALimitAreCountedWithoutTheirOrder() async throws {
        let sql = try await statements { storage in
            let count = try await storage.query(Reminder.self).orderBy(\.title).limit(3).count()
            #expect(count == 3)
        }
        #expect(sql == [#"SELECT COUNT(*) FROM (SELECT 1 FROM "reminders" LIMIT ?)"#])
    }

    @Test func groupsAreCountedWithoutWhatIsMadeOfThem() async throws {
        let sql = try await statements { storage in
            let groups = storage.query(Reminder.self).group(by: \.listId).select { ($0.listId, $0.max(\.position)) }
            let count = try await groups.count()
            #expect(count == 2)
        }
        #expect(sql == [#"SELECT COUNT(*) FROM (SELECT 1 FROM "reminders" GROUP BY "listId")"#])
    }

    @Test func whatAChangedRowConcernsIsNotReadBeyondWhatIsFollowed() async throws {
        let sql = try await statements { storage in
            let titles = StreamProbe(
                storage.query(Reminder.self).orderBy(\.title).where { $0.list.title != "x" }.limit(2).observe())
            let counts = StreamProbe(
                storage.query(Reminder.self).group(by: \.list.title).select { $0.count() }.observe())
            _ = try await (titles.next(), counts.next())
            var list = some.home
            list.title = "x"
            try await storage.save(list)
            #expect(try await titles.next().map(\.title) == ["Call", "Report"])
            list.title = "y"
            try await storage.save(list)
            _ = try await counts.first { $0 == [2, 3] }
        }
        let trails = sql.filter { $0.hasPrefix("SELECT DISTINCT") }
        #expect(trails.count > 1 && trails.allSatisfy { $0.hasSuffix("LIMIT 1001") }, "\(sql)")
    }

    private func joins(
        _ isFound: @escaping (Reminder) -> Bool, _ query: (Storage) -> Query<Reminder>
    ) async throws -> String {
        let store = try await some.store(log: log)
        let query = query(store.storage)
        let sql = try await log.during {
            let found = try await query.fetch()
            #expect(found.contains(where: isFound))
        }.sql
        return sql.joined()
    }

    @Test func rowsWithoutTheRowOfAnOptionalPathAreNotAskedWhereTheConditionDropsThem() async throws {
        let sql = try await [
            joins(\.hasAssignee) { $0.query(Reminder.self).where { $0.assignee.name.in(["Bob", "Ann"]) } },
            joins(\.hasAssignee) { $0.query(Reminder.self).where { $0.assignee.name.contains("o") } },
            joins(\.hasAssignee) { $0.query(Reminder.self).where { $0.assignee.name.equalsIgnoringCase("BOB") } },
            joins(\.hasAssignee) { $0.query(Reminder.self).where { $0.assignee.name.count > 2 && $0.title != "" } },
            joins(\.hasAssignee) { $0.query(Reminder.self).where { $0.assignee.name.lowercased() == "bob" } },
            joins(\.hasAssignee) { $0.query(Reminder.self).where { $0.assignee.name.lowercased() > $0.notes } },
        ]
        for sql in sql { #expect(sql.contains(#" JOIN "persons" "assignee""#) && !sql.contains("LEFT JOIN")) }
    }

    @Test func rowsWithoutTheRowOfAnOptionalPathAreAskedWhereTheConditionKeepsThem() async throws {
        let sql = try await [
            joins(\.hasNoAssignee) { $0.query(Reminder.self).where { $0.assignee.name == nil } },
            joins(\.hasNoAssignee) { $0.query(Reminder.self).where { $0.assignee.name != "Bob" } },
            joins(\.hasNoAssignee) { $0.query(Reminder.self).where { $0.assignee.name.in(["Bob", nil]) } },
            joins(\.hasNoAssignee) { $0.query(Reminder.self).where { !$0.assignee.name.contains("o") } },
            joins(\.hasNoAssignee) {
                $0.query(Reminder.self).where { $0.assignee.name.contains("o") || $0.title != "" }
            },
        ]
        for sql in sql { #expect(sql.contains(#" LEFT JOIN "persons" "assignee""#)) }
    }

    @Test func aDateBesideOneThatAQueryFindsAsksThatOnce() async throws {
        let sql = try await statements { storage in
            let last = storage.query(Reminder.self).where { $0.dueDate == $0.list.reminders.max(\.dueDate) }
            let found = try await last.fetch()
            #expect(found.contains { $0.dueDate != nil })
        }
        #expect(sql.first?.ranges(of: "(SELECT ").count == 1)
    }
}

extension Reminder {
    fileprivate var hasAssignee: Bool { assigneeId != nil }
    fileprivate var hasNoAssignee: Bool { assigneeId == nil }
}
