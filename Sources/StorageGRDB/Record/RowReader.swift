import GRDBSQLite

/// One row on its way in, its columns read by position.
///
/// The row is the current step of a statement, or a list of values when it came from elsewhere (a GRDB `Row`).
/// Generated code calls `next()` once for each column, in the order of the column list.
public struct RowReader: ~Copyable {
    private let source: Source
    private let coders: JSONCoders
    private var madeDecoder: JSONDecoder?
    /// The next column, from 0.
    @usableFromInline var index: Int32 = 0

    private enum Source {
        case statement(OpaquePointer)
        case values([StoredValue], names: [String])
    }

    init(statement: OpaquePointer, coders: JSONCoders) {
        source = .statement(statement)
        self.coders = coders
    }

    init(values: [StoredValue], names: [String], coders: JSONCoders = .standard) {
        source = .values(values, names: names)
        self.coders = coders
    }

    /// A second reader of the same row.
    init(sharing other: borrowing RowReader) {
        source = other.source
        coders = other.coders
        madeDecoder = other.madeDecoder
    }

    /// Starts again at the first column, for the next row of the same statement.
    mutating func rewind() {
        index = 0
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
        guard let bytes = jsonBytes(at: index) else { throw mismatch(at: index, expected: Value.self) }
        let decoder = decoder()
        return try JSONText.decode(Value.self, from: bytes, with: decoder) { mismatch(at: index, expected: Value.self) }
    }
}

extension RowReader {
    /// Whether the column holds NULL.
    public func isNull(at index: Int32) -> Bool { storageClass(at: index) == SQLITE_NULL }

    /// Whether the column holds bytes.
    public func isBlob(at index: Int32) -> Bool { storageClass(at: index) == SQLITE_BLOB }

    /// The INTEGER in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` for any other storage class, a REAL with a whole value excepted.
    public func integer<T>(at index: Int32, as type: T.Type) throws -> Int64 {
        switch source {
        case .statement(let statement):
            switch sqlite3_column_type(statement, index) {
            case SQLITE_INTEGER: return sqlite3_column_int64(statement, index)
            case SQLITE_FLOAT:
                if let whole = Int64(exactly: sqlite3_column_double(statement, index)) { return whole }
            default: break
            }
        case .values(let values, _):
            switch values[Int(index)] {
            case .integer(let value): return value
            case .real(let value): if let whole = Int64(exactly: value) { return whole }
            default: break
            }
        }
        throw mismatch(at: index, expected: type)
    }

    /// The number in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` unless it is REAL or INTEGER.
    public func real<T>(at index: Int32, as type: T.Type) throws -> Double {
        switch source {
        case .statement(let statement):
            switch sqlite3_column_type(statement, index) {
            case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(statement, index)
            default: break
            }
        case .values(let values, _):
            switch values[Int(index)] {
            case .real(let value): return value
            case .integer(let value): return Double(value)
            default: break
            }
        }
        throw mismatch(at: index, expected: type)
    }

    /// The TEXT in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` for any other storage class.
    public func text<T>(at index: Int32, as type: T.Type = String.self) throws -> String {
        switch source {
        case .statement(let statement):
            if sqlite3_column_type(statement, index) == SQLITE_TEXT {
                return withTextBytes(statement, index) { String(decoding: $0, as: UTF8.self) }
            }
        case .values(let values, _):
            if case .text(let value) = values[Int(index)] { return value }
        }
        throw mismatch(at: index, expected: type)
    }

    /// The bytes in the column.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - type: The type the caller makes of it, for the error.
    /// - Throws: ``ColumnDecodingError`` for any other storage class.
    public func blob<T>(at index: Int32, as type: T.Type = Data.self) throws -> Data {
        switch source {
        case .statement(let statement):
            if sqlite3_column_type(statement, index) == SQLITE_BLOB {
                // SQLite returns no pointer for a blob without bytes.
                guard let bytes = sqlite3_column_blob(statement, index) else { return Data() }
                return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, index)))
            }
        case .values(let values, _):
            if case .blob(let value) = values[Int(index)] { return value }
        }
        throw mismatch(at: index, expected: type)
    }

    /// The bytes of TEXT or BLOB, or nil.
    private func jsonBytes(at index: Int32) -> Data? {
        switch source {
        case .statement(let statement):
            switch sqlite3_column_type(statement, index) {
            case SQLITE_TEXT: withTextBytes(statement, index) { Data($0) }
            case SQLITE_BLOB: try? blob(at: index)
            default: nil
            }
        case .values(let values, _):
            switch values[Int(index)] {
            case .text(let text): Data(text.utf8)
            case .blob(let bytes): bytes
            default: nil
            }
        }
    }

    /// The first sixteen bytes of the TEXT in a column, as numbers that compare as the bytes do; zeroes past its end.
    func textPrefix(at index: Int32) -> (high: UInt64, low: UInt64) {
        guard case .statement(let statement) = source, sqlite3_column_type(statement, index) == SQLITE_TEXT else {
            return (0, 0)
        }
        return withTextBytes(statement, index) { text in
            var words: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &words) {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text).prefix(16)))
            }
            return (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
        }
    }

    func date(at index: Int32) -> Date? {
        switch source {
        case .statement(let statement):
            switch sqlite3_column_type(statement, index) {
            case SQLITE_TEXT: return withTextBytes(statement, index, DateText.parse)
            case SQLITE_INTEGER, SQLITE_FLOAT:
                return Date(timeIntervalSince1970: sqlite3_column_double(statement, index))
            default: return nil
            }
        case .values(let values, _):
            switch values[Int(index)] {
            case .text(var text): return text.withUTF8(DateText.parse)
            case .integer(let seconds): return Date(timeIntervalSince1970: Double(seconds))
            case .real(let seconds): return Date(timeIntervalSince1970: seconds)
            default: return nil
            }
        }
    }

    /// The error to throw when a column does not hold what a type needs.
    ///
    /// - Parameters:
    ///   - index: The position of the column, from 0.
    ///   - expected: The type that was asked for.
    public func mismatch<T>(at index: Int32, expected: T.Type) -> ColumnDecodingError {
        let found =
            switch storageClass(at: index) {
            case SQLITE_NULL: "NULL"
            case SQLITE_INTEGER: "INTEGER"
            case SQLITE_FLOAT: "REAL"
            case SQLITE_TEXT: "TEXT"
            default: "BLOB"
            }
        return ColumnDecodingError(column: name(at: index), expected: "\(expected)", found: found)
    }

    func storedValue(at index: Int32) -> StoredValue {
        switch source {
        case .values(let values, _): return values[Int(index)]
        case .statement(let statement):
            switch sqlite3_column_type(statement, index) {
            case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
            case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
            case SQLITE_TEXT: return .text((try? text(at: index)) ?? "")
            case SQLITE_BLOB: return .blob((try? blob(at: index)) ?? Data())
            default: return .null
            }
        }
    }

    private func storageClass(at index: Int32) -> Int32 {
        switch source {
        case .statement(let statement): return sqlite3_column_type(statement, index)
        case .values(let values, _):
            switch values[Int(index)] {
            case .null: return SQLITE_NULL
            case .integer: return SQLITE_INTEGER
            case .real: return SQLITE_FLOAT
            case .text: return SQLITE_TEXT
            case .blob: return SQLITE_BLOB
            }
        }
    }

    /// The column that was read last: where an error comes from that names none.
    var lastName: String? { index > 0 ? name(at: index - 1) : nil }

    func name(at index: Int32) -> String {
        switch source {
        case .statement(let statement): sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "?"
        case .values(_, let names): names[Int(index)]
        }
    }

    /// Text is read with its length, never up to its first NUL.
    private func withTextBytes<T>(
        _ statement: OpaquePointer, _ index: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> T
    ) -> T {
        let start = sqlite3_column_text(statement, index)
        return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }
}
