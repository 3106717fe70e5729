import GRDBSQLite
import StorageSQLite

/// One row on its way in, its columns read by position.
///
/// The row is the current step of a statement, or a list of values when it came from elsewhere (a GRDB `Row`).
/// Generated code calls `next()` once for each column, in the order of the column list.
public struct RowReader: ~Copyable {
    private let cells: any RowCells
    /// What SQLite said when there was no further row.
    private(set) var lastStep = SQLITE_DONE
    private let coders: JSONCoders
    private var madeDecoder: JSONDecoder?
    /// What was read beside the rows; nil for nothing.
    var related: RelatedLists?
    /// The next column, from 0.
    @usableFromInline var index: Int32 = 0

    init(statement: StatementHandle, coders: JSONCoders) {
        cells = StatementCells(statement: statement)
        self.coders = coders
    }

    /// - Parameter inexact: The columns whose text was not UTF-8.
    init(values: [StoredValue], names: [String], coders: JSONCoders = .standard, inexact: Set<Int32> = []) {
        cells = ValueCells(values: values, names: names, inexact: inexact)
        self.coders = coders
    }

    /// A copy of some columns of a row, in another order; NULL where there is none.
    init(_ places: [Int32?], of row: borrowing RowReader, names: [String]) {
        self.init(values: places.map { $0.map { row.storedValue(at: $0) } ?? .null }, names: names, coders: row.coders)
    }

    /// A second reader of the same row.
    init(sharing other: borrowing RowReader) {
        cells = other.cells
        coders = other.coders
        madeDecoder = other.madeDecoder
    }

    /// Goes to the first column of the next row.
    ///
    /// - Returns: False if there is none, or none that SQLite can give: ``lastStep`` tells.
    @usableFromInline
    mutating func advance() -> Bool {
        index = 0
        lastStep = cells.step()
        return lastStep == SQLITE_ROW
    }

    /// Hands over the row that it is at, and then each of the next.
    mutating func forEach(_ body: (inout RowReader) throws -> Void) rethrows {
        repeat { try body(&self) } while advance()
    }

    /// Passes over a column that the entity does not take from the row.
    public mutating func skip() {
        index += 1
    }

    /// One decoder serves all rows of a statement.
    private mutating func decoder() -> JSONDecoder {
        if let madeDecoder { return madeDecoder }
        let decoder = coders.makeDecoder()
        madeDecoder = decoder
        return decoder
    }

    /// Makes the decoder now, so that readers which share the row share it.
    mutating func prepareDecoder() {
        _ = decoder()
    }

    mutating func json<Value: Decodable>(at index: Int32) throws -> Value {
        guard let bytes = cells.bytes(at: index) else { throw mismatch(at: index, expected: Value.self) }
        let decoder = decoder()
        return try JSONText.decode(Value.self, from: bytes, with: decoder) { mismatch(at: index, expected: Value.self) }
    }
}

extension RowReader {
    /// What a type makes of `null` in JSON.
    mutating func nextNullOfJSON<Value: Decodable>() throws -> Value {
        let index = index
        skip()
        return try JSONText.decode(Value.self, from: Data("null".utf8), with: decoder()) {
            mismatch(at: index, expected: Value.self)
        }
    }

    /// Whether the column holds NULL.
    public func isNull(at index: Int32) -> Bool { cells.storageClass(at: index) == .null }

    /// Whether the column holds a number with a fraction, be it 0.
    func isReal(at index: Int32) -> Bool { cells.storageClass(at: index) == .real }

    /// Whether the column holds bytes.
    public func isBlob(at index: Int32) -> Bool { cells.storageClass(at: index) == .blob }

    /// The INTEGER in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` for any other storage class, a REAL with a whole value excepted.
    public func integer<T>(at index: Int32, as type: T.Type) throws -> Int64 {
        guard let value = cells.integer(at: index) else { throw mismatch(at: index, expected: type) }
        return value
    }

    /// The number in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` unless it is REAL or INTEGER.
    public func real<T>(at index: Int32, as type: T.Type) throws -> Double {
        guard let value = cells.real(at: index) else { throw mismatch(at: index, expected: type) }
        return value
    }

    /// The TEXT in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` for any other storage class.
    public func text<T>(at index: Int32, as type: T.Type = String.self) throws -> String {
        guard let value = cells.text(at: index) else { throw mismatch(at: index, expected: type) }
        return value
    }

    /// The bytes in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` for any other storage class.
    public func blob<T>(at index: Int32, as type: T.Type = Data.self) throws -> Data {
        guard let value = cells.blob(at: index) else { throw mismatch(at: index, expected: type) }
        return value
    }

    func date(at index: Int32) -> Date? { cells.date(at: index) }

    /// The error to throw when a column does not hold what a type needs.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - expected: The type that was asked for.
    public func mismatch<T>(at index: Int32, expected: T.Type) -> ColumnDecodingError {
        ColumnDecodingError(column: name(at: index), expected: "\(expected)", found: cells.storageClass(at: index).name)
    }

    func storedValue(at index: Int32) -> StoredValue { cells.storedValue(at: index) }

    /// What the row is known or sorted by, to ask for it again; nil for a text that is not UTF-8, as another program may have written
    /// one: SQLite would look for what was read of it.
    func exactValue(at index: Int32) -> StoredValue? { cells.exactValue(at: index) }

    /// The bytes that the first columns take.
    func storedSize(ofFirst count: Int) -> Int {
        (0..<Int32(count)).reduce(0) { $0 + cells.storedSize(at: $1) }
    }

    /// The column that was read last: where an error comes from that names none.
    var lastName: String? { index > 0 ? name(at: index - 1) : nil }

    func name(at index: Int32) -> String { cells.name(at: index) }
}
