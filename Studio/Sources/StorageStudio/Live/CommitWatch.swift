import StorageSQLite

/// Says what was committed to the file since the last look, by whatever process.
///
/// SQLite tells cheaply that there was a commit, and not what was in it. Small tables are kept and compared, with their rows before
/// and after. Of the others it says what is known from whoever made the commit, and else only that they may have changed.
actor CommitWatch {
    /// Tables with more rows are not compared.
    static let mostRows = 2000
    /// What all that is kept may take, roughly.
    static let mostBytes = 16 << 20
    /// So many bytes of long values are looked at, which take time and are not kept.
    static let mostLongBytes = 64 << 20
    /// So many rows of a commit are told.
    static let mostChanges = 500
    /// What they may take, roughly: a hundred commits may wait for a page that is slow.
    static let mostToldBytes = 256 << 10

    private let connection: StudioConnection
    /// The connection's executor: a look never suspends, so that no two overlap.
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    private let commits: KnownCommits
    private var version: FileVersion?
    private var kept: [String: KeptTable] = [:]
    /// What was known when the last look showed no commit.
    private var early: KnownCommits.Tables = [:]

    init(_ connection: StudioConnection, _ commits: KnownCommits) {
        self.connection = connection
        self.commits = commits
    }

    /// What was committed since the last call; nil at almost no cost if nothing was. The first call looks at what there is.
    ///
    /// - Throws: ``StudioError``.
    func poll() throws -> Commit? {
        let known = version
        let before = kept
        let path = connection.path
        // The schema is read first, which settles what the transaction sees: the version is that of what it sees.
        let look = try connection.assumeIsolated { studio in
            try studio.run { connection, schema -> (version: FileVersion, tables: [String: KeptTable])? in
                let version = try FileVersion(path, connection)
                guard version != known else { return nil }
                return (version, try CommitWatch.tables(connection, schema))
            }
        }
        let rows = commits.take()
        guard let look else {
            // They may be of a commit right behind the look, and are then told with the next one, which shows it.
            defer { early = rows }
            return Commit(known: early, of: before)
        }
        version = look.version
        kept = look.tables
        defer { early = [:] }
        return known == nil ? nil : Commit(from: before, to: look.tables, known: early.adding(rows))
    }

    private static func tables(_ connection: Connection, _ schema: StudioSchema) throws -> [String: KeptTable] {
        var (bytes, longBytes) = (0, 0)
        var tables: [String: KeptTable] = [:]
        for table in schema.catalog.tables where table.kind == .table && schema.parts.isOfTheApp(table) {
            tables[table.name] = try KeptTable(table, connection, bytes: &bytes, longBytes: &longBytes)
        }
        return tables
    }
}

/// The rows of a table, if they are few.
struct KeptTable: Sendable {
    /// Without those that are calculated: they may call functions that only the app has.
    let columns: [String]
    /// By key; nil for a table that is too large to be kept, or has more columns, or longer values, than can be read.
    let rows: [[CellJSON]: [CellJSON]]?
}

extension KeptTable {
    /// - Parameters:
    ///   - bytes: What all takes that is kept, this too if it is.
    ///   - longBytes: What the long values take that were looked at, be they kept or not.
    init(_ table: Table, _ connection: Connection, bytes: inout Int, longBytes: inout Int) throws {
        columns = table.storedColumns.map(\.name)
        do {
            rows = try KeptTable.rows(table, columns, connection, bytes: &bytes, longBytes: &longBytes)
        } catch let failure as SQLiteFailure where failure.kind == .tooBig || failure.kind == .error {
            // One table that cannot be read keeps nothing from the others.
            rows = nil
        }
    }

    /// The rows by key; nil if they are many or large, or no key tells them apart.
    private static func rows(
        _ table: Table, _ columns: [String], _ connection: Connection, bytes: inout Int, longBytes: inout Int
    ) throws -> [[CellJSON]: [CellJSON]]? {
        let oneTooMany = "SELECT 1 FROM \(table.source) LIMIT 1 OFFSET \(CommitWatch.mostRows)"
        guard let keys = table.identity?.map(\.quotedName), try connection.rows(oneTooMany).isEmpty else { return nil }
        let list = (keys + columns.map(\.quotedName)).joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(list) FROM \(table.source)")
        var own = 0
        var rows: [[CellJSON]: [CellJSON]] = [:]
        while try statement.handle.step() {
            // Of a long value its length and beginning stand for it.
            let cells = statement.handle.beginnings()
            own += cells.reduce(0) { $0 + $1.memory }
            let long = cells.reduce(0) { $0 + ($1.byteCount ?? 0) }
            longBytes += long
            guard bytes + own < CommitWatch.mostBytes, long == 0 || longBytes < CommitWatch.mostLongBytes else {
                return nil
            }
            rows[Array(cells.prefix(keys.count))] = Array(cells.dropFirst(keys.count))
        }
        bytes += own
        return rows
    }
}

/// What changed from one look to the next.
struct Commit: Encodable, Sendable {
    struct Change: Encodable, Sendable {
        enum Kind: String, Encodable { case inserted, updated, deleted }
        let kind: Kind
        let before: [CellJSON]?
        let after: [CellJSON]?
    }

    struct TableChanges: Encodable, Sendable {
        let name: String
        let columns: [String]
        let changes: [Change]
        /// How many more there are.
        let more: Int
    }

    let tables: [TableChanges]
    /// The tables that may have changed and are too large to be compared, or cannot be read or their rows told apart.
    let uncompared: [String]

    /// Of commits that were compared before.
    ///
    /// - Returns: Nil if all that is known was among what was compared.
    init?(known: KnownCommits.Tables, of tables: [String: KeptTable]) {
        let names = known.keys.sorted().filter { tables[$0]?.rows == nil && tables[$0] != nil }
        self.tables = Commit.told(names.compactMap { known[$0].map(TableChanges.init) })
        uncompared = []
        if self.tables.isEmpty { return nil }
    }

    init(from old: [String: KeptTable], to new: [String: KeptTable], known: KnownCommits.Tables) {
        var tables: [TableChanges] = []
        var uncompared: [String] = []
        for (name, table) in new.sorted(by: { $0.key < $1.key }) {
            guard let rows = table.rows, let before = old[name].map(\.rows) ?? [:] else {
                if let rows = known[name] { tables.append(TableChanges(rows)) } else { uncompared.append(name) }
                continue
            }
            let changes = Commit.changes(before, rows)
            if !changes.isEmpty {
                let told = changes.prefix(CommitWatch.mostChanges)
                tables.append(
                    TableChanges(
                        name: name, columns: table.columns, changes: Array(told), more: changes.count - told.count))
            }
        }
        for name in old.keys.sorted() where new[name] == nil {
            tables.append(TableChanges(name: name, columns: [], changes: [], more: old[name]?.rows?.count ?? 0))
        }
        self.tables = Commit.told(tables)
        self.uncompared = uncompared
    }

    /// As many of the changes as may be told.
    private static func told(_ tables: [TableChanges]) -> [TableChanges] {
        var bytes = 0
        return tables.map { table in
            let changes = table.changes.prefix { change in
                bytes += change.memory
                return bytes <= CommitWatch.mostToldBytes
            }
            return TableChanges(
                name: table.name, columns: table.columns, changes: Array(changes),
                more: table.more + table.changes.count - changes.count)
        }
    }

    private static func changes(_ before: [[CellJSON]: [CellJSON]], _ after: [[CellJSON]: [CellJSON]]) -> [Change] {
        var changes: [Change] = []
        for (key, row) in after {
            guard let old = before[key] else {
                changes.append(Change(kind: .inserted, before: nil, after: row))
                continue
            }
            if old != row { changes.append(Change(kind: .updated, before: old, after: row)) }
        }
        for (key, row) in before where after[key] == nil {
            changes.append(Change(kind: .deleted, before: row, after: nil))
        }
        return changes
    }
}

extension Commit.Change {
    fileprivate var memory: Int { [before, after].compactMap { $0 }.joined().reduce(0) { $0 + $1.memory } }
}

extension Commit.TableChanges {
    /// - Parameter table: What is known of the changes of a table.
    fileprivate init(_ table: CommittedRows.Table) {
        name = table.name
        columns = table.columns
        changes = table.rows.map { row in
            Commit.Change(
                kind: row.before == nil ? .inserted : row.after == nil ? .deleted : .updated,
                before: row.before.map { $0.map { CellJSON(beginningOf: $0) } },
                after: row.after.map { $0.map { CellJSON(beginningOf: $0) } })
        }
        more = table.count - table.rows.count
    }
}
