import StorageSQLite

/// A form that rows are written in, one after the other.
protocol RowWriter {
    /// Writes what stands before the first row.
    mutating func begin(_ columns: [String], to output: Output) throws
    mutating func write(_ cells: [Cell], to output: Output) throws
    /// Writes what stands behind the last row.
    mutating func end(to output: Output) throws
}

extension Statement {
    /// Runs the statement and writes its rows, each when SQLite has found it.
    ///
    /// - Parameter onRow: Called after each row.
    func write(with writer: some RowWriter, to output: Output, onRow: () throws -> Void = {}) throws {
        var writer = writer
        try writer.begin(handle.columnNames, to: output)
        while try handle.step() {
            try writer.write(row, to: output)
            try onRow()
        }
        try writer.end(to: output)
        try output.flush()
    }
}
