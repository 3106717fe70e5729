import StorageKit

/// A read: in a transaction, in a snapshot, or by itself.
package enum BankLook: Sendable {
    case account(String), draft(String)
    case accounts, drafts, receipts(of: String)
    case sum, count(above: Int)
}

/// A write: in a transaction or by itself.
package enum BankWrite: Sendable {
    case saveAccount(Bank.Account), insertAccount(Bank.Account), updateAccount(Bank.Account)
    case raise(String, by: Int)
    /// Tries to change the id, which is refused.
    case move(String)
    case deleteAccount(String)
    case saveAccounts([Bank.Account])
    case saveByEmail(Bank.Account)
    case setBalances(above: Int, to: Int)
    case deleteAccounts(above: Int)
    /// By SQL, past the entities.
    case sql(String, balance: Int)

    case saveDraft(Bank.Draft), insertDraft(Bank.Draft), updateDraft(Bank.Draft)
    case rewrite(String, text: String)
    /// Only if it has the version.
    case deleteDraft(Bank.Draft)
    case dropDraft(String)
    case saveDrafts([Bank.Draft])
    case saveBySlug(Bank.Draft)

    case insertReceipt(Bank.Receipt)
}

/// A step of a transaction.
package indirect enum BankStep: Sendable {
    case look(BankLook)
    /// If `passes`, an error of it ends the part that it is in.
    case write(BankWrite, passes: Bool)
    /// Reads a draft and saves, updates or deletes what was read.
    case reread(String, text: String, kind: Int)
    case savepoint([BankStep])
    case fail
    /// Cancels the task that waits for the transaction.
    case cancel
}

/// What a closure of a program throws by itself.
package struct BankFailure: Error {
    package init() {}
}

/// The model's refusal of a write.
package struct BankRefusal: Error {
    let name: String
}

/// Ends the replay of a transaction on the model where the real one was cancelled.
package struct BankReplayEnd: Error {
    package init() {}
}

/// What steps run on: a transaction, or the model.
package protocol BankHandle {
    func look(_ look: BankLook) throws -> String
    func draft(_ id: String) throws -> Bank.Draft?
    mutating func write(_ write: BankWrite) throws -> String
    mutating func savepoint(_ body: (inout Self) throws -> Void) throws
}

extension BankHandle {
    /// Runs steps and notes what each returned or threw.
    ///
    /// - Parameters:
    ///   - goesOn: Whether the closure goes on after a statement that was cancelled.
    ///   - cancel: Called for a step that cancels.
    package mutating func run(
        _ steps: [BankStep], goesOn: Bool, _ log: inout [String], cancel: () throws -> Void
    ) throws {
        for step in steps {
            do {
                try run(step, goesOn: goesOn, &log, cancel: cancel)
            } catch let error where !(error is BankReplayEnd || error is BankFailure) {
                // Within the closure SQLite's words may be seen.
                let isCancelled = error is CancellationError || "\(error)".contains("interrupted")
                log.append(isCancelled ? "cancelled" : Bank.name(of: error))
                if isCancelled ? !goesOn : step.passesErrors { throw error }
            }
        }
    }

    private mutating func run(
        _ step: BankStep, goesOn: Bool, _ log: inout [String], cancel: () throws -> Void
    ) throws {
        switch step {
        case .look(let look): log.append(try self.look(look))
        case .write(let write, _): log.append(try self.write(write))
        case .reread(let id, let text, let kind):
            guard var draft = try self.draft(id) else { return log.append("none to read again") }
            draft.text = text
            switch kind {
            case 0: log.append(try write(.saveDraft(draft)))
            case 1: log.append(try write(.updateDraft(draft)))
            default: log.append(try write(.deleteDraft(draft)))
            }
        case .savepoint(let steps):
            do {
                try savepoint { try $0.run(steps, goesOn: goesOn, &log, cancel: cancel) }
                log.append("kept")
            } catch is BankFailure {
                log.append("undone")
            }
        case .fail: throw BankFailure()
        case .cancel: try cancel()
        }
    }
}

extension BankStep {
    fileprivate var passesErrors: Bool {
        if case .write(_, let passes) = self { passes } else { false }
    }
}

extension Bank {
    /// What an error says that two sides have to agree on.
    package static func name(of error: any Error) -> String {
        switch error {
        case let error as BankRefusal: return error.name
        case is BankFailure: return "failed"
        case is CancellationError: return "cancelled"
        case StorageError.conflict(_, let id, let expected, let found):
            return conflict(id, expected: expected, found: found)
        case StorageError.entityNotFound(_, let id): return "no \(id)"
        case StorageError.invalidConfiguration: return "invalid"
        case StorageError.constraintViolated(let violation) where violation.kind == .unique: return "unique"
        case StorageError.constraintViolated(let violation) where violation.kind == .foreignKey: return "foreign key"
        default:
            let text = "\(error)"
            if text.contains("UNIQUE constraint failed") { return "unique" }
            if text.contains("FOREIGN KEY constraint failed") { return "foreign key" }
            return text.contains("database is locked") ? "busy" : "unexpected: \(text)"
        }
    }

    static func conflict(_ id: String, expected: Int, found: Int?) -> String {
        "conflict \(id) \(expected) \(found ?? -1)"
    }
}
