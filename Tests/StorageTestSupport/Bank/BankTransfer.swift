package import StorageKit

/// A transfer between two accounts, all of which follows from its number, which is that of its receipt too.
package struct BankTransfer: Sendable {
    package let id: Int
    package let from: String
    package let to: String
    package let amount: Int
    /// Whether it ends by an error in the middle.
    package var fails: Bool { id % 7 == 0 }

    package init(_ id: Int) {
        self.id = id
        var random = SeededGenerator(seed: UInt64(id))
        let accounts = BankTransfer.accounts.shuffled(using: &random)
        (from, to) = (accounts[0], accounts[1])
        amount = Int.random(in: 1...100, using: &random)
    }

    package static let accounts = (0..<8).map { "account-\($0)" }
    package static let balance = 1_000

    package func perform(_ tx: StorageTransaction) throws {
        guard var source = try tx.get(Bank.Account.self, id: from), var target = try tx.get(Bank.Account.self, id: to)
        else { throw BankRefusal(name: "there is no account") }
        source.balance -= amount
        target.balance += amount
        if id % 2 == 0 {
            try tx.save([source, target])
            if fails { throw BankFailure() }
        } else {
            try tx.update(source)
            if fails { throw BankFailure() }
            try tx.savepoint { try tx.save(target) }
        }
        try tx.insert(Bank.Receipt(id, accountId: from))
    }
}
