import StorageSQLite

/// The rows of a table at one moment: what each is known by, and a number that stands for what it holds.
struct TableSnapshot {
    /// What a row is known by: the values of its primary key, or its rowid.
    typealias Key = [Cell]

    /// How rows changed between two snapshots.
    enum Change: String {
        case inserted, updated, deleted
    }

    private var rows: [Key: Int] = [:]

    /// No rows.
    init() {}

    /// Reads all rows of a table.
    ///
    /// - Parameter check: Called for each row; throws to stop.
    init(of table: Table, _ connection: Connection, check: () throws -> Void) throws {
        let key = table.key.map(\.name.quotedName)
        let rowid = table.rowidName.map { [$0] } ?? []
        let columns = table.storedColumns.map(\.name.quotedName)
        let list = (key + rowid + columns).joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(list) FROM main.\(table.name.quotedName)")
        while try statement.handle.step() {
            try check()
            let cells = statement.row
            var hasher = Hasher()
            for cell in cells.dropFirst(key.count + rowid.count) { hasher.combine(cell) }
            let declared = Array(cells.prefix(key.count))
            // A declared key says more than a rowid, which VACUUM may change; but more than one may be NULL.
            let keyIsUnique = !declared.isEmpty && !declared.contains(.null)
            let known = keyIsUnique ? declared : declared + cells.dropFirst(key.count).prefix(rowid.count)
            rows[known] = hasher.finalize()
        }
    }

    /// What changed since an older snapshot, each kind by keys in order.
    func changes(since older: TableSnapshot) -> [(change: Change, key: Key)] {
        var changes: [(change: Change, key: Key)] = []
        for (key, hash) in rows {
            switch older.rows[key] {
            case nil: changes.append((.inserted, key))
            case hash?: break
            default: changes.append((.updated, key))
            }
        }
        for key in older.rows.keys where rows[key] == nil { changes.append((.deleted, key)) }
        return changes.sorted { left, right in
            left.change == right.change
                ? left.key.precedes(right.key) : left.change.rawValue > right.change.rawValue
        }
    }
}

extension [Cell] {
    /// Numbers before texts, texts before bytes, as SQLite orders them.
    fileprivate func precedes(_ other: [Cell]) -> Bool {
        for (left, right) in zip(self, other) where left != right { return left.precedes(right) }
        return count < other.count
    }
}

extension Cell {
    fileprivate func precedes(_ other: Cell) -> Bool {
        if let left = number, let right = other.number { return left < right }
        switch (self, other) {
        case (.text(let left), .text(let right)): return left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.blob(let left), .blob(let right)): return left.lexicographicallyPrecedes(right)
        default: return rank == other.rank ? bytes.lexicographicallyPrecedes(other.bytes) : rank < other.rank
        }
    }

    /// The number as a Double, and exactly, by which integers differ that are the same Double.
    private var number: (Double, Int128)? {
        switch self {
        case .integer(let value): (Double(value), Int128(value))
        case .real(let value): (value, Int128(exactly: value) ?? 0)
        case .null, .text, .brokenText, .blob: nil
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .brokenText(let bytes), .blob(let bytes): Array(bytes)
        case .null, .integer, .real: []
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text, .brokenText: 2
        case .blob: 3
        }
    }
}
