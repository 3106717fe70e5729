import StorageSQLite
import Synchronization

/// The rows of commits whose rows are known, since they were made here or by the app that serves the page: collected until the next
/// look at the file.
final class KnownCommits: Sendable {
    /// So many rows of a table are kept from one look to the next, and of one commit.
    static let mostRows = 500

    /// By the bytes of their names: Swift takes a composed and a decomposed letter for one, and SQLite for two.
    typealias Tables = [[UInt8]: CommittedRows.Table]

    private let tables = Mutex<Tables>([:])

    func add(_ rows: CommittedRows) {
        tables.withLock { tables in rows.tables.forEach { tables.add($0) } }
    }

    /// What was collected since the last call.
    func take() -> Tables {
        tables.withLock { tables in
            defer { tables = [:] }
            return tables
        }
    }
}

extension KnownCommits.Tables {
    fileprivate mutating func add(_ table: CommittedRows.Table) {
        self[Array(table.name.utf8), default: table.withoutRows].add(table)
    }

    /// These, and later ones.
    func adding(_ others: KnownCommits.Tables) -> KnownCommits.Tables {
        others.values.reduce(into: self) { $0.add($1) }
    }
}

extension CommittedRows {
    /// The same with so many rows at the most; the others are counted alone.
    func limited(to limit: Int) -> CommittedRows {
        var (limited, rest) = (self, limit)
        for index in limited.tables.indices {
            limited.tables[index].rows = Array(limited.tables[index].rows.prefix(rest))
            rest -= limited.tables[index].rows.count
        }
        return limited
    }
}

extension CommittedRows.Table {
    fileprivate var withoutRows: CommittedRows.Table {
        CommittedRows.Table(name: name, columns: columns, rows: [], count: 0)
    }

    fileprivate mutating func add(_ other: CommittedRows.Table) {
        count += other.count
        // The table may have got other columns meanwhile, and the rows before are counted alone then.
        if columns != other.columns { (columns, rows) = (other.columns, []) }
        rows += other.rows.prefix(max(0, KnownCommits.mostRows - rows.count))
    }
}
