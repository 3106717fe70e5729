import StorageKit

// Looks and writes as calls of StorageKit: in a transaction, in a snapshot, and by themselves.

struct TransactionHandle: BankHandle {
    let tx: StorageTransaction
    let storage: Storage

    func draft(_ id: String) throws -> Bank.Draft? { try tx.get(Bank.Draft.self, id: id) }
    func look(_ look: BankLook) throws -> String { try storage.look(look, in: tx) }
    func journalLength() throws -> Int { try storage.query(Bank.Change.self).max(\.id, in: tx) ?? 0 }

    mutating func savepoint(_ body: (inout TransactionHandle) throws -> Void) throws {
        var inner = self
        try tx.savepoint { try body(&inner) }
    }

    func write(_ write: BankWrite) throws -> String {
        switch write {
        case .saveAccount(let account):
            try tx.save(account)
            return account.description
        case .insertAccount(let account): return try tx.insert(account).description
        case .updateAccount(let account): return try tx.update(account).description
        case .raise(let id, let amount):
            return try tx.modify(Bank.Account.self, id: id) { $0.balance += amount }?.description ?? "none"
        case .move(let id): return try tx.modify(Bank.Account.self, id: id) { $0.id += "!" }?.description ?? "none"
        case .deleteAccount(let id): try tx.delete(Bank.Account.self, id: id)
        case .saveAccounts(let accounts): try tx.save(accounts)
        case .saveByEmail(let account): return try tx.save(account, onConflict: .update(\.email)).description
        case .setBalances(let least, let balance):
            let query = storage.query(Bank.Account.self).where { $0.balance > least }
            return "\(try query.updateAll(in: tx) { [$0.balance.set(to: balance)] })"
        case .deleteAccounts(let least):
            return "\(try storage.query(Bank.Account.self).where { $0.balance > least }.deleteAll(in: tx))"
        case .sql(let id, let balance):
            try tx.database.execute(sql: "UPDATE accounts SET balance = ? WHERE id = ?", arguments: [balance, id])
        case .saveDraft(let draft): return try tx.save(draft).description
        case .insertDraft(let draft): return try tx.insert(draft).description
        case .updateDraft(let draft): return try tx.update(draft).description
        case .rewrite(let id, let text):
            return try tx.modify(Bank.Draft.self, id: id) { $0.text = text }?.description ?? "none"
        case .deleteDraft(let draft): try tx.delete(draft)
        case .dropDraft(let id): try tx.delete(Bank.Draft.self, id: id)
        case .saveDrafts(let drafts): try tx.save(drafts)
        case .saveBySlug(let draft): return try tx.save(draft, onConflict: .update(\.slug)).description
        case .insertReceipt(let receipt): return try tx.insert(receipt).description
        }
        return "done"
    }
}

struct SnapshotHandle {
    let tx: StorageSnapshot
    let storage: Storage

    func look(_ look: BankLook) throws -> String { try storage.look(look, in: tx) }
    func journalLength() throws -> Int { try storage.query(Bank.Change.self).max(\.id, in: tx) ?? 0 }
}

extension Storage {
    fileprivate func look(_ look: BankLook, in tx: some StorageReading) throws -> String {
        switch look {
        case .account(let id): try tx.get(Bank.Account.self, id: id)?.description ?? "none"
        case .draft(let id): try tx.get(Bank.Draft.self, id: id)?.description ?? "none"
        case .accounts: "\(try query(Bank.Account.self).orderBy(\.id).fetch(in: tx))"
        case .drafts: "\(try query(Bank.Draft.self).orderBy(\.id).fetch(in: tx))"
        case .receipts(let id):
            "\(try query(Bank.Receipt.self).where { $0.accountId == id }.orderBy(\.id).fetch(in: tx))"
        case .sum: "\(try query(Bank.Account.self).sum(\.balance, in: tx))"
        case .count(let balance): "\(try query(Bank.Account.self).where { $0.balance > balance }.count(in: tx))"
        }
    }
}

extension StorageKit.Context {
    /// A look by itself, through the caches.
    package func look(_ look: BankLook) async throws -> String {
        switch look {
        case .account(let id): try await facade.get(Bank.Account.self, id: id)?.description ?? "none"
        case .draft(let id): try await facade.get(Bank.Draft.self, id: id)?.description ?? "none"
        case .accounts: "\(try await facade.query(Bank.Account.self).orderBy(\.id).fetch())"
        case .drafts: "\(try await facade.query(Bank.Draft.self).orderBy(\.id).fetch())"
        case .receipts(let id):
            "\(try await facade.query(Bank.Receipt.self).where { $0.accountId == id }.orderBy(\.id).fetch())"
        case .sum: "\(try await facade.query(Bank.Account.self).sum(\.balance))"
        case .count(let balance):
            "\(try await facade.query(Bank.Account.self).where { $0.balance > balance }.count())"
        }
    }

    /// A write by itself.
    package func write(_ write: BankWrite) async throws -> String {
        switch write {
        case .saveAccount(let account):
            try await facade.save(account)
            return account.description
        case .insertAccount(let account): return try await facade.insert(account).description
        case .updateAccount(let account): return try await facade.update(account).description
        case .raise(let id, let amount):
            return try await facade.modify(Bank.Account.self, id: id) { $0.balance += amount }?.description ?? "none"
        case .move(let id):
            return try await facade.modify(Bank.Account.self, id: id) { $0.id += "!" }?.description ?? "none"
        case .deleteAccount(let id): try await facade.delete(Bank.Account.self, id: id)
        case .saveAccounts(let accounts): try await facade.save(accounts)
        case .saveByEmail(let account):
            return try await facade.save(account, onConflict: .update(\.email)).description
        case .setBalances(let least, let balance):
            let query = facade.query(Bank.Account.self).where { $0.balance > least }
            return "\(try await query.updateAll { [$0.balance.set(to: balance)] })"
        case .deleteAccounts(let least):
            return "\(try await facade.query(Bank.Account.self).where { $0.balance > least }.deleteAll())"
        case .sql(let id, let balance):
            try await storage.dbActor.write { db in
                try db.execute(sql: "UPDATE accounts SET balance = ? WHERE id = ?", arguments: [balance, id])
            }
        case .saveDraft(let draft): return try await facade.save(draft).description
        case .insertDraft(let draft): return try await facade.insert(draft).description
        case .updateDraft(let draft): return try await facade.update(draft).description
        case .rewrite(let id, let text):
            return try await facade.modify(Bank.Draft.self, id: id) { $0.text = text }?.description ?? "none"
        case .deleteDraft(let draft): try await facade.delete(draft)
        case .dropDraft(let id): try await facade.delete(Bank.Draft.self, id: id)
        case .saveDrafts(let drafts): try await facade.save(drafts)
        case .saveBySlug(let draft): return try await facade.save(draft, onConflict: .update(\.slug)).description
        case .insertReceipt(let receipt): return try await facade.insert(receipt).description
        }
        return "done"
    }
}
