import Persistence
import StorageTestSupport

/// What a task of a random program does with a database.
enum Deed: Sendable {
    /// One statement outside of any transaction.
    case change(Int)
    case transaction(Plan)
    /// A walk through the cells, which has to see one state.
    case walk
}

/// What the closure of a transaction does.
struct Plan: Sendable {
    var steps: [Step] = []
    var endsByThrowing = false
}

indirect enum Step: Sendable {
    case change(Int)
    /// A statement that SQLite refuses.
    case refused
    case pause
    /// A call to the database instead of the handle.
    case callOutside
    case nested(Plan)
    /// Child tasks that share the handle.
    case children([[Step]])
    /// A task that nobody waits for.
    case stray(Int)
    /// The task cancels itself.
    case cancel
}

/// Several tasks that work on one database at the same time.
struct TransactionProgram {
    static let cellCount = 3
    var tasks: [[Deed]] = []
    /// Tasks to cancel from outside, each after so many pauses.
    var cancellations: [(task: Int, pauses: Int)] = []
    private var changes = 0

    init(random: inout SeededGenerator) {
        tasks = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            (0..<Int.random(in: 1...5, using: &random)).map { _ in deed(&random) }
        }
        for task in tasks.indices where Int.random(in: 0..<8, using: &random) == 0 {
            cancellations.append((task, Int.random(in: 0...60, using: &random)))
        }
    }

    private mutating func deed(_ random: inout SeededGenerator) -> Deed {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: .change(nextChange())
        case 4: .walk
        default: .transaction(plan(depth: 0, &random))
        }
    }

    private mutating func plan(depth: Int, _ random: inout SeededGenerator) -> Plan {
        Plan(
            steps: steps(Int.random(in: 0...5, using: &random), depth: depth, &random),
            endsByThrowing: Int.random(in: 0..<4, using: &random) == 0)
    }

    private mutating func steps(_ count: Int, depth: Int, _ random: inout SeededGenerator) -> [Step] {
        (0..<count).map { _ in
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<9: .change(nextChange())
            case 9..<12: .pause
            case 12: .refused
            case 13, 14: .callOutside
            case 15..<19 where depth < 3: .nested(plan(depth: depth + 1, &random))
            case 19..<21 where depth < 3:
                .children(
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        steps(Int.random(in: 1...3, using: &random), depth: depth + 1, &random)
                    })
            case 21: .stray(nextChange())
            case 22 where Int.random(in: 0..<4, using: &random) == 0: .cancel
            default: .change(nextChange())
            }
        }
    }

    private mutating func nextChange() -> Int {
        changes += 1
        return changes
    }
}

/// The serial model: what the cells hold after some changes, one after the other.
struct Cells: Equatable {
    private(set) var values = [Int64](repeating: 0, count: TransactionProgram.cellCount)

    init(after changes: some Sequence<Int>) {
        for change in changes {
            let cell = change % TransactionProgram.cellCount
            // The order of two changes of one cell matters.
            values[cell] = (values[cell] * 31 + Int64(change)) % 1_000_003
        }
    }
}
