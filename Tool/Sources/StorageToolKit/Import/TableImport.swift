import Foundation
import StorageSQLite

/// Imports rows into a table: all of them, or none.
struct TableImport {
    private let connection: Connection
    private let table: Table
    private let isUpsert: Bool
    /// The columns in which SQLite makes numbers of texts, and integers where it can.
    private let integerColumns: Set<Int>
    /// A statement for each list of columns that rows have.
    private(set) var statements: [[Int]: Statement] = [:]
    private static let mostStatements = 64

    /// - Parameters:
    ///   - connection: One that writes.
    ///   - table: Where the rows go.
    ///   - isUpsert: Whether a row takes the place of one with the same primary key.
    init(_ connection: Connection, into table: Table, isUpsert: Bool) throws {
        guard table.kind == .table || table.kind == .virtual else {
            throw ToolError(.badData, "'\(table.name)' is a \(table.kind.rawValue), into which nothing can be imported")
        }
        if isUpsert, table.key.isEmpty {
            throw ToolError(.badData, "table '\(table.name)' has no primary key, which --upsert goes by")
        }
        self.connection = connection
        self.table = table
        self.isUpsert = isUpsert
        integerColumns = Set(
            table.columns.indices.filter { index in
                [.integer, .numeric].contains(Affinity(of: table.columns[index].type, isStrict: table.isStrict))
            })
    }

    /// Imports all rows in one transaction.
    ///
    /// - Parameter onRow: Called after each row with the number of rows so far; an error ends the import.
    /// - Returns: How many rows there were.
    /// - Throws: ``InputProblem`` at the first row that is wrong or that the table does not take.
    mutating func run(_ reader: some RecordReader, onRow: (Int) throws -> Void = { _ in }) throws -> Int {
        var reader = reader
        return try connection.transaction("BEGIN IMMEDIATE") {
            // Rows that refer to rows of the same table may come before them.
            let refersToItself = table.foreignKeys.contains { $0.parent.nameKey == table.name.nameKey }
            if refersToItself { try connection.run("PRAGMA defer_foreign_keys = ON") }
            let broken = refersToItself ? try brokenReferences() : [:]
            var count = 0
            while let record = try reader.next() {
                try insert(record)
                count += 1
                try onRow(count)
            }
            if refersToItself { try checkReferences(before: broken) }
            return count
        }
    }

    private mutating func insert(_ record: ImportRecord) throws {
        try refuseLongIntegers(record)
        // Programs write the members of an object in any order.
        let fields = record.fields.sorted { $0.column < $1.column }
        do {
            do {
                let statement = try statement(fields.map(\.column))
                try statement.bind(fields.map(\.cell))
                while try statement.handle.step() {}
                // An upsert of nothing but the key leaves a row that is there as it is.
                let mayStay = isUpsert && record.fields.allSatisfy(isKey)
                if table.kind == .table, connection.changeCount == 0, !mayStay {
                    throw InputProblem(position: record.position, message: "the table leaves the row out")
                }
                // ON CONFLICT ROLLBACK has ended the transaction: what is written then would stay.
            } catch let failure as SQLiteFailure where isUpsert && failure.isNotNull && !connection.isAutocommit {
                guard try update(record) else { throw failure }
            }
        } catch let failure as SQLiteFailure where failure.isAboutTheRow {
            throw try missingParent(of: record, failure) ?? wrongKey(of: record, failure)
                ?? InputProblem(position: position(of: failure, in: record), message: failure.message)
        }
    }

    /// SQLite would make a number with a fraction of such a text, and lose digits.
    private func refuseLongIntegers(_ record: ImportRecord) throws {
        for field in record.fields where integerColumns.contains(field.column) {
            guard let text = field.cell.text, NumberText.becomesLongInteger(text) else { continue }
            throw InputProblem(position: field.position, message: "an integer of more than 64 bits")
        }
    }

    /// SQLite asks for all columns that cannot be NULL before it sees that a row with that key is there.
    ///
    /// - Returns: Whether it was there.
    private func update(_ record: ImportRecord) throws -> Bool {
        let (keys, values) = (record.fields.filter { isKey($0) }, record.fields.filter { !isKey($0) })
        guard keys.count == table.key.count else { return false }
        func assignments(_ fields: [ImportRecord.Field]) -> [String] {
            fields.map { "\(table.columns[$0.column].name.quotedName) = ?" }
        }
        let name = "main.\(table.name.quotedName)"
        let condition = assignments(keys).joined(separator: " AND ")
        guard !values.isEmpty else {
            return try !connection.rows("SELECT 1 FROM \(name) WHERE \(condition)", keys.map(\.cell)).isEmpty
        }
        let sql = "UPDATE \(name) SET \(assignments(values).joined(separator: ", ")) WHERE \(condition)"
        _ = try connection.rows(sql, (values + keys).map(\.cell))
        return connection.changeCount > 0
    }

    private func isKey(_ field: ImportRecord.Field) -> Bool { table.columns[field.column].keyPosition > 0 }

    private mutating func statement(_ columns: [Int]) throws -> Statement {
        if let statement = statements[columns] { return statement }
        let statement = try connection.prepare(sql(columns))
        // Rows that leave out what they have no value for have many lists.
        if statements.count == TableImport.mostStatements { statements.removeAll() }
        statements[columns] = statement
        return statement
    }

    private func sql(_ columns: [Int]) -> String {
        let name = table.name.quotedName
        guard !columns.isEmpty else { return "INSERT INTO main.\(name) DEFAULT VALUES" }
        let names = columns.map { table.columns[$0].name.quotedName }
        let values = names.map { _ in "?" }.joined(separator: ", ")
        // To a table of that name, `excluded` would be the row that there is.
        let insert = "INSERT INTO main.\(name) AS saved (\(names.joined(separator: ", "))) VALUES (\(values))"
        guard isUpsert else { return insert }
        let key = table.key.map(\.name.quotedName)
        let changes = zip(columns, names).filter { table.columns[$0.0].keyPosition == 0 }.map { _, name in
            "\(name) = excluded.\(name)"
        }
        let action = changes.isEmpty ? "NOTHING" : "UPDATE SET \(changes.joined(separator: ", "))"
        return "\(insert) ON CONFLICT (\(key.joined(separator: ", "))) DO \(action)"
    }

    /// SQLite names the column in its message, if it names one; the row itself otherwise.
    private func position(of failure: SQLiteFailure, in record: ImportRecord) -> Position {
        let field = record.fields.first { field in
            let name = "\(table.name).\(table.columns[field.column].name)"
            return failure.message.hasSuffix(name) || failure.message.contains("\(name),")
        }
        return field?.position ?? record.position
    }

    /// SQLite says only that a type does not fit, which in a table is that of a key which is the rowid.
    private func wrongKey(of record: ImportRecord, _ failure: SQLiteFailure) -> InputProblem? {
        guard failure.kind == .mismatch, table.kind == .table, let field = record.fields.first(where: isKey) else {
            return nil
        }
        let name = table.columns[field.column].name
        return InputProblem(position: field.position, message: "column '\(name)' takes integers, and this is none")
    }

    /// SQLite says only that some reference is broken, so each is tried.
    private func missingParent(of record: ImportRecord, _ failure: SQLiteFailure) throws -> InputProblem? {
        // SQLITE_CONSTRAINT_FOREIGNKEY
        guard failure.code == SQLiteFailure.Kind.constraint.rawValue | 3 << 8 else { return nil }
        for key in table.foreignKeys {
            let fields = key.columns.compactMap { name in
                record.fields.first { table.columns[$0.column].name.nameKey == name.nameKey }
            }
            guard let first = fields.first, fields.count == key.columns.count,
                let parent = try Catalog(connection).table(key.parent)
            else { continue }
            let columns = table.parentColumns(key, in: parent)
            let condition = columns.map { "\($0.quotedName) = ?" }.joined(separator: " AND ")
            let sql = "SELECT EXISTS (SELECT 1 FROM main.\(parent.name.quotedName) WHERE \(condition))"
            if columns.count == fields.count, try connection.integer(sql, fields.map(\.cell)) == 0,
                !fields.contains(where: { $0.cell == .null })
            {
                return InputProblem(
                    position: first.position, message: "refers to a row of '\(parent.name)' that is not there")
            }
        }
        return nil
    }

    /// How many rows refer to rows of each table that are not there.
    private func brokenReferences() throws -> [String: Int] {
        let sql = #"SELECT "parent", COUNT(*) FROM pragma_foreign_key_check(?, 'main') GROUP BY 1"#
        let rows = try connection.rows(sql, [.text(table.name)])
        // Two names of which SQLite knows that they differ may be one to Swift.
        return Dictionary(rows.map { ($0[0].text ?? "", Int($0[1].integer ?? 0)) }, uniquingKeysWith: +)
    }

    /// - Parameter before: What was broken before, which is not the import's to mend.
    private func checkReferences(before: [String: Int]) throws {
        for (parent, rows) in try brokenReferences().sorted(by: { $0.key < $1.key }) {
            let count = rows - before[parent, default: 0]
            guard count > 0 else { continue }
            throw ToolError(
                .badData,
                "\(Amount.of(count, "row")) of '\(table.name)' would refer to rows of '\(parent)' that are not there")
        }
    }
}

extension SQLiteFailure {
    /// Whether another row could have been written.
    fileprivate var isAboutTheRow: Bool {
        [.constraint, .mismatch, .tooBig].contains(kind)
    }

    fileprivate var isNotNull: Bool {
        // SQLITE_CONSTRAINT_NOTNULL
        code == Kind.constraint.rawValue | 5 << 8
    }
}
