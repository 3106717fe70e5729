import StorageKit
import Testing

/// The code of the article on transactions, compiled and run.
enum Bank {
    @StorageEntity
    struct Account: Equatable {
        var id: String
        var balance: Int
    }

    @StorageEntity
    struct Offer {
        var id: String
        var accountId: String
    }

    @StorageEntity
    struct Order {
        var id: String
    }

    @StorageEntity
    struct Receipt {
        var id: UUID
    }

    @StorageEntity
    struct Statement {
        var id: String
    }

    @StorageEntity
    struct Reminder {
        var id: UUID
        var text: String
    }

    @StorageEntity
    struct Note {
        var id: String
        var stars: Int
    }

    @StorageEntity
    struct User {
        var id: String
        var email: String
    }
}

@StorageEntity
struct Page {
    var id: String
    var text: String
    @StorageVersion var version: Int = 0
}

@Suite struct TransactionArticleTests {
    typealias Account = Bank.Account
    typealias Offer = Bank.Offer
    typealias Reminder = Bank.Reminder
    typealias Note = Bank.Note

    private struct Missing: Error {}

    @Test func theArticleDoesWhatItShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("bank.sqlite")) { schema in
            schema.autoSchema(
                Bank.AccountRecord.self, Bank.OfferRecord.self, Bank.OrderRecord.self, Bank.ReceiptRecord.self,
                Bank.StatementRecord.self, Bank.ReminderRecord.self, Bank.NoteRecord.self, Bank.UserRecord.self,
                PageRecord.self)
            schema.migration("emails") { try $0.execute(sql: "CREATE UNIQUE INDEX emails ON users (email)") }
        }
        let storage = context.facade
        let (a, b, id) = ("a", "b", "n")
        try await storage.save([Account(id: "a", balance: 100), Account(id: "b", balance: 0)])
        try await storage.save(Offer(id: "o", accountId: "a"))
        try await storage.transaction { tx in
            guard var from = try tx.get(Account.self, id: a), var to = try tx.get(Account.self, id: b) else {
                throw Missing()
            }
            from.balance -= 10
            to.balance += 10
            try tx.save([from, to])
            try storage.query(Offer.self).where { $0.accountId == a }.deleteAll(in: tx)
        }
        #expect(try await storage.all(Account.self).map(\.balance) == [90, 10])
        #expect(try await storage.count(Offer.self) == 0)

        let (count, total) = try await storage.snapshot { tx in
            (try storage.query(Account.self).count(in: tx), try storage.query(Account.self).sum(\.balance, in: tx))
        }
        #expect((count, total) == (2, 100))

        let (order, receipt, statement) = (Bank.Order(id: "1"), Bank.Receipt(id: UUID()), Bank.Statement(id: "1"))
        try await storage.insert(receipt)
        try await storage.transaction { tx in
            try tx.save(order)
            do {
                try tx.savepoint {
                    try tx.insert(receipt)
                    try tx.save(statement)
                }
            } catch {
                try tx.insert(Reminder(id: UUID(), text: "write the receipt by hand"))
            }
        }
        #expect(try await storage.count(Bank.Statement.self) == 0)
        #expect(try await storage.count(Reminder.self) == 1)

        let note = Note(id: "n", stars: 0)
        let user = Bank.User(id: "2", email: "ada@example.com")
        try await storage.save(Bank.User(id: "1", email: "ada@example.com"))
        try await storage.insert(note)  // throws if the id is there already
        try await storage.update(note)  // throws entityNotFound if it is not
        // Reads, changes and saves in one transaction.
        let after = try await storage.modify(Note.self, id: id) { $0.stars += 1 }
        // Saves by another unique key: the row keeps its id.
        try await storage.save(user, onConflict: .update(\.email))
        let imported = [user]
        try await storage.save(imported, onConflict: .update(\.email))  // all of them or none
        #expect(after?.stars == 1)
        #expect(try await storage.all(Bank.User.self).map(\.id) == ["1"])

        var page = try await storage.insert(Page(id: "p", text: "1"))
        try await storage.save(page)
        do {
            page = try await storage.save(page)
            Issue.record("the page was changed meanwhile")
        } catch StorageError.conflict(_, _, _, let found?) {
            // Show both, or merge, and save theirs with the changes.
            let theirs = try await storage.get(Page.self, id: page.id)
            print("changed meanwhile, to version \(found): \(theirs?.text ?? "")")
            #expect(found == 2)
        } catch StorageError.conflict {
            print("deleted meanwhile")
        }
    }
}
