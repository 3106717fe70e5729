import StorageSQLite

/// Says what was committed to the file since the last look, by whatever process.
///
/// SQLite tells cheaply that there was a commit, and not what was in it. Small tables are read at each commit: a number that stands
/// for all of a table's rows tells whether they changed, and as many tables as there is room for are kept, and told with their rows
/// before and after. Of the others it says what is known from whoever made the commit, and else only that they may have changed.
actor CommitWatch {
    /// Tables with more rows are not read.
    static let mostRows = 2000
    /// So many rows of a commit are told.
    static let mostChanges = 500
    /// What they may take, roughly: a hundred commits may wait for a page that is slow.
    static let mostToldBytes = 256 << 10

    private let connection: StudioConnection
    /// The connection's executor: a look never suspends, so that no two overlap.
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    private let commits: KnownCommits
    private let limits: LookLimits
    private var version: FileVersion?
    private var kept: KeptTable.Tables = [:]
    /// Rows reported to us whose commit the last look may have missed; told with the next look.
    private var early: KnownCommits.Tables = [:]

    init(_ connection: StudioConnection, _ commits: KnownCommits, limits: LookLimits = LookLimits()) {
        self.connection = connection
        self.commits = commits
        self.limits = limits
    }

    /// What was committed since the last call; nil at almost no cost if nothing was. The first call looks at what there is.
    ///
    /// - Throws: ``StudioError``.
    func poll() throws -> Commit? {
        let before = kept
        // Rows are known once their commit is made: the look sees those of which they are known by now.
        let sure = commits.take()
        let look: Look?
        do {
            look = try self.look()
        } catch {
            early = early.adding(sure)
            throw error
        }
        // Rows that arrived during the look: of a commit it saw, or of the next one.
        let late = commits.take()
        guard let look else {
            // What is of a commit right behind the look is told with the next one, which shows it.
            defer { early = sure.adding(late) }
            return Commit(known: early, of: before)
        }
        let told: Commit? =
            version == nil ? nil : Commit(from: before, to: look.tables, known: early.adding(sure).adding(late))
        version = look.version
        kept = look.tables
        // A table that was compared, or was as before, was told without them. By the next look it may have grown too large to be
        // compared, and they are all that tells of its rows.
        early = late.filter { name, _ in
            guard let table = look.tables[name] else { return false }
            return table.comparison(with: before[name]) != nil || table.isChanged(since: before[name]) == false
        }
        return told
    }

    /// A moment of the file.
    private struct Look: Sendable {
        let version: FileVersion
        let tables: KeptTable.Tables
    }

    /// Nil if there was no commit since the last look.
    private func look() throws -> Look? {
        let (known, before, limits, path) = (version, kept, limits, connection.path)
        // The schema is read first, which settles what the transaction sees: the version is that of what it sees.
        return try connection.assumeIsolated { studio in
            try studio.run { connection, schema -> Look? in
                let version = try FileVersion(path, connection)
                guard version != known else { return nil }
                var left = limits
                var tables: KeptTable.Tables = [:]
                for table in schema.catalog.tables where table.kind == .table && schema.parts.isOfTheApp(table) {
                    let name = Array(table.name.utf8)
                    tables[name] = try KeptTable(table, connection, since: before[name], &left)
                }
                return Look(version: version, tables: tables)
            }
        }
    }
}

/// What a look may read and keep, of all tables together.
struct LookLimits: Sendable {
    /// What the rows that are kept may take, roughly.
    var keptBytes = 16 << 20
    /// So many bytes of long values are read, which take time and are not kept.
    var longBytes = 64 << 20
    /// So many bytes of all other values, of which each counts ``bytesPerValue`` more.
    var readBytes = 32 << 20

    static let bytesPerValue = 16
}

/// A table as a look found it.
struct KeptTable: Sendable {
    /// By the bytes of their names, as ``KnownCommits/Tables``.
    typealias Tables = [[UInt8]: KeptTable]

    let name: String
    /// Without those that are calculated: they may call functions that only the app has.
    let columns: [String]
    /// Nil for a table that is too large to be read, or has more columns, or longer values, than can be read, or rows that no key
    /// tells apart.
    fileprivate let contents: Contents?

    /// By key.
    typealias Rows = [[CellJSON]: [CellJSON]]

    fileprivate struct Contents {
        /// Stands for all rows: another one tells that some changed.
        let digest: Int
        /// Nil where there is no room for them.
        let rows: Rows?
        /// How much memory they take, roughly.
        let memory: Int
    }

    /// - Parameters:
    ///   - former: What the last look found.
    ///   - left: What may still be read and kept.
    init(_ table: Table, _ connection: Connection, since former: KeptTable?, _ left: inout LookLimits) throws {
        name = table.name
        columns = table.storedColumns.map(\.name)
        do {
            contents = try Contents(table, columns, connection, since: former?.contents, &left)
        } catch let failure as SQLiteFailure where failure.kind == .tooBig || failure.kind == .error {
            // One table that cannot be read keeps nothing from the others.
            contents = nil
        }
    }

    /// The rows; nil where they are not kept.
    var rows: Rows? { contents?.rows }

    /// The rows as a former look found them, and as they are; nil if those of either are not kept. A table that is new had none.
    func comparison(with former: KeptTable?) -> (before: Rows, after: Rows)? {
        guard let rows else { return nil }
        guard let former else { return ([:], rows) }
        guard let before = former.rows else { return nil }
        return (before, rows)
    }

    /// Whether it is another than a former look found; nil if that cannot be told.
    func isChanged(since former: KeptTable?) -> Bool? {
        guard let now = contents, let before = former?.contents else { return nil }
        return now.digest != before.digest
    }
}

extension KeptTable.Contents {
    fileprivate init?(
        _ table: Table, _ columns: [String], _ connection: Connection, since former: Self?, _ left: inout LookLimits
    ) throws {
        let oneTooMany = "SELECT 1 FROM \(table.source) LIMIT 1 OFFSET \(CommitWatch.mostRows)"
        guard let keys = table.identity?.map(\.quotedName), try connection.rows(oneTooMany).isEmpty else { return nil }
        let list = (keys + columns.map(\.quotedName)).joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(list) FROM \(table.source)")
        guard let digest = try statement.handle.digest(startingWith: list, &left) else { return nil }
        self.digest = digest
        // Most tables are what they were, and to read a row for the digest takes a fraction of what it takes to copy it.
        if let former, former.digest == digest {
            let isKept = former.memory < left.keptBytes
            rows = isKept ? former.rows : nil
            memory = isKept ? former.memory : 0
        } else {
            statement.handle.reset()
            (rows, memory) = try statement.handle.rows(keyCount: keys.count, within: left.keptBytes)
        }
        left.keptBytes -= memory
    }
}

extension StatementHandle {
    /// What stands for all rows; nil if they have more than may still be read.
    ///
    /// It is made of a sum, to which each row adds what stands for it: in which order SQLite reads the rows changes with the indexes.
    fileprivate func digest(startingWith list: String, _ left: inout LookLimits) throws -> Int? {
        var sum = 0
        let columns = 0..<Int32(columnCount)
        while try step() {
            var hasher = Hasher()
            var long = 0
            for column in columns {
                let count = cell(at: column).add(to: &hasher)
                if count > CellJSON.longest {
                    long += count
                } else {
                    left.readBytes -= count + LookLimits.bytesPerValue
                }
            }
            left.longBytes -= long
            guard left.readBytes > 0, long == 0 || left.longBytes > 0 else { return nil }
            sum &+= hasher.finalize()
        }
        var hasher = Hasher()
        hasher.combine(list)
        hasher.combine(sum)
        return hasher.finalize()
    }

    /// The rows by key, and how much memory they take; none if that is too much.
    fileprivate func rows(keyCount: Int, within bytes: Int) throws -> (rows: KeptTable.Rows?, memory: Int) {
        var memory = 0
        var rows: KeptTable.Rows = [:]
        while try step() {
            // Of a long value its length and beginning stand for it.
            let cells = beginnings()
            memory += cells.reduce(0) { $0 + $1.memory }
            guard memory < bytes else { return (nil, 0) }
            rows[Array(cells.prefix(keyCount))] = Array(cells.dropFirst(keyCount))
        }
        return (rows, memory)
    }
}

extension ColumnCell {
    /// Adds its kind and all that it holds.
    ///
    /// - Returns: How many bytes it has, of a text or of bytes.
    fileprivate func add(to hasher: inout Hasher) -> Int {
        let kind = storageClass
        hasher.combine(kind.rawValue)
        switch kind {
        case .null: return 0
        case .integer:
            hasher.combine(integer)
            return 0
        case .real:
            hasher.combine(real.bitPattern)
            return 0
        case .text: return ColumnCell.add(UnsafeRawBufferPointer(text), to: &hasher)
        case .blob: return ColumnCell.add(blob, to: &hasher)
        }
    }

    private static func add(_ bytes: UnsafeRawBufferPointer, to hasher: inout Hasher) -> Int {
        // Where one value ends and the next begins is part of what they are.
        hasher.combine(bytes.count)
        hasher.combine(bytes: bytes)
        return bytes.count
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

    /// What changed in a table; without rows where it is known that something did, and not in which of them. Without columns, too,
    /// where the table is not there any more.
    struct TableChanges: Encodable, Sendable {
        let name: String
        let columns: [String]
        let changes: [Change]
        /// How many more there are.
        let more: Int
    }

    let tables: [TableChanges]
    /// The tables that may have changed and are too large to be read, or cannot be read or their rows told apart.
    let uncompared: [String]

    /// Of commits that were compared before.
    ///
    /// - Returns: Nil if all that is known was among what was compared.
    init?(known: KnownCommits.Tables, of tables: KeptTable.Tables) {
        let told = known.filter { name, _ in tables[name] != nil && tables[name]?.rows == nil }
        self.tables = Commit.told(told.values.sorted { $0.name < $1.name }.map(TableChanges.init))
        uncompared = []
        if self.tables.isEmpty { return nil }
    }

    init(from old: KeptTable.Tables, to new: KeptTable.Tables, known: KnownCommits.Tables) {
        var tables: [TableChanges] = []
        var uncompared: [String] = []
        for (key, table) in new.sorted(by: { $0.value.name < $1.value.name }) {
            let (name, former) = (table.name, old[key])
            let isChanged = table.isChanged(since: former)
            guard let (before, rows) = table.comparison(with: former) else {
                // Rows of a table that is as before are of a commit right behind this look.
                if let rows = known[key], isChanged != false {
                    tables.append(TableChanges(rows))
                } else if isChanged == true {
                    // In which rows is not known.
                    tables.append(TableChanges(name: name, columns: table.columns, changes: [], more: 0))
                } else if isChanged == nil {
                    uncompared.append(name)
                }
                continue
            }
            let changes = Commit.changes(before, rows)
            // A long value may have changed behind its beginning.
            if !changes.isEmpty || isChanged == true {
                let told = changes.prefix(CommitWatch.mostChanges)
                tables.append(
                    TableChanges(
                        name: name, columns: table.columns, changes: Array(told), more: changes.count - told.count))
            }
        }
        for table in old.filter({ new[$0.key] == nil }).values.sorted(by: { $0.name < $1.name }) {
            tables.append(TableChanges(name: table.name, columns: [], changes: [], more: 0))
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
