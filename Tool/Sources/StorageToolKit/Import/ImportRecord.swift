/// A row to be imported, and where it came from.
struct ImportRecord {
    struct Field {
        /// The column, by its place in the table.
        let column: Int
        let cell: Cell
        let position: Position
    }

    let position: Position
    let fields: [Field]
}

/// Reads rows for a table from a text.
protocol RecordReader {
    /// The next row; nil at the end.
    ///
    /// - Throws: ``InputProblem`` that says where the text is wrong.
    mutating func next() throws -> ImportRecord?
}

extension Table {
    /// The place of a column that rows may be imported into.
    ///
    /// - Throws: ``InputProblem`` if there is no such column, or SQLite computes it.
    func importedColumn(_ name: String, at position: Position) throws -> Int {
        guard let index = columns.firstIndex(where: { $0.name.nameKey == name.nameKey }) else {
            let names = storedColumns.map { "'\($0.name)'" }.joined(separator: ", ")
            throw InputProblem(
                position: position, message: "table '\(self.name)' has no column '\(name)'; it has \(names)")
        }
        guard !columns[index].isGenerated else {
            throw InputProblem(position: position, message: "column '\(name)' is computed and cannot be imported")
        }
        return index
    }
}
