import StorageSQLite

/// SQLite's functions that compare each place of one text with all of another. SQLite asks whether to stop between the steps of a statement, and
/// not inside a function: two long texts would keep a connection busy for hours.
///
/// They are run on a connection of their own, once their arguments are short enough.
final class BoundedFunctions: @unchecked Sendable {
    // Unchecked: SQLite calls functions on the thread of the statement, one after the other.
    private let plain: Connection

    private static let argumentCounts = [
        "instr": [2], "replace": [3], "trim": [1, 2], "ltrim": [1, 2], "rtrim": [1, 2],
    ]
    /// The product of the lengths of two texts that take some seconds.
    private static let mostComparisons = 2_000_000_000

    init() throws {
        plain = try Connection(path: ":memory:", .create)
        try plain.harden(trustsSchema: false)
    }

    /// Puts them in the place of SQLite's.
    func add(to connection: Connection) {
        for (name, counts) in BoundedFunctions.argumentCounts {
            for count in counts {
                let sql = "SELECT \(name)(\(repeatElement("?", count: count).joined(separator: ", ")))"
                connection.addFunction(name, arguments: count, isInnocuous: true) { [self] arguments in
                    let values = (0..<count).map { Cell(arguments[$0]) }
                    // None is longer than 2 GB, so that the product is a number.
                    guard values.prefix(2).reduce(1, { $0 * $1.size }) <= BoundedFunctions.mostComparisons else {
                        throw FunctionFailure("\(name)() of values that long would take too long")
                    }
                    return try plain.rows(sql, values).first?.first?.result(of: name) ?? .null
                }
            }
        }
    }
}

extension Cell {
    /// The number of bytes of what may be long.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let data), .brokenText(let data): data.count
        case .null, .integer, .real: 1
        }
    }

    /// - Throws: ``FunctionFailure`` for a text that is no UTF-8: another one in its place would be kept by an UPDATE or an index.
    fileprivate func result(of name: String) throws -> SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        case .brokenText: throw FunctionFailure("\(name)() gives no text here that is no UTF-8")
        case .blob(let data): .blob(data)
        }
    }
}
