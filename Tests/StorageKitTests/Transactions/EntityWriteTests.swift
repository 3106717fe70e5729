import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Writes that refuse: insert, update, modify, and saves by another key.
@Suite struct EntityWriteTests {
    private let store: TemporaryStore
    private let storage: Storage

    init() throws {
        store = try TemporaryStore { schema in
            schema.autoSchema(AccountRecord.self)
            schema.migration("keys") { try $0.execute(sql: "CREATE UNIQUE INDEX emails ON accounts (email)") }
        }
        storage = store.storage
    }

    @Test func insertStoresANewEntityAndReturnsIt() async throws {
        #expect(try await storage.insert(Account(id: "a", balance: 1)) == Account(id: "a", balance: 1))
        #expect(try await storage.get(Account.self, id: "a")?.balance == 1)
    }

    @Test func insertThrowsIfTheIdIsThere() async throws {
        try await storage.save(Account(id: "a", balance: 1))
        await #expect(throws: StorageError.self) { try await storage.insert(Account(id: "a", balance: 2)) }
        #expect(try await storage.get(Account.self, id: "a")?.balance == 1)
    }

    @Test func updateChangesTheRowAndReturnsIt() async throws {
        try await storage.save(Account(id: "a", balance: 1))
        #expect(try await storage.update(Account(id: "a", balance: 2)).balance == 2)
        #expect(try await storage.get(Account.self, id: "a")?.balance == 2)
    }

    @Test func updateThrowsIfThereIsNoRow() async throws {
        await #expect {
            try await storage.update(Account(id: "a", balance: 2))
        } throws: {
            if case .entityNotFound(type: "Account", id: "a")? = $0 as? StorageError { true } else { false }
        }
        #expect(try await storage.count(Account.self) == 0)
    }

    @Test func modifyChangesWhatIsThere() async throws {
        try await storage.save(Account(id: "a", balance: 1))
        let after = try await storage.modify(Account.self, id: "a") { $0.balance += 1 }
        #expect(after?.balance == 2)
        #expect(try await storage.get(Account.self, id: "a")?.balance == 2)
        #expect(try await storage.modify(Account.self, id: "b") { $0.balance += 1 } == nil)
    }

    @Test func modifyLosesNoChangeOfOthers() async throws {
        try await storage.save(Account(id: "a", balance: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { [storage] in try await storage.modify(Account.self, id: "a") { $0.balance += 1 } }
            }
            try await group.waitForAll()
        }
        #expect(try await storage.get(Account.self, id: "a")?.balance == 40)
    }

    @Test func modifyThatChangesTheIdThrowsAndWritesNothing() async throws {
        try await storage.save(Account(id: "a", balance: 1))
        await #expect(throws: StorageError.self) { try await storage.modify(Account.self, id: "a") { $0.id = "b" } }
        #expect(try await storage.all(Account.self).map(\.id) == ["a"])
    }

    @Test func modifyThatThrowsInATransactionUndoesWhatItsClosureWrote() async throws {
        try await storage.save(Account(id: "a", balance: 1))
        try await storage.transaction { tx in
            #expect(throws: Missing.self) {
                try tx.modify(Account.self, id: "a") { _ in
                    try tx.insert(Account(id: "b", balance: 0))
                    throw Missing()
                }
            }
            #expect(throws: StorageError.self) {
                try tx.modify(Account.self, id: "a") { account in
                    try tx.insert(Account(id: "c", balance: 0))
                    account.id = "d"
                }
            }
            try tx.modify(Account.self, id: "a") { account in
                try tx.insert(Account(id: "e", balance: 0))
                account.balance = 2
            }
        }
        #expect(try await storage.all(Account.self).map(\.id) == ["a", "e"])
        #expect(try await storage.get(Account.self, id: "a")?.balance == 2)
    }

    @Test func aSaveByAnotherKeyKeepsTheIdOfTheRow() async throws {
        try await storage.save(Account(id: "a", balance: 1, email: "x"))
        _ = try await storage.get(Account.self, id: "a")
        let stored = try await storage.save(Account(id: "b", balance: 2, email: "x"), onConflict: .update(\.email))
        #expect(stored == Account(id: "a", balance: 2, email: "x"))
        #expect(try await storage.get(Account.self, id: "a")?.balance == 2)
        #expect(try await storage.get(Account.self, id: "b") == nil)
    }

    @Test func aSaveByAnotherKeyInsertsWhereThereIsNoRow() async throws {
        let stored = try await storage.save(Account(id: "b", balance: 2, email: "x"), onConflict: .update(\.email))
        #expect(stored == Account(id: "b", balance: 2, email: "x"))
    }

    @Test func aSaveByWhatIsNoKeyIsAnError() async throws {
        await #expect {
            try await storage.save(Account(id: "b", balance: 2), onConflict: .update(\.balance))
        } throws: {
            if case .invalidConfiguration(let message)? = $0 as? StorageError {
                message.contains("balance")
            } else {
                false
            }
        }
    }

    // MARK: - Versions

    @Test func eachWriteCountsTheVersionUp() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        let first = try await store.storage.insert(Draft(id: "a", text: "1"))
        #expect(first.version == 1)
        let second = try await store.storage.save(first)
        #expect(second.version == 2)
        #expect(try await store.storage.update(second).version == 3)
        #expect(try await store.storage.modify(Draft.self, id: "a") { $0.text = "4" }?.version == 4)
        #expect(try await store.storage.get(Draft.self, id: "a")?.version == 4)
        #expect(try await store.storage.save(Draft(id: "b", text: "new")).version == 1)
    }

    @Test func aStaleEntityIsAConflictAndChangesNothing() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        let first = try await store.storage.insert(Draft(id: "a", text: "1"))
        try await store.storage.save(first)
        let isConflict = { @Sendable (error: any Error) in
            if case .conflict(type: "Draft", id: "a", expected: 1, found: 2)? = error as? StorageError {
                true
            } else {
                false
            }
        }
        await #expect { try await store.storage.save(first) } throws: { isConflict($0) }
        await #expect { try await store.storage.update(first) } throws: { isConflict($0) }
        await #expect { try await store.storage.delete(first) } throws: { isConflict($0) }
        await #expect { try await store.storage.save([first]) } throws: { isConflict($0) }
        await #expect { try await store.storage.transaction { try $0.save(first) } } throws: { isConflict($0) }
        #expect(try await store.storage.get(Draft.self, id: "a")?.version == 2)
    }

    @Test func anEntityWhoseRowIsGoneIsAConflict() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        let first = try await store.storage.insert(Draft(id: "a", text: "1"))
        try await store.storage.delete(Draft.self, id: "a")
        await #expect {
            try await store.storage.save(first)
        } throws: {
            if case .conflict(_, _, expected: 1, found: nil)? = $0 as? StorageError { true } else { false }
        }
        #expect(try await store.storage.count(Draft.self) == 0)
    }

    @Test func anUpdateOfAnEntityThatNeverHadARowDoesNotFindIt() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        await #expect {
            try await store.storage.update(Draft(id: "a", text: "1"))
        } throws: {
            if case .entityNotFound(type: "Draft", id: "a")? = $0 as? StorageError { true } else { false }
        }
        #expect(try await store.storage.count(Draft.self) == 0)
    }

    @Test func anEntityThatNeverHadARowIsDeletedAlready() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        try await store.storage.delete(Draft(id: "a", text: "1"))
        #expect(try await store.storage.count(Draft.self) == 0)
    }

    @Test func anErrorNamesAnIdOfAnyType() async throws {
        let store = try TemporaryStore { $0.autoSchema(VastRecord.self, FineRecord.self) }
        await #expect {
            try await store.storage.update(Vast(id: .max))
        } throws: {
            if case .entityNotFound("Vast", "18446744073709551615")? = $0 as? StorageError { true } else { false }
        }
        await #expect {
            try await store.storage.update(Fine(id: 1.5))
        } throws: {
            if case .entityNotFound("Fine", "1.5")? = $0 as? StorageError { true } else { false }
        }
    }

    @Test func aTableMayBeCalledAsSQLiteCallsTheRowThatComes() async throws {
        let store = try TemporaryStore { $0.autoSchema(ExclusionRecord.self) }
        try await store.storage.save(Exclusion(id: "a", slug: "s", reason: "1"))
        try await store.storage.save(Exclusion(id: "a", slug: "s", reason: "2"))
        #expect(try await store.storage.query(Exclusion.self).fetchOne()?.reason == "2")
        let third = Exclusion(id: "b", slug: "s", reason: "3")
        #expect(try await store.storage.save(third, onConflict: .update(\.slug)).id == "a")
        #expect(try await store.storage.query(Exclusion.self).fetchOne()?.reason == "3")
    }

    @Test func aNewEntityIsAConflictWhereThereIsARow() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        try await store.storage.insert(Draft(id: "a", text: "1"))
        await #expect {
            try await store.storage.save(Draft(id: "a", text: "2"))
        } throws: {
            if case .conflict(_, _, expected: 0, found: 1)? = $0 as? StorageError { true } else { false }
        }
        #expect(try await store.storage.get(Draft.self, id: "a")?.text == "1")
    }

    @Test func aConflictUndoesWhatTriggersDid() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        try await store.storage.insert(Draft(id: "a", text: "1"))
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE log (id TEXT);
                    CREATE TRIGGER note BEFORE INSERT ON drafts BEGIN INSERT INTO log VALUES (NEW.id); END
                    """)
        }
        await #expect(throws: StorageError.self) { try await store.storage.save(Draft(id: "a", text: "2")) }
        await #expect(throws: StorageError.self) {
            try await store.storage.transaction { try $0.save(Draft(id: "a", text: "2")) }
        }
        try await store.storage.transaction { tx in
            #expect(throws: StorageError.self) { try tx.save(Draft(id: "a", text: "2")) }
        }
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM log") } == 0)
    }

    @Test func aRowThatATriggerKeepsIsNeitherMissedNorAConflict() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self, AccountRecord.self) }
        let draft = try await store.storage.insert(Draft(id: "a", text: "1"))
        try await store.storage.save(Account(id: "b", balance: 1, email: "b"))
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER soft BEFORE DELETE ON drafts BEGIN
                        UPDATE drafts SET text = '' WHERE id = OLD.id;
                        SELECT RAISE(IGNORE);
                    END;
                    CREATE TRIGGER kept BEFORE UPDATE ON drafts WHEN NEW.text = 'no' BEGIN SELECT RAISE(IGNORE); END;
                    CREATE TRIGGER unseen BEFORE INSERT ON drafts WHEN NEW.text = 'no' BEGIN SELECT RAISE(IGNORE); END;
                    CREATE TRIGGER locked BEFORE UPDATE ON accounts BEGIN SELECT RAISE(IGNORE); END;
                    """)
        }
        try await store.storage.delete(draft)
        #expect(try await store.storage.get(Draft.self, id: "a")?.text == "")
        var other = draft
        other.text = "no"
        try await store.storage.save(other)
        try await store.storage.update(other)
        try await store.storage.save(Draft(id: "new", text: "no"))
        try await store.storage.modify(Account.self, id: "b") { $0.balance = 2 }
        #expect(try await store.storage.all(Draft.self).map(\.text) == [""])
        let stored = try await store.db.read { try Int.fetchOne($0, sql: "SELECT balance FROM accounts") }
        #expect(stored == 1)
        await #expect(throws: StorageError.self) {
            try await store.storage.update(Account(id: "c", balance: 1, email: "c"))
        }
    }

    @Test func aNewEntityConflictsWithARowThatHasNoVersionYet() async throws {
        let store = try TemporaryStore { $0.autoSchema(DraftRecord.self) }
        try await store.db.write {
            try $0.execute(
                sql: """
                    INSERT INTO drafts (id, text, version, updatedAt) VALUES ('a', 'old', 0, '2026-01-01 00:00:00.000')
                    """)
        }
        var draft = try #require(try await store.storage.get(Draft.self, id: "a"))
        draft.text = "new"
        let isConflict = { @Sendable (error: any Error) in
            if case StorageError.conflict("Draft", "a", expected: 0, found: 0) = error { true } else { false }
        }
        await #expect(performing: { try await store.storage.save(draft) }, throws: isConflict)
        await #expect(performing: { try await store.storage.save([draft]) }, throws: isConflict)
        #expect(try await store.storage.update(draft).version == 1)
        #expect(try await store.storage.get(Draft.self, id: "a")?.text == "new")
    }

    @Test func whatATriggerWroteInPlaceOfAnUpdateIsWhatIsRead() async throws {
        let store = try TemporaryStore { $0.autoSchema(AccountRecord.self) }
        try await store.storage.save(Account(id: "b", balance: 1, email: "b"))
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER clamp BEFORE UPDATE ON accounts WHEN NEW.balance < 0 BEGIN
                        UPDATE accounts SET balance = balance + 1 WHERE id = OLD.id;
                        SELECT RAISE(IGNORE);
                    END
                    """)
        }
        try await store.storage.update(Account(id: "b", balance: -5, email: "b"))
        #expect(try await store.storage.get(Account.self, id: "b")?.balance == 2)
        try await store.storage.save(Account(id: "b", balance: -5, email: "b"))
        #expect(try await store.storage.get(Account.self, id: "b")?.balance == 3)
    }

    @Test func anUpdateThatATriggerTurnsIntoADeletionMissesNoRow() async throws {
        let accounts = ["a", "b"].map { Account(id: $0, balance: 0, email: $0) }
        for var account in accounts {
            account.balance = 1
            try await storage.insert(account)
        }
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE closed (id TEXT);
                    CREATE TRIGGER closing BEFORE UPDATE ON accounts WHEN NEW.balance = 0 BEGIN
                        INSERT INTO closed VALUES (OLD.id);
                        DELETE FROM accounts WHERE id = OLD.id;
                    END
                    """)
        }
        try await storage.update(accounts[0])
        #expect(try await storage.get(Account.self, id: "a") == nil)
        try await storage.transaction { tx in
            try tx.update(accounts[1])
            #expect(throws: StorageError.self) { try tx.update(accounts[1]) }
        }
        #expect(try await storage.count(Account.self) == 0)
        let closed = try await store.db.read { try String.fetchAll($0, sql: "SELECT id FROM closed ORDER BY id") }
        #expect(closed == ["a", "b"])
    }

    @Test func anEntityOfAViewIsWhatItsTriggersWrite() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("view") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE base (id TEXT PRIMARY KEY, text TEXT, version INTEGER, updatedAt DATETIME);
                        CREATE VIEW drafts AS SELECT * FROM base WHERE text <> '';
                        CREATE TRIGGER coming INSTEAD OF INSERT ON drafts BEGIN
                            INSERT INTO base VALUES (NEW.id, NEW.text, NEW.version, NEW.updatedAt);
                        END;
                        CREATE TRIGGER changing INSTEAD OF UPDATE ON drafts BEGIN
                            UPDATE base SET text = NEW.text, version = NEW.version WHERE id = OLD.id;
                        END;
                        CREATE TRIGGER going INSTEAD OF DELETE ON drafts BEGIN
                            DELETE FROM base WHERE id = OLD.id;
                        END
                        """)
            }
        }
        let storage = store.storage
        let first = try await storage.insert(Draft(id: "a", text: "1"))
        let second = try await storage.update(first)
        let third = try await storage.save(second)
        #expect(try await storage.modify(Draft.self, id: "a") { $0.text = "4" }?.version == 4)
        await #expect(throws: StorageError.self) { try await storage.update(third) }
        await #expect(throws: StorageError.self) { try await storage.delete(third) }
        #expect(try await storage.get(Draft.self, id: "a")?.version == 4)
        try await storage.delete(Draft(id: "a", text: "4", version: 4))
        #expect(try await storage.count(Draft.self) == 0)
        // What the view no longer shows was found, and is in its table.
        let other = try await storage.insert(Draft(id: "b", text: "1"))
        try await storage.transaction { tx in
            _ = try tx.update(Draft(id: "b", text: "", version: other.version))
        }
        #expect(try await storage.get(Draft.self, id: "b") == nil)
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "SELECT version FROM base") } == 2)
    }

    @Test func whatIsReturnedHasItsIdAsTheRowSpellsIt() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("own") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE accounts (
                            id TEXT PRIMARY KEY COLLATE NOCASE, balance INTEGER, email TEXT, updatedAt DATETIME);
                        CREATE TABLE drafts (
                            id TEXT PRIMARY KEY COLLATE NOCASE, text TEXT, version INTEGER, updatedAt DATETIME)
                        """)
            }
        }
        try await store.storage.insert(Account(id: "Ab", balance: 1))
        let second = Account(id: "aB", balance: 2)
        #expect(try await store.storage.update(second) == Account(id: "Ab", balance: 2))
        let third = try await store.storage.transaction { tx in try tx.update(Account(id: "AB", balance: 3)) }
        #expect(third == Account(id: "Ab", balance: 3))
        try await store.storage.insert(Draft(id: "Ab", text: "1"))
        let draft = Draft(id: "aB", text: "2", version: 1)
        #expect(try await store.storage.save(draft) == Draft(id: "Ab", text: "2", version: 2))
    }

    @Test func soIsWhatATriggerOfTheConnectionWrote() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER clamp BEFORE UPDATE ON main.accounts WHEN NEW.balance < 0 BEGIN
                        UPDATE accounts SET balance = balance + 1 WHERE id = OLD.id;
                        SELECT RAISE(IGNORE);
                    END
                    """)
        }
        try await storage.save(Account(id: "b", balance: 1))
        try await storage.update(Account(id: "b", balance: -5))
        #expect(try await storage.get(Account.self, id: "b")?.balance == 2)
    }
}

@StorageEntity
private struct Vast {
    var id: UInt64
}

@StorageEntity
private struct Fine {
    var id: Double
}

@StorageEntity(table: "Excluded")
private struct Exclusion {
    var id: String
    @StorageUnique var slug: String
    var reason: String
}

@StorageEntity
struct Draft: Equatable {
    var id: String
    var text: String
    @StorageVersion var version: Int = 0
}
