import GRDB

/// The references that point nowhere, seen before a step and after it. Those of before are not the step's fault, and do
/// not make it fail; nor do those that SQLite cannot check.
///
/// A reference is one of before if it has the same value, in whatever table, or stands in the same row: so tables may be
/// renamed and made anew, and values changed. In tables without rowids the numbers alone tell. What goes unseen is a
/// step that mends a reference and breaks another of the same value.
struct BrokenReferences {
    private var before: State?
    private var extent: Extent?
    /// The references that the last step drops, as table, column and parent: what they refer to is no longer asked.
    private let stale: (Database) throws -> Set<[SQLName]>
    /// Whether a later step gives a table a key by which others refer to it.
    private let makesUnique: (_ table: String, Database) throws -> Bool

    init(
        stale: @escaping (Database) throws -> Set<[SQLName]>,
        makesUnique: @escaping (_ table: String, Database) throws -> Bool
    ) {
        self.stale = stale
        self.makesUnique = makesUnique
    }

    /// Sees those that are there, before a step that may break any.
    mutating func look(_ db: Database) throws {
        before = try before ?? State(db)
        extent = try Extent(db)
    }

    /// Those that were not there at the last call.
    ///
    /// - Throws: SQLite's error if a table can no longer be checked.
    mutating func newlyBroken(_ db: Database) throws -> [BrokenReference] {
        guard let before, try Extent(db) != extent else { return [] }
        var state = try State(db)
        // What refers to a table that has yet to get its key is checked once it has it.
        let waiting = try state.uncheckedTables.filter { table in
            try db.installedForeignKeys(of: table).contains { try makesUnique($0.parent, db) }
        }
        state.keep(waiting, from: before)
        if let error = try state.newMismatch(since: before, db) { throw error }
        defer { self.before = state }
        guard !state.newReferences(since: before).isEmpty else { return [] }
        // Each kind is compared by itself. Of those that the last step drops it is as before: what it leaves is told then.
        let stale = try stale(db)
        let new = state.leavingOut(stale).newReferences(since: before.leavingOut(stale))
        state.take(stale, from: before)
        return new
    }
}

/// A reference that points nowhere.
struct BrokenReference {
    struct Place: Hashable {
        let table: String
        /// Nil in a table without rowids.
        let row: Int64?
        let key: Int
    }

    let place: Place
    let column: String
    let parent: String
    /// What it refers to, as text, since a table that is made anew may have other types; nil where the row is not found.
    let value: String?

    /// - Parameter references: As table, column and parent.
    fileprivate func isAmong(_ references: Set<[SQLName]>) -> Bool {
        references.contains([place.table, column, parent].map(SQLName.init))
    }
}

/// How much has changed: a step that changes nothing breaks none.
private struct Extent: Equatable {
    let rows: Int
    let schema: Int?

    init(_ db: Database) throws {
        rows = db.totalChangesCount
        schema = try db.schemaCookie()
    }
}

private struct State {
    private var references: [BrokenReference] = []
    private var mismatches: [String: DatabaseError] = [:]

    init(_ db: Database) throws {
        for table in try db.tablesWithForeignKeys() {
            do {
                references += try db.brokenReferences(of: table)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                // A key that no unique one stands behind, or a collation that only another program has.
                mismatches[table] = error
            }
        }
    }

    var uncheckedTables: [String] { Array(mismatches.keys) }

    /// Keeps what was known of these tables before: they cannot be checked yet.
    mutating func keep(_ tables: [String], from before: State) {
        for table in tables { mismatches[table] = before.mismatches[table] }
        references += before.references.filter { tables.contains($0.place.table) }
    }

    func leavingOut(_ stale: Set<[SQLName]>) -> State {
        var state = self
        state.references.removeAll { $0.isAmong(stale) }
        return state
    }

    mutating func take(_ stale: Set<[SQLName]>, from before: State) {
        references = leavingOut(stale).references + before.references.filter { $0.isAmong(stale) }
    }

    func newReferences(since before: State) -> [BrokenReference] {
        var gone: [String?: Int] = [:]
        for reference in before.references { gone[reference.value, default: 0] += 1 }
        var new = references.filter { reference in
            guard let count = gone[reference.value] else { return true }
            gone[reference.value] = count > 1 ? count - 1 : nil
            return false
        }
        var rest = gone.values.reduce(0, +)
        let places = Set(before.references.map(\.place))
        new.removeAll { reference in
            guard rest > 0, reference.place.row != nil, places.contains(reference.place) else { return false }
            rest -= 1
            return true
        }
        guard gone[nil] != nil || new.contains(where: { $0.value == nil }) else { return new }
        return Array(new.dropFirst(rest))
    }

    /// A table that cannot be checked may have been renamed: only one more than have gone is new.
    func newMismatch(since before: State, _ db: Database) throws -> DatabaseError? {
        let gone = try before.mismatches.keys.count { try !db.hasTable($0) }
        return mismatches.filter { before.mismatches[$0.key] == nil }.map(\.value).dropFirst(gone).first
    }
}

extension Database {
    fileprivate func brokenReferences(of table: String) throws -> [BrokenReference] {
        let values = try foreignKeyValues(of: table)
        let row = try rowidName(of: table)
        let join = row.map { " LEFT JOIN main.\(table.quotedIdentifier) AS child ON child.\($0) = broken.rowid" } ?? ""
        let sql = """
            SELECT broken.rowid, broken."parent", broken.fkid, \(row == nil ? "NULL" : values), list."from"
            FROM pragma_foreign_key_check(?, 'main') AS broken
            JOIN pragma_foreign_key_list(?, 'main') AS list ON list.id = broken.fkid AND list.seq = 0\(join)
            """
        return try Row.fetchAll(self, sql: sql, arguments: [table, table]).map { row in
            BrokenReference(
                place: BrokenReference.Place(table: table, row: row[0], key: row[2]), column: row[4], parent: row[1],
                value: row[3])
        }
    }

    /// The expression for what each foreign key of a row refers to.
    private func foreignKeyValues(of table: String) throws -> String {
        let sql = #"SELECT id, "from" FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq"#
        let columns = try Row.fetchAll(self, sql: sql, arguments: [table])
        let cases = Dictionary(grouping: columns) { $0[0] as Int }.map { key, columns in
            let texts = columns.map { "CAST(child.\(($0[1] as String).quotedIdentifier) AS TEXT)" }
            return "WHEN \(key) THEN \(texts.joined(separator: " || char(31) || "))"
        }
        return "CASE broken.fkid \(cases.joined(separator: " ")) END"
    }
}

/// A migration left rows that refer to rows which are not there.
public struct ForeignKeysBrokenError: Error, Sendable, Equatable {
    /// The table that refers.
    public let table: String
    /// The table that is referred to.
    public let parent: String
    /// How many rows.
    public let rows: Int
}

extension ForeignKeysBrokenError: LocalizedError {
    /// The tables, and how many rows.
    public var errorDescription: String? {
        "\(rows) row\(rows == 1 ? "" : "s") of '\(table)' would refer to rows of '\(parent)' that are not there"
    }
}
