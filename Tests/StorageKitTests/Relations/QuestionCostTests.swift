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

    @Test func rowsWithoutTheRowOfAnOptionalPathDropOutBeforeAListIsAsked() async throws {
        let sql = try await statements { storage in
            let known = storage.query(Reminder.self).where { $0.assignee.name.in(["Bob", "Ann"]) }
            let found = try await known.fetch()
            #expect(found.count == 1 && found[0].assigneeId != nil)
            let perhaps = try await storage.query(Reminder.self).where { $0.assignee.name.in(["Bob", nil]) }.fetch()
            #expect(perhaps.contains { $0.assigneeId == nil })
        }
        #expect(sql.first?.contains(#"("assignee"."name" IS NOT NULL AND "assignee"."name" IN (?, ?))"#) == true)
        #expect(sql.last?.contains("IS NOT NULL") == false)
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
