import Foundation
import StorageSQLite

extension Connection {
    /// Opens a file, with what StorageKit adds to its connections.
    convenience init(_ path: String, _ access: Access) throws {
        try self.init(path: path, access)
        addStorageKitSQL()
    }

    /// All rows of a statement.
    func rows(_ sql: String, _ arguments: [Cell] = []) throws -> [[Cell]] {
        let statement = try prepare(sql)
        try statement.bind(arguments)
        var rows: [[Cell]] = []
        while try statement.handle.step() { rows.append(statement.row) }
        return rows
    }

    /// The first value of the first row, as an integer; 0 if it is none.
    func integer(_ sql: String, _ arguments: [Cell] = []) throws -> Int {
        try rows(sql, arguments).first?.first?.integer.map { Int(clamping: $0) } ?? 0
    }

    /// Runs `body` in a transaction: of its own view of the file, or of all it writes.
    ///
    /// - Parameter begin: How the transaction begins.
    func transaction<T>(_ begin: String = "BEGIN", _ body: () throws -> T) throws -> T {
        try run(begin)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite rolls back by itself after some errors.
            if !isAutocommit { try? run("ROLLBACK") }
            throw error
        }
    }
}

extension Statement {
    /// Binds all parameters, and makes the statement ready to run.
    func bind(_ cells: [Cell]) throws {
        handle.reset()
        for (index, cell) in cells.enumerated() { try bind(cell, at: index + 1) }
    }

    /// - Parameter index: The parameter, from 1.
    func bind(_ cell: Cell, at index: Int) throws {
        let index = Int32(index)
        let code =
            switch cell {
            case .null: handle.bindNull(at: index)
            case .integer(let value): handle.bind(value, at: index)
            case .real(let value): handle.bind(value, at: index)
            case .text(let value): handle.bind(.text(value), at: index)
            case .brokenText(let bytes): bytes.withUnsafeBytes { handle.bindText($0, at: index) }
            case .blob(let value): handle.bind(.blob(value), at: index)
            }
        guard code == 0 else { throw handle.failure(code) }
    }

    /// All values of the row.
    var row: [Cell] { (0..<Int32(handle.columnCount)).map { Cell(handle.cell(at: $0)) } }
}
