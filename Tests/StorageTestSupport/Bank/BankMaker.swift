/// Something that a task of a program does.
package enum BankDeed: Sendable {
    case transaction([BankStep], goesOn: Bool)
    case snapshot([BankLook])
    case look(BankLook)
    case write(BankWrite)
}

/// What one process does: tasks that do their deeds one after the other.
package struct BankProgram: Sendable {
    /// A deed, and after how many pauses somebody cancels it, if somebody does.
    package struct Item: Sendable {
        package let deed: BankDeed
        package let cancelsAfter: Int?
    }

    package let tasks: [[Item]]

    package init(seed: UInt64) {
        var maker = BankMaker(random: SeededGenerator(seed: seed))
        tasks = (0..<maker.number(1...4)).map { _ in
            (0..<maker.number(1...4)).map { _ in
                Item(deed: maker.deed(), cancelsAfter: maker.once(in: 8) ? maker.pick([0, 1, 3, 10, 30]) : nil)
            }
        }
    }
}

private struct BankMaker {
    var random: SeededGenerator

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func once(in times: Int) -> Bool { number(1...times) == 1 }
    mutating func pick<T>(_ values: [T]) -> T { values[number(0...values.count - 1)] }

    mutating func deed() -> BankDeed {
        switch number(0...9) {
        case 0...4: .transaction(steps(number(1...8), depth: 0), goesOn: once(in: 2))
        case 5: .snapshot((0..<number(1...4)).map { _ in look() })
        case 6: .look(look())
        default: .write(write())
        }
    }

    private mutating func steps(_ count: Int, depth: Int) -> [BankStep] {
        var steps = (0..<count).map { _ in step(depth) }
        if once(in: 6) { steps.append(.fail) }
        return steps
    }

    private mutating func step(_ depth: Int) -> BankStep {
        switch number(0...19) {
        case 0...4: .look(look())
        case 5...6: .reread(pick(Bank.drafts), text: text(), kind: number(0...2))
        case 7...9 where depth < 3: .savepoint(steps(number(0...4), depth: depth + 1))
        case 10 where once(in: 4): .cancel
        default: .write(write(), passes: once(in: 8))
        }
    }

    private mutating func look() -> BankLook {
        switch number(0...8) {
        case 0...1: .account(pick(Bank.accounts))
        case 2...3: .draft(pick(Bank.drafts))
        case 4: .accounts
        case 5: .drafts
        case 6: .receipts(of: pick(Bank.accounts))
        case 7: .sum
        default: .count(above: stamp())
        }
    }

    private mutating func write() -> BankWrite {
        switch number(0...25) {
        case 0...3: .saveAccount(account())
        case 4: .insertAccount(account())
        case 5: .updateAccount(account())
        case 6...7: .raise(pick(Bank.accounts), by: stamp())
        case 8: .move(pick(Bank.accounts))
        case 9...10: .deleteAccount(pick(Bank.accounts))
        case 11: .saveAccounts(some(Bank.accounts).map { account($0) })
        case 12: .saveByEmail(account())
        case 13: .setBalances(above: stamp(), to: stamp())
        case 14: .deleteAccounts(above: stamp() + 500_000_000)
        case 15: .sql(pick(Bank.accounts), balance: stamp())
        case 16...17: .saveDraft(draft())
        case 18: .insertDraft(draft())
        case 19: .updateDraft(draft())
        case 20: .rewrite(pick(Bank.drafts), text: text())
        case 21: .deleteDraft(draft())
        case 22: .dropDraft(pick(Bank.drafts))
        case 23: .saveDrafts(some(Bank.drafts).map { draft($0) })
        case 24: .saveBySlug(draft())
        default: .insertReceipt(.init(number(0...5), accountId: pick(Bank.accounts)))
        }
    }

    /// Hardly ever the same twice.
    private mutating func stamp() -> Int { number(1...1_000_000_000) }
    private mutating func text() -> String { "t\(stamp())" }

    private mutating func account(_ id: String? = nil) -> Bank.Account {
        .init(id ?? pick(Bank.accounts), balance: stamp(), email: once(in: 2) ? nil : "m\(number(0...2))")
    }

    private mutating func draft(_ id: String? = nil) -> Bank.Draft {
        .init(
            id ?? pick(Bank.drafts), text: text(), slug: once(in: 2) ? nil : "s\(number(0...1))",
            version: pick([0, 0, 0, 1, 1, 2, 3]))
    }

    private mutating func some(_ ids: [String]) -> [String] {
        Array(ids.shuffled(using: &random).prefix(number(1...ids.count)))
    }
}
