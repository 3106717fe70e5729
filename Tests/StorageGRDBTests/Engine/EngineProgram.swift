import StorageTestSupport

/// What several tasks do at once with the stores of one file, and with connections of others.
struct EngineProgram: Sendable {
    let tasks: [[EngineCall]]
    /// Whether somebody has each writer while the tasks begin, so that their writes wait and share a commit.
    let beginsHeld: Bool

    static let ids = ["a", "b", "c", "d"]

    /// - Parameter numbers: The number of the program's first write. Each write has one of its own.
    init(stores: Int, hasChild: Bool, numbers: inout Int, random: inout SeededGenerator) {
        let closes = Int.random(in: 0..<20, using: &random) == 0
        beginsHeld = Bool.random(using: &random)
        var tasks: [[EngineCall]] = []
        for task in 0..<Int.random(in: 2...6, using: &random) {
            var calls: [EngineCall] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                numbers += 1
                calls.append(EngineCall(numbers, store: .random(in: 0..<stores, using: &random), random: &random))
                // Lines of two calls at once could not be told apart.
                if hasChild, task == 0, Bool.random(using: &random) { calls[calls.count - 1].turn(into: .child) }
            }
            tasks.append(calls)
        }
        if closes {
            let store = Int.random(in: 0..<stores, using: &random)
            // Now and then twice, at once or one after the other.
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                numbers += 1
                var call = EngineCall(numbers, store: store, random: &random)
                call.turn(into: .close)
                let task = tasks.indices.randomElement(using: &random) ?? 0
                tasks[task].insert(call, at: .random(in: 0...tasks[task].count, using: &random))
            }
        }
        self.tasks = tasks
    }
}

/// One call, and what is to go wrong with it.
struct EngineCall: Sendable {
    enum Kind: Sendable {
        // Brief writes of a store.
        case save, brief, atOnce, soon, delete
        // Long ones.
        case saveSeveral, updateAll, deleteAll, appWrite
        /// An app's write past the queue.
        case poolWrite
        /// A connection that the library knows nothing of, in this process and in another.
        case foreign, child
        case get, readAll, setCache, checkpoint
        /// Makes the next commit of the store fail.
        case refuse
        case close
    }

    /// What makes a write fail, in the words of its error.
    enum Fault: String, Sendable, CaseIterable {
        /// A trigger's, by RAISE.
        case abort, rollback, fail
        /// A foreign key that is looked at when the transaction ends.
        case orphan = "FOREIGN KEY constraint failed"
        /// Thrown by the body when it has written.
        case thrown
    }

    enum Cancellation: Sendable {
        case before
        /// After so many pauses.
        case later(Int)
        /// By the body itself.
        case within
    }

    /// What a body of the app's does beside its write.
    enum Aside: Sendable {
        case none, changesSchema, undoesSavepoint, goesOnAfterRollback, rests
    }

    private(set) var kind: Kind
    /// What it writes, and nobody else.
    let number: Int
    let store: Int
    let ids: [String]
    private(set) var fault: Fault?
    private(set) var cancellation: Cancellation?
    let aside: Aside

    init(_ number: Int, store: Int, random: inout SeededGenerator) {
        self.number = number
        self.store = store
        let count = Int.random(in: 1...3, using: &random)
        kind = Self.kinds.randomElement(using: &random) ?? .save
        ids = Array(EngineProgram.ids.shuffled(using: &random).prefix(kind.writesSeveral ? count : 1))
        fault = Int.random(in: 0..<6, using: &random) == 0 ? Fault.allCases.randomElement(using: &random) : nil
        aside = Self.asides.randomElement(using: &random) ?? .none
        switch Int.random(in: 0..<20, using: &random) {
        case 0: cancellation = .before
        case 1: cancellation = .within
        case 2, 3: cancellation = .later(.random(in: 0..<30, using: &random))
        default: cancellation = nil
        }
        turn(into: kind)
    }

    /// Makes it another kind of call, which may not fail in the same ways.
    mutating func turn(into kind: Kind) {
        self.kind = kind
        switch kind {
        case .save, .saveSeveral: if fault == .thrown { fault = nil }
        case .brief, .atOnce, .soon, .appWrite, .poolWrite: break
        default: fault = nil
        }
        if case .within = cancellation, kind != .appWrite, kind != .poolWrite { cancellation = nil }
        if [.foreign, .child, .setCache, .refuse, .close, .checkpoint].contains(kind) { cancellation = nil }
    }

    private static let kinds: [Kind] = [
        .save, .save, .save, .save, .save, .brief, .brief, .atOnce, .soon, .soon, .soon, .delete, .delete, .saveSeveral,
        .saveSeveral,
        .updateAll, .deleteAll, .appWrite, .appWrite, .appWrite, .poolWrite, .foreign, .foreign, .get, .get, .get,
        .readAll,
        .setCache, .setCache, .checkpoint, .refuse,
    ]
    private static let asides: [Aside] = [
        .none, .none, .none, .rests, .undoesSavepoint, .goesOnAfterRollback, .changesSchema,
    ]
}

extension EngineCall: CustomStringConvertible {
    var description: String {
        let what = fault.map { " (\($0))" } ?? ""
        let cancelled = cancellation.map { ", cancelled \($0)" } ?? ""
        return "\(kind)\(what) \(number) to \(ids.joined()) of store \(store)\(cancelled), \(aside)"
    }
}

extension EngineCall.Kind {
    var writesSeveral: Bool { [.saveSeveral, .appWrite, .poolWrite, .foreign, .child].contains(self) }

    /// Whether it writes its number to its ids.
    var puts: Bool {
        [.save, .brief, .atOnce, .soon, .saveSeveral, .appWrite, .poolWrite, .foreign, .child].contains(self)
    }

    /// Whether nobody in this process has to hear of it by itself.
    var isForeign: Bool { self == .foreign || self == .child }
}
