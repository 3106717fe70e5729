import StorageKit

/// The model: what the tables hold, in plain dictionaries.
package struct BankRows: Sendable {
    package var accounts: [String: Bank.Account] = [:]
    package var drafts: [String: Bank.Draft] = [:]
    package var receipts: [Int: Bank.Receipt] = [:]
    /// How many rows were written or deleted.
    package var changes = 0

    package init() {}

    package func sameRows(as other: BankRows) -> Bool {
        accounts == other.accounts && drafts == other.drafts && receipts == other.receipts
    }
}

extension BankRows: CustomStringConvertible {
    package var description: String {
        [sortedAccounts.map(\.description), sortedDrafts.map(\.description), sortedReceipts.map(\.description)]
            .map { $0.joined(separator: ", ") }.joined(separator: " | ")
    }

    package var sortedAccounts: [Bank.Account] { accounts.values.sorted { $0.id < $1.id } }
    package var sortedDrafts: [Bank.Draft] { drafts.values.sorted { $0.id < $1.id } }
    package var sortedReceipts: [Bank.Receipt] { receipts.values.sorted { $0.id < $1.id } }
}

// MARK: - Reading

extension BankRows: BankHandle {
    package func draft(_ id: String) -> Bank.Draft? { drafts[id] }

    package func look(_ look: BankLook) -> String {
        switch look {
        case .account(let id): "\(accounts[id]?.description ?? "none")"
        case .draft(let id): "\(drafts[id]?.description ?? "none")"
        case .accounts: "\(sortedAccounts)"
        case .drafts: "\(sortedDrafts)"
        case .receipts(let id): "\(sortedReceipts.filter { $0.accountId == id })"
        case .sum: "\(accounts.values.reduce(0) { $0 + $1.balance })"
        case .count(let balance): "\(accounts.values.count { $0.balance > balance })"
        }
    }
}

// MARK: - Writing

extension BankRows {
    package mutating func savepoint(_ body: (inout BankRows) throws -> Void) throws {
        var copy = self
        try body(&copy)
        self = copy
    }

    /// A write that is refused changes nothing.
    package mutating func write(_ write: BankWrite) throws -> String {
        var copy = self
        let answer = try copy.perform(write)
        self = copy
        return answer
    }

    private mutating func perform(_ write: BankWrite) throws -> String {
        switch write {
        case .saveAccount(let account): return try put(account).description
        case .insertAccount(let account):
            guard accounts[account.id] == nil else { throw BankRefusal(name: "unique") }
            return try put(account).description
        case .updateAccount(let account):
            guard accounts[account.id] != nil else { throw BankRefusal(name: "no \(account.id)") }
            return try put(account).description
        case .raise(let id, let amount):
            guard var account = accounts[id] else { return "none" }
            account.balance += amount
            return try put(account).description
        case .move(let id):
            guard accounts[id] == nil else { throw BankRefusal(name: "invalid") }
            return "none"
        case .deleteAccount(let id): deleteAccount(id)
        case .saveAccounts(let accounts): for account in accounts { _ = try put(account) }
        case .saveByEmail(let account):
            guard let row = accounts.values.first(where: { $0.email != nil && $0.email == account.email }) else {
                guard accounts[account.id] == nil else { throw BankRefusal(name: "unique") }
                return try put(account).description
            }
            return try put(.init(row.id, balance: account.balance, email: row.email)).description
        case .setBalances(let least, let balance):
            let found = accounts.values.filter { $0.balance > least }
            for account in found { _ = try put(.init(account.id, balance: balance, email: account.email)) }
            return "\(found.count)"
        case .deleteAccounts(let least):
            let found = accounts.values.filter { $0.balance > least }
            for account in found { deleteAccount(account.id) }
            return "\(found.count)"
        case .sql(let id, let balance):
            guard var account = accounts[id] else { return "done" }
            account.balance = balance
            _ = try put(account)
        case .insertReceipt(let receipt):
            guard receipts[receipt.id] == nil else { throw BankRefusal(name: "unique") }
            guard accounts[receipt.accountId] != nil else { throw BankRefusal(name: "foreign key") }
            receipts[receipt.id] = receipt
            changes += 1
            return receipt.description
        case .saveDraft, .insertDraft, .updateDraft, .rewrite, .deleteDraft, .dropDraft, .saveDrafts, .saveBySlug:
            return try performOnDrafts(write)
        }
        return "done"
    }

    private mutating func performOnDrafts(_ write: BankWrite) throws -> String {
        switch write {
        case .saveDraft(let draft): return try save(draft).description
        case .insertDraft(let draft):
            guard drafts[draft.id] == nil else { throw BankRefusal(name: "unique") }
            return try put(draft, version: 1).description
        case .updateDraft(let draft):
            guard draft.version > 0 || drafts[draft.id] != nil else { throw BankRefusal(name: "no \(draft.id)") }
            return try replace(draft).description
        case .rewrite(let id, let text):
            guard var draft = drafts[id] else { return "none" }
            draft.text = text
            return try replace(draft).description
        case .deleteDraft(let draft):
            if draft.version > 0 || drafts[draft.id] != nil { try expect(draft) }
            if drafts.removeValue(forKey: draft.id) != nil { changes += 1 }
        case .dropDraft(let id):
            if drafts.removeValue(forKey: id) != nil { changes += 1 }
        case .saveDrafts(let drafts): for draft in drafts { _ = try save(draft) }
        case .saveBySlug(let draft):
            guard let row = drafts.values.first(where: { $0.slug != nil && $0.slug == draft.slug }) else {
                guard drafts[draft.id] == nil else { throw BankRefusal(name: "unique") }
                return try put(draft, version: 1).description
            }
            return try put(.init(row.id, text: draft.text, slug: row.slug), version: row.version + 1).description
        default: break
        }
        return "done"
    }

    private mutating func put(_ account: Bank.Account) throws -> Bank.Account {
        let isTaken = accounts.values.contains {
            $0.id != account.id && $0.email != nil && $0.email == account.email
        }
        guard !isTaken else { throw BankRefusal(name: "unique") }
        accounts[account.id] = account
        changes += 1
        return account
    }

    private mutating func deleteAccount(_ id: String) {
        guard accounts.removeValue(forKey: id) != nil else { return }
        let before = receipts.count
        receipts = receipts.filter { $0.value.accountId != id }
        changes += 1 + before - receipts.count
    }

    private mutating func save(_ draft: Bank.Draft) throws -> Bank.Draft {
        guard draft.version == 0 else { return try replace(draft) }
        if let found = drafts[draft.id] {
            throw BankRefusal(name: Bank.conflict(draft.id, expected: 0, found: found.version))
        }
        return try put(draft, version: 1)
    }

    private mutating func replace(_ draft: Bank.Draft) throws -> Bank.Draft {
        try expect(draft)
        return try put(draft, version: draft.version + 1)
    }

    private func expect(_ draft: Bank.Draft) throws {
        let found = drafts[draft.id]?.version
        guard found == draft.version else {
            throw BankRefusal(name: Bank.conflict(draft.id, expected: draft.version, found: found))
        }
    }

    private mutating func put(_ draft: Bank.Draft, version: Int) throws -> Bank.Draft {
        let isTaken = drafts.values.contains { $0.id != draft.id && $0.slug != nil && $0.slug == draft.slug }
        guard !isTaken else { throw BankRefusal(name: "unique") }
        var stored = draft
        stored.version = version
        drafts[draft.id] = stored
        changes += 1
        return stored
    }
}
