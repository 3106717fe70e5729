import ContactBookModel
import StorageKit

/// What is wrong with a CSV file, and where: `contacts.csv:17: column 'Birthday': '2020-13-45' is not a date`.
struct CSVProblem: Error, Equatable {
    /// The file as the user named it.
    var file: String
    /// The line on which the record begins; nil if the whole file is at fault.
    var line: Int?
    /// The column as the header spells it.
    var column: String?
    /// What is wrong.
    var reason: String
}

extension CSVProblem: LocalizedError {
    /// File, line, column and reason in the order that editors understand.
    var errorDescription: String? {
        let place = line.map { "\(file):\($0)" } ?? file
        return column.map { "\(place): column '\($0)': \(reason)" } ?? "\(place): \(reason)"
    }
}

/// What ``RecordCutter`` cannot cut. The line is the one on which the quote or the record began.
enum CuttingProblem: Error, Equatable {
    case unterminatedQuote(line: Int)
    case recordTooLong(line: Int)
}
