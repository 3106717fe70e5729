import GRDB

extension AppMigrations {
    /// Puts rows with made-up values into the tables of the records: each value is one that the property can have. Two tables get
    /// the same values where their columns have the same type, so that references find their rows.
    ///
    /// - Parameters:
    ///   - db: A connection to a database that has this schema, which checks no foreign keys: rows may come before those that they
    ///     refer to.
    ///   - count: How many rows each table gets, less those that a key, a check or a trigger refuses.
    ///   - coders: Write what is JSON.
    ///   - addRows: Adds more.
    /// - Returns: The tables that got none, and why.
    package func insertSampleRows(
        into db: Database, count: Int, _ coders: JSONCoders, adding addRows: (Database) throws -> Void
    ) throws -> [String] {
        let remarks = try insertRows(into: db, count: count, coders)
        try addRows(db)
        return try remarks + db.deleteRowsWithoutParents()
    }

    private func insertRows(into db: Database, count: Int, _ coders: JSONCoders) throws -> [String] {
        try autoSchemaTables.compactMap { table in
            do {
                for number in 1...count { try db.insert(table.sampleRow(number, coders), into: table) }
            } catch let missing as NoSample {
                return
                    "table '\(table.schema.name)' has no rows, since no value is known that column '\(missing.column)' takes"
            }
            let name = table.schema.name
            let isEmpty = try db.rowCount(of: name) == 0
            return isEmpty ? "table '\(name)' has no rows, since it refused what was made up" : nil
        }
    }

    /// What keeps rows of the records' tables from being read as entities: of each table some, and how many there are besides.
    package func unreadableRows(in db: Database, _ coders: JSONCoders) throws -> [String] {
        try autoSchemaTables.flatMap { table in
            let errors = try db.readingErrors(of: table, coders)
            let others = errors.count - Self.toldRows
            let count = others > 0 ? ["rows of table '\(table.schema.name)' that cannot be read either: \(others)"] : []
            return Array(errors.prefix(Self.toldRows)) + count
        }
    }

    /// So many rows of a table say what is wrong.
    private static let toldRows = 5
}

/// No value is known for a column.
private struct NoSample: Error {
    let column: String
}

extension Database {
    fileprivate func insert(_ values: [StoredValue], into table: AutoTable) throws {
        let names = table.schema.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
        let places = values.map { _ in "?" }.joined(separator: ", ")
        try executeUnlessRefused(
            "INSERT OR IGNORE INTO main.\(table.schema.name.quotedIdentifier) (\(names)) VALUES (\(places))",
            StatementArguments(values.map(\.databaseValue)))
    }

    /// Runs a statement that a trigger may refuse by `RAISE(ABORT)`, which `OR IGNORE` does not cover. That a trigger
    /// rolls the transaction back is an error.
    ///
    /// - Returns: How many rows it changed.
    @discardableResult
    fileprivate func executeUnlessRefused(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        do {
            try execute(sql: sql, arguments: arguments)
            return changesCount
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT && isInsideTransaction {
            return 0
        }
    }

    /// What is wrong with each row that cannot be read, by its place among the rows.
    fileprivate func readingErrors(of table: AutoTable, _ coders: JSONCoders) throws -> [String] {
        let name = table.schema.name
        let columns = table.schema.columns.map(\.name)
        let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
        return try (0..<rowCount(of: name)).compactMap { row in
            // One at a time: a row that can be read would end the look.
            let sql = "SELECT \(list) FROM main.\(name.quotedIdentifier) LIMIT 1 OFFSET \(row)"
            let error = try table.readingError(in: self, sql: sql, coders, columns: Set(columns))
            return error.map { "row \(row + 1) of table '\(name)' cannot be read: \($0)" }
        }
    }
}

extension Database {
    /// Deletes the rows that refer to some that were refused, and those that refer to them.
    ///
    /// - Returns: The tables that had such rows, and those that have some still.
    fileprivate func deleteRowsWithoutParents() throws -> [String] {
        var tables: [String] = []
        var keepers: Set<String> = []
        while true {
            let broken = try Array(foreignKeyViolations())
            var deletedCount = 0
            for row in broken {
                // In a table WITHOUT ROWID all go, since SQLite does not tell which it is.
                let name = try rowidName(of: row.originTable)
                let condition = row.originRowID.flatMap { rowid in name.map { " WHERE \($0) = \(rowid)" } } ?? ""
                let count = try executeUnlessRefused(
                    "DELETE FROM main.\(row.originTable.quotedIdentifier)\(condition)")
                deletedCount += count
                if count > 0, !tables.contains(row.originTable) { tables.append(row.originTable) }
            }
            // A trigger may keep them, and write to them instead.
            keepers = Set(broken.map(\.originTable))
            if deletedCount == 0 { break }
        }
        return tables.map { "table '\($0)' has fewer rows, since those that the others would refer to are not there" }
            + keepers.sorted().map { "table '\($0)' has rows that refer to missing ones, since a trigger keeps them" }
    }
}

extension AutoTable {
    /// - Throws: ``NoSample``.
    fileprivate func sampleRow(_ number: Int, _ json: JSONCoders) throws -> [StoredValue] {
        let coders = leafCoders
        let defaults = declaredDefaults(json)
        return try schema.columns.map { column in
            let coder = coders[column.name]
            // What else there is, is not known.
            if coder == nil, !column.notNull, !column.primaryKey { return .null }
            let cases = coder?.caseValues ?? []
            let values =
                (cases.isEmpty ? [] : [cases[number % cases.count]]) + column.sampleValues(number)
                + [defaults[column.name]].compactMap(\.self)
            let value = values.first {
                coder?.readingError(of: $0, column: column.name, coders: json) == nil
            }
            guard let value = value ?? (column.notNull || column.primaryKey ? nil : .null) else {
                throw NoSample(column: column.name)
            }
            return value
        }
    }
}

extension ColumnSchema {
    /// Values of many types, the likeliest first.
    fileprivate func sampleValues(_ number: Int) -> [StoredValue] {
        switch type.uppercased() {
        case "BOOLEAN": [.integer(Int64(number % 2))]
        case "DATETIME": [.text("2026-01-0\(1 + number % 9) 12:00:00.000")]
        case ColumnType.decimal.rawValue: [.text("\(number).5")]
        case "REAL": [.real(Double(number) + 0.5)]
        case "BLOB": [.blob(Data([UInt8(truncatingIfNeeded: number)]))]
        case "INTEGER", ColumnType.unsigned.rawValue:
            [number, 0, 1, 2, 3, 10, 100].map { .integer(Int64($0)) }
        default:
            [
                "text \(number)", "00000000-0000-4000-8000-\(String(format: "%012d", number))",
                "https://example.com/\(number)", "[]", "{}", #""text""#, "\(number)", "true", "",
            ].map { .text($0) }
        }
    }
}
