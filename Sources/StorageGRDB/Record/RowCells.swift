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
    /// The INTEGER in a column that holds one.
    func rawInteger(at index: Int32) -> Int64
    /// The number in a column that holds one.
    func rawReal(at index: Int32) -> Double
    /// The bytes of a column that holds TEXT; never up to its first NUL only.
    func rawText(at index: Int32) -> UnsafeBufferPointer<UInt8>
    /// The bytes of a column that holds a BLOB.
    func rawBlob(at index: Int32) -> UnsafeRawBufferPointer
}

extension RawCells {
    func integer(at index: Int32) -> Int64? {
        switch storageClass(at: index) {
        case SQLITE_INTEGER: rawInteger(at: index)
        case SQLITE_FLOAT: Int64(exactly: rawReal(at: index))
        default: nil
        }
    }

    func real(at index: Int32) -> Double? {
        switch storageClass(at: index) {
        case SQLITE_FLOAT, SQLITE_INTEGER: rawReal(at: index)
        default: nil
        }
    }

    func text(at index: Int32) -> String? {
        storageClass(at: index) == SQLITE_TEXT ? String(decoding: rawText(at: index), as: UTF8.self) : nil
    }

    func blob(at index: Int32) -> Data? {
        storageClass(at: index) == SQLITE_BLOB ? data(at: index) : nil
    }

    private func data(at index: Int32) -> Data {
        let bytes = rawBlob(at: index)
        return bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data()
    }

    func bytes(at index: Int32) -> Data? {
        switch storageClass(at: index) {
        case SQLITE_TEXT: Data(rawText(at: index))
        case SQLITE_BLOB: data(at: index)
        default: nil
        }
    }

    func date(at index: Int32) -> Date? {
        switch storageClass(at: index) {
        case SQLITE_TEXT: DateText.parse(rawText(at: index))
        case SQLITE_INTEGER, SQLITE_FLOAT: Date(timeIntervalSince1970: rawReal(at: index))
        default: nil
        }
    }

    func storedValue(at index: Int32) -> StoredValue {
        switch storageClass(at: index) {
        case SQLITE_INTEGER: .integer(rawInteger(at: index))
        case SQLITE_FLOAT: .real(rawReal(at: index))
        case SQLITE_TEXT: .text(String(decoding: rawText(at: index), as: UTF8.self))
        case SQLITE_BLOB: .blob(data(at: index))
        default: .null
        }
    }
}

/// The row that a statement is at.
struct StatementCells: RawCells {
    let statement: OpaquePointer

    func storageClass(at index: Int32) -> Int32 { sqlite3_column_type(statement, index) }
    func rawInteger(at index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }
    func rawReal(at index: Int32) -> Double { sqlite3_column_double(statement, index) }

    func rawText(at index: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(statement, index)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }

    func name(at index: Int32) -> String {
        sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "?"
    }

    func rawBlob(at index: Int32) -> UnsafeRawBufferPointer {
        // SQLite returns no pointer for a blob without bytes.
        let start = sqlite3_column_blob(statement, index)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
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
