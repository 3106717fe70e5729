import Foundation
import StorageSQLite

/// Rows from CSV whose first line names the columns.
///
/// A quoted field is text. Of the others, nothing at all is NULL and `x'00ff'` are bytes; the rest is text in a text
/// column and a number elsewhere, as far as it is written as one.
struct CSVReader: RecordReader {
    private let table: Table
    private let columns: [Int]
    private let affinities: [Affinity]
    private var parser: CSVParser

    /// - Throws: ``InputProblem`` if the first line is missing or names something that is no column.
    init(_ parser: CSVParser, into table: Table) throws {
        self.parser = parser
        self.table = table
        guard let header = try self.parser.next() else {
            throw InputProblem(
                position: Position(line: 1, column: 1),
                message: "the file is empty; its first line has to name the columns")
        }
        var columns: [Int] = []
        for field in header {
            let name = String(decoding: field.bytes, as: UTF8.self)
            let column = try table.importedColumn(name, at: field.position)
            guard !columns.contains(column) else {
                throw InputProblem(position: field.position, message: "column '\(name)' is named twice")
            }
            columns.append(column)
        }
        self.columns = columns
        affinities = columns.map { Affinity(of: table.columns[$0].type, isStrict: table.isStrict) }
    }

    mutating func next() throws -> ImportRecord? {
        while let fields = try parser.next() {
            // An empty line; where there is one column it is a NULL.
            if columns.count > 1, fields.count == 1, fields[0].isBlank { continue }
            guard fields.count == columns.count else {
                throw InputProblem(
                    position: fields[0].position,
                    message: "\(Amount.of(fields.count, "field")) where the first line has \(columns.count)")
            }
            let cells = try fields.indices.map { index in
                ImportRecord.Field(
                    column: columns[index], cell: try cell(fields[index], at: index), position: fields[index].position)
            }
            return ImportRecord(position: fields[0].position, fields: cells)
        }
        return nil
    }

    private func cell(_ field: CSVParser.Field, at index: Int) throws -> Cell {
        if field.isBlank { return .null }
        if !field.isQuoted {
            if let blob = HexText.bytes(field.bytes) { return .blob(blob) }
            let affinity = affinities[index]
            if affinity != .text, let number = NumberText.number(field.bytes) {
                if affinity != .real, NumberText.isLongInteger(field.bytes) {
                    throw InputProblem(position: field.position, message: "an integer of more than 64 bits")
                }
                return number
            }
            if affinity == .integer || affinity == .real {
                throw InputProblem(
                    position: field.position,
                    message:
                        "column '\(table.columns[columns[index]].name)' takes numbers, and this is none; text has to "
                        + "be in quotes there")
            }
        }
        return field.bytes.withUnsafeBytes { Cell(textBytes: $0) }
    }
}
