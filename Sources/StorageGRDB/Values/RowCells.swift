import GRDBSQLite

/// The columns of one row, by position from 0. Each value is nil where the column holds something else.
protocol RowCells {
    /// One of `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB` and `SQLITE_NULL`.
    func storageClass(at index: Int32) -> Int32
    /// An INTEGER, or a REAL with a whole value.
    func integer(at index: Int32) -> Int64?
    /// A REAL or an INTEGER.
    func real(at index: Int32) -> Double?
    /// A TEXT.
    func text(at index: Int32) -> String?
    /// A BLOB.
    func blob(at index: Int32) -> Data?
    /// The bytes of a TEXT or a BLOB.
    func bytes(at index: Int32) -> Data?
    /// A TEXT that is a date, or a number of seconds since 1970.
    func date(at index: Int32) -> Date?
    func storedValue(at index: Int32) -> StoredValue
}

/// Columns in memory of C: of the row that a statement is at, or of a copy of one.
protocol RawCells: RowCells {
    associatedtype Cell: RawCell
    func cell(at index: Int32) -> Cell
}

/// One column in memory of C.
protocol RawCell {
    var storageClass: Int32 { get }
    /// The INTEGER in a column that holds one.
    var integer: Int64 { get }
    /// The number in a column that holds one.
    var real: Double { get }
    /// The bytes of a column that holds TEXT; never up to its first NUL only.
    var text: UnsafeBufferPointer<UInt8> { get }
    /// The bytes of a column that holds a BLOB.
    var blob: UnsafeRawBufferPointer { get }
}

extension RawCells {
    func storageClass(at index: Int32) -> Int32 { cell(at: index).storageClass }

    func integer(at index: Int32) -> Int64? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case SQLITE_INTEGER: cell.integer
        case SQLITE_FLOAT: Int64(exactly: cell.real)
        default: nil
        }
    }

    func real(at index: Int32) -> Double? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case SQLITE_FLOAT, SQLITE_INTEGER: cell.real
        default: nil
        }
    }

    func text(at index: Int32) -> String? {
        let cell = cell(at: index)
        return cell.storageClass == SQLITE_TEXT ? String(decoding: cell.text, as: UTF8.self) : nil
    }

    func blob(at index: Int32) -> Data? {
        let cell = cell(at: index)
        return cell.storageClass == SQLITE_BLOB ? cell.data : nil
    }

    func bytes(at index: Int32) -> Data? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case SQLITE_TEXT: Data(cell.text)
        case SQLITE_BLOB: cell.data
        default: nil
        }
    }

    func date(at index: Int32) -> Date? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case SQLITE_TEXT: DateText.parse(cell.text)
        case SQLITE_INTEGER, SQLITE_FLOAT: Date(timeIntervalSince1970: cell.real)
        default: nil
        }
    }

    func storedValue(at index: Int32) -> StoredValue {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case SQLITE_INTEGER: .integer(cell.integer)
        case SQLITE_FLOAT: .real(cell.real)
        case SQLITE_TEXT: .text(String(decoding: cell.text, as: UTF8.self))
        case SQLITE_BLOB: .blob(cell.data)
        default: .null
        }
    }
}

extension RawCell {
    fileprivate var data: Data {
        let bytes = blob
        return bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data()
    }
}

/// The row that a statement is at.
struct StatementCells: RawCells {
    let statement: OpaquePointer

    func cell(at index: Int32) -> StatementCell { StatementCell(value: sqlite3_column_value(statement, index)) }

    func name(at index: Int32) -> String {
        sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "?"
    }
}

/// One column of the row that a statement is at. What asks a value locks nothing, unlike what asks the statement: a connection
/// has one thread at a time here.
struct StatementCell: RawCell {
    let value: OpaquePointer?

    var storageClass: Int32 { sqlite3_value_type(value) }
    var integer: Int64 { sqlite3_value_int64(value) }
    var real: Double { sqlite3_value_double(value) }

    var text: UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_text(value)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    var blob: UnsafeRawBufferPointer {
        // SQLite returns no pointer for a blob without bytes.
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
}

/// A row that is a list of values.
struct ValueCells: RowCells {
    let values: [StoredValue]

    func storedValue(at index: Int32) -> StoredValue { values[Int(index)] }

    func storageClass(at index: Int32) -> Int32 {
        switch values[Int(index)] {
        case .null: SQLITE_NULL
        case .integer: SQLITE_INTEGER
        case .real: SQLITE_FLOAT
        case .text: SQLITE_TEXT
        case .blob: SQLITE_BLOB
        }
    }

    func integer(at index: Int32) -> Int64? {
        switch values[Int(index)] {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        default: nil
        }
    }

    func real(at index: Int32) -> Double? {
        switch values[Int(index)] {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    func text(at index: Int32) -> String? {
        if case .text(let value) = values[Int(index)] { value } else { nil }
    }

    func blob(at index: Int32) -> Data? {
        if case .blob(let value) = values[Int(index)] { value } else { nil }
    }

    func bytes(at index: Int32) -> Data? {
        switch values[Int(index)] {
        case .text(let text): Data(text.utf8)
        case .blob(let bytes): bytes
        default: nil
        }
    }

    func date(at index: Int32) -> Date? {
        switch values[Int(index)] {
        case .text(var text): text.withUTF8(DateText.parse)
        case .integer(let seconds): Date(timeIntervalSince1970: Double(seconds))
        case .real(let seconds): Date(timeIntervalSince1970: seconds)
        default: nil
        }
    }
}
