import Foundation
import GRDBSQLite

extension Connection {
    /// Runs all statements of a text in turn; each takes as many of the values as it has parameters.
    ///
    /// - Returns: How many rows the statements themselves inserted, updated and deleted.
    func execute(_ sql: String, _ values: [SQLiteValue]) throws -> Int {
        if let statement = statements.take(sql) {
            defer { statements.keep(statement, for: sql) }
            return try run(statement, values)
        }
        try refuseNUL(in: sql)
        return try sql.withCString { text in
            var rest = text
            guard let first = try nextStatement(of: &rest) else {
                guard values.isEmpty else {
                    throw SQLiteError.bindingCount(expected: 0, given: values.count, sql: sql)
                }
                return 0
            }
            guard SQLText.isBlank(rest) else { return try runScript(first, rest, values) }
            defer { statements.keep(first, for: sql) }
            return try run(first, values)
        }
    }

    /// All rows of a text that is one statement.
    func rows(_ sql: String, _ values: [SQLiteValue]) throws -> [Row] {
        let statement = try takeStatement(sql)
        defer { giveBack(statement, for: sql) }
        try begin(statement, values)
        var rows: [Row] = []
        while try step(statement) { rows.append(statement.row()) }
        return rows
    }

    /// A statement, compiled, for the caller to ``begin(_:_:)``, ``step(_:)`` through and ``giveBack(_:for:)``.
    func takeStatement(_ sql: String) throws -> CompiledStatement {
        if let statement = statements.take(sql) { return statement }
        try refuseNUL(in: sql)
        return try sql.withCString { text in
            var rest = text
            guard let statement = try nextStatement(of: &rest), SQLText.isBlank(rest) else {
                throw SQLiteError.notOneStatement(sql: sql)
            }
            return statement
        }
    }

    func giveBack(_ statement: CompiledStatement, for sql: String) {
        statement.reset()
        statements.keep(statement, for: sql)
    }

    /// Readies a statement for its first step. Of a pragma it may be all there is to do.
    func begin(_ statement: CompiledStatement, _ values: some Collection<SQLiteValue>) throws {
        try Task.checkCancellation()
        if depth > 0 {
            guard !statement.controlsTransaction else { throw SQLiteError.transactionControl(sql: statement.sql) }
            guard !isAutocommit else { throw SQLiteError.transactionLost }
        }
        try statement.bind(values)
        if statement.isPragma { try statement.compileInEarnest() }
    }

    /// Takes one step. Returns whether there is a row.
    ///
    /// A write inside a transaction is not interrupted: SQLite would roll back the whole transaction, on behalf of
    /// what may be one child task of many.
    func step(_ statement: CompiledStatement) throws -> Bool {
        isInterruptible = statement.isReadOnly || (isAutocommit && !statement.controlsTransaction)
        defer { isInterruptible = false }
        return try statement.step()
    }
}

// MARK: - Texts of several statements

extension Connection {
    private func run(_ statement: CompiledStatement, _ values: some Collection<SQLiteValue>) throws -> Int {
        defer { statement.reset() }
        try begin(statement, values)
        let before = sqlite3_total_changes64(pointer)
        while try step(statement) {}
        // What changes nothing leaves the number of the statement before it.
        return sqlite3_total_changes64(pointer) == before ? 0 : Int(sqlite3_changes64(pointer))
    }

    private func runScript(
        _ first: CompiledStatement, _ rest: UnsafePointer<CChar>, _ values: [SQLiteValue]
    ) throws -> Int {
        var statement = first
        var rest = rest
        var values = values[...]
        var changed = 0
        while !SQLText.isBlank(rest) {
            changed += try run(statement, values.prefix(statement.parameterCount))
            values = values.dropFirst(statement.parameterCount)
            // Compiled only now: it may need a table that the one before has made.
            guard let next = try nextStatement(of: &rest) else { return changed }
            statement = next
        }
        return try changed + run(statement, values)
    }

    /// Compiles the next statement of a text and moves behind it; nil if there is none.
    private func nextStatement(of text: inout UnsafePointer<CChar>) throws -> CompiledStatement? {
        while text.pointee != 0 {
            let start = text
            var compiled: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            sawTransactionControl = false
            let isPragma = SQLText.isPragma(start)
            isLookingAhead = isPragma
            defer { isLookingAhead = false }
            let code = sqlite3_prepare_v3(pointer, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, &tail)
            guard code == SQLITE_OK else {
                let message = String(cString: sqlite3_errmsg(pointer))
                throw SQLiteError.sqlite(
                    code: sqlite3_extended_errcode(pointer), message: message, sql: excerpt(String(cString: start)))
            }
            guard let tail, tail > start else { return nil }
            text = tail
            if let compiled {
                let sql = UnsafeRawBufferPointer(start: start, count: tail - start)
                return CompiledStatement(
                    compiled, sql: excerpt(String(decoding: sql, as: UTF8.self)),
                    controlsTransaction: sawTransactionControl, isPragma: isPragma)
            }
        }
        return nil
    }

    /// SQL for an error, without blanks around it and not without end.
    private func excerpt(_ sql: String) -> String {
        String(sql.trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars.prefix(2000))
    }

    /// SQLite would read no further than to the NUL.
    private func refuseNUL(in sql: String) throws {
        guard !sql.utf8.contains(0) else {
            throw SQLiteError.sqlite(code: SQLITE_ERROR, message: "the SQL contains a NUL", sql: excerpt(sql))
        }
    }
}
