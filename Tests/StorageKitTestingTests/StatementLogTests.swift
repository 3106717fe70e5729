import StorageKit
import StorageKitTesting
import Testing

@Suite struct StatementLogTests {
    private let log = StatementLog()
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore(log: log, options: { $0.memoryCapacity = 0 }) { $0.autoSchema(NoteRecord.self) }
    }

    @Test func aStatementForEachRowShowsAsARepetition() async throws {
        let notes = try await store.fill(20, Note.numbered)
        let statements = try await log.during {
            for note in notes { _ = try await store.storage.get(Note.self, id: note.id) }
        }
        #expect(statements.count == 20)
        #expect(statements.reads == 20)
        #expect(statements.repeated(atLeast: 20).count == 1)
        #expect(statements.repeated(atLeast: 21).isEmpty)
        #expect(statements.description.hasPrefix("20 x SELECT"))
    }

    @Test func oneStatementForAllRowsIsOne() async throws {
        try await store.fill(20, Note.numbered)
        let statements = try await log.during { _ = try await store.storage.all(Note.self) }
        #expect(statements.count == 1, "\(statements)")
        #expect(statements.writes == 0)
    }

    @Test func transactionsAndPragmasAreLeftOut() async throws {
        let statements = try await log.during {
            try await store.db.write { try $0.execute(sql: "DELETE FROM notes; PRAGMA user_version = 3") }
        }
        #expect(statements.sql == ["DELETE FROM notes"])
        #expect(statements.writes == 1)
    }

    @Test func boundValuesAreNotNoted() async throws {
        let statements = try await log.during {
            _ = try await store.storage.query(Note.self).where { $0.title == "secret" }.fetch()
        }
        #expect(statements.count == 1)
        #expect(!statements.description.contains("secret"))
    }

    @Test func whatWasForgottenIsNotCounted() async throws {
        try await store.fill(3, Note.numbered)
        #expect(log.statements.count > 0)
        log.clear()
        #expect(log.statements.count == 0)
    }

    @Test func statementsOfBeforeDoNotCount() async throws {
        try await store.fill(3, Note.numbered)
        #expect(await log.during {}.count == 0)
    }
}
