import StorageCore
import Synchronization

/// What the streams of the app have read, each counted.
final class StreamFigures: Sendable {
    struct Figure: Encodable, Sendable {
        /// What tells it from the others.
        let number: Int
        let table: String?
        let sql: String
        /// How often it was read, and how often all of it.
        var reads = 0
        var wholeReads = 0
        /// How many reads gave nothing new.
        var unchangedReads = 0
        /// How many rows were read in all, as far as that is known.
        var allRows = 0
        /// The last read.
        var scope = StreamRead.Scope.all.rawValue
        var rows: Int?
        var milliseconds = 0.0

        fileprivate mutating func add(_ read: StreamRead) {
            reads += 1
            if read.scope == .all { wholeReads += 1 }
            if !read.isNew { unchangedReads += 1 }
            allRows += read.rowCount ?? 0
            scope = read.scope.rawValue
            rows = read.rowCount
            milliseconds = read.duration / .milliseconds(1)
        }
    }

    private struct Subject: Hashable {
        let table: String?
        let sql: String
    }

    private struct State {
        var figures: [Subject: Figure] = [:]
        var changed: Set<Subject> = []
    }

    /// So many streams are counted; an app that writes values into its SQL has new ones without end.
    static let most = 200
    private let state = Mutex(State())

    func add(_ read: StreamRead) {
        let subject = Subject(table: read.table, sql: read.sql)
        state.withLock { state in
            let count = state.figures.count
            guard state.figures[subject] != nil || count < StreamFigures.most else { return }
            state.figures[subject, default: Figure(number: count, table: read.table, sql: read.sql)].add(read)
            state.changed.insert(subject)
        }
    }

    /// Those that changed since the last call.
    func takeChanged() -> [Figure] {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed.compactMap { state.figures[$0] }.sorted { $0.number < $1.number }
        }
    }

    /// Has all be taken anew, for a page that has heard of none.
    func renew() {
        state.withLock { $0.changed = Set($0.figures.keys) }
    }
}
