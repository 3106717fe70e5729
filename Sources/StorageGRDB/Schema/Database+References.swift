import GRDB

// SQLite says that a foreign key is broken, and not which. These look for it, in the transaction of the write that failed.

extension Database {
    /// The first reference of some rows that has no row behind it, and which row that is; nil if each has one as far as can be told.
    ///
    /// It does not matter whether the rows are in the table yet.
    ///
    /// - Parameters:
    ///   - table: The table of the file that the rows are for.
    ///   - rows: The columns of each. References from columns that are missing here are passed over.
    func brokenReference(
        of table: String, rows: some Sequence<[String: StoredValue]>
    ) throws -> (row: Int, violation: ConstraintViolation)? {
        let references = try installedForeignKeys(of: table).filter { try hasTable($0.parent) }
        let ownKey = try primaryKey(of: table)
        for (place, values) in rows.enumerated() {
            let row = RowValues(values)
            let broken = try references.first { try isBroken($0, from: row, ownKey: ownKey) }
            if let broken { return (place, broken.violation) }
        }
        return nil
    }

    /// A reference to a row that has rows behind it, and keeps it from being deleted; nil if none is found.
    ///
    /// - Parameters:
    ///   - table: The table of the row.
    ///   - values: Columns by which it is found, such as its id. References to others are passed over if it is gone.
    func brokenReference(toRowOf table: String, values: [String: StoredValue]) throws -> ConstraintViolation? {
        let row = RowValues(values)
        for child in try tablesWithForeignKeys() {
            let references = try installedForeignKeys(of: child)
            for reference in references where reference.keepsRows && reference.parent.isSameName(as: table) {
                if try isUsed(reference, to: row) { return reference.violation }
            }
        }
        return nil
    }

    /// Whether the row refers to something that is not there. Of `NULL` it does not refer to anything.
    ///
    /// - Parameter ownKey: The primary key of the row's table.
    private func isBroken(_ reference: InstalledReference, from row: RowValues, ownKey: [String]) throws -> Bool {
        guard let values = row.values(of: reference.columns), !values.contains(.null),
            values.count == reference.keys.count
        else { return false }
        var condition = Condition(reference.keys, equal: values)
        if reference.parent.isSameName(as: reference.table) {
            if row.values(of: reference.keys) == values { return false }
            // What the row has now is not what it will have.
            if !ownKey.isEmpty, let own = row.values(of: ownKey) { condition.exclude(Condition(ownKey, equal: own)) }
        }
        return try !hasRow(condition, in: reference.parent)
    }

    /// Whether another row refers to the row.
    private func isUsed(_ reference: InstalledReference, to row: RowValues) throws -> Bool {
        let known = try row.values(of: reference.keys) ?? values(of: reference.keys, in: reference.parent, row)
        guard let known, !known.contains(.null), known.count == reference.columns.count else { return false }
        var condition = Condition(reference.columns, equal: known)
        if reference.parent.isSameName(as: reference.table) { condition.exclude(row.condition) }
        return try hasRow(condition, in: reference.table)
    }

    private func hasRow(_ condition: Condition, in table: String) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM main.\(table.quotedIdentifier) AS t WHERE \(condition.sql))"
        return try firstRow(sql, condition.arguments) { try $0.next() } == true
    }

    private func values(of columns: [String], in table: String, _ row: RowValues) throws -> [StoredValue]? {
        let list = columns.map { "t.\($0.quotedIdentifier)" }.joined(separator: ", ")
        let sql = "SELECT \(list) FROM main.\(table.quotedIdentifier) AS t WHERE \(row.condition.sql)"
        return try firstRow(sql, row.condition.arguments) { row in
            columns.indices.map { row.storedValue(at: Int32($0)) }
        }
    }
}

// MARK: - The schema

/// A foreign key that a table of the file has.
package struct InstalledReference {
    /// The table that refers, and its columns.
    package let table: String
    package let columns: [String]
    /// The table that is referred to, and its columns.
    package let parent: String
    package let keys: [String]
    package let onDelete: ReferenceAction
    package let onUpdate: ReferenceAction

    /// Whether it keeps a row that it refers to from being deleted.
    fileprivate var keepsRows: Bool { [.noAction, .restrict].contains(onDelete) }

    fileprivate var violation: ConstraintViolation {
        ConstraintViolation(
            kind: .foreignKey, table: table, columns: columns, message: "FOREIGN KEY constraint failed")
    }
}

extension Database {
    /// The foreign keys of a table, in the order of its SQL.
    package func installedForeignKeys(of table: String) throws -> [InstalledReference] {
        guard let name = try spelledName(ofTable: table) else { return [] }
        let sql = #"""
            SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq
            """#
        let parts = try Row.fetchAll(cachedStatement(sql: sql), arguments: [name])
        return try Dictionary(grouping: parts) { $0[0] as Int }.sorted { $0.key > $1.key }.map { _, parts in
            let keys = parts.compactMap { $0[3] as String? }
            let parent: String = parts[0][1]
            return try InstalledReference(
                table: name, columns: parts.map { $0[2] }, parent: parent,
                keys: keys.isEmpty ? primaryKey(of: parent) : keys,
                onDelete: ReferenceAction(rawValue: parts[0][4]) ?? .noAction,
                onUpdate: ReferenceAction(rawValue: parts[0][5]) ?? .noAction)
        }
    }

    /// The columns of a table's primary key, in its order.
    func primaryKey(of table: String) throws -> [String] {
        let sql = "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE pk > 0 ORDER BY pk"
        return try String.fetchAll(cachedStatement(sql: sql), arguments: [table])
    }
}

// MARK: - Rows

/// What is known of a row.
private struct RowValues {
    private let values: [String: StoredValue]

    init(_ values: [String: StoredValue]) {
        self.values = Dictionary(values.map { ($0.key.asciiLowercased, $0.value) }) { first, _ in first }
    }

    /// Nil unless all are known.
    func values(of columns: [String]) -> [StoredValue]? {
        let known = columns.compactMap { values[$0.asciiLowercased] }
        return known.count == columns.count ? known : nil
    }

    var condition: Condition { Condition(Array(values.keys), equal: Array(values.values)) }
}

private struct Condition {
    private(set) var sql: String
    private(set) var arguments: [StoredValue]

    init(_ columns: [String], equal values: [StoredValue]) {
        // With its table before it, a name that is no column is an error and not a text.
        sql = columns.map { "t.\($0.quotedIdentifier) IS ?" }.joined(separator: " AND ")
        arguments = values
    }

    mutating func exclude(_ other: Condition) {
        sql += " AND NOT (\(other.sql))"
        arguments += other.arguments
    }
}
