import StorageKit
import SwiftCSV

/// A record of a CSV file, taken apart.
struct CSVRow: Equatable {
    /// The line of the file on which it begins.
    let line: Int
    let fields: [String]
    /// Whether the line was empty. The fields do not tell: those of a short row are filled up.
    let isBlank: Bool
}

/// Takes chunks apart with SwiftCSV, which reads a whole text or nothing: hence the chunks.
enum CSVRows {
    /// The rows of a chunk. Those shorter than the longest of the chunk are filled up with empty fields.
    ///
    /// - Throws: ``CSVProblem`` with the line of the first record that cannot be read.
    static func parse(_ chunk: CSVChunk, of file: String) throws -> [CSVRow] {
        if let text = String(validating: chunk.text, as: UTF8.self), let rows = try? fields(of: text),
            rows.count == chunk.lines.count
        {
            return rows.indices.map { index in
                CSVRow(line: chunk.lines[index], fields: rows[index], isBlank: isBlank(chunk.record(index)))
            }
        }
        // Something is wrong, and SwiftCSV does not say where: ask record by record.
        return try chunk.ends.indices.map { index in
            try parse(chunk.record(index), line: chunk.lines[index], of: file)
        }
    }

    private static func parse(_ record: ArraySlice<UInt8>, line: Int, of file: String) throws -> CSVRow {
        guard let text = String(validating: record, as: UTF8.self) else {
            let invalid = line + lineEnds(beforeFirstInvalid: record)
            throw CSVProblem(
                file: file, line: invalid, reason: "the text is not UTF-8; save the file in that encoding")
        }
        do {
            let rows = try fields(of: text)
            if rows.count == 1 { return CSVRow(line: line, fields: rows[0], isBlank: isBlank(record)) }
        } catch {}
        throw CSVProblem(
            file: file, line: line,
            reason: "a quote stands where none may: quote the whole field, and write a quote inside it twice")
    }

    /// Whether a record has nothing but spaces and its line end.
    private static func isBlank(_ record: ArraySlice<UInt8>) -> Bool {
        record.allSatisfy { $0 <= 0x20 }
    }

    /// SwiftCSV takes the first row of a text for its header and leaves it out of the rows: it gets one.
    private static func fields(of text: String) throws -> [[String]] {
        try EnumeratedCSV(string: "header\n" + text, delimiter: .comma, loadColumns: false).rows.map { row in
            row.map(withoutGuards)
        }
    }

    private static func withoutGuards(_ field: String) -> String {
        guard field.unicodeScalars.contains(where: { $0.value == RecordCutter.guardValue }) else { return field }
        var plain = String.UnicodeScalarView()
        plain.append(contentsOf: field.unicodeScalars.lazy.filter { $0.value != RecordCutter.guardValue })
        return String(plain)
    }

    private static func lineEnds(beforeFirstInvalid record: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8()
        var bytes = record.makeIterator()
        var count = 0
        var previous: Unicode.Scalar?
        while case .scalarValue(let scalar) = decoder.decode(&bytes) {
            let isSecondHalf = scalar == "\n" && previous == "\r"
            if (scalar == "\n" || scalar == "\r") && !isSecondHalf { count += 1 }
            previous = scalar
        }
        return count
    }
}
