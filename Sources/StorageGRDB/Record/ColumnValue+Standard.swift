extension String: ColumnValue {
    public static var columnType: ColumnType { .text }
    public func storedValue() -> StoredValue { .text(self) }
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> String {
        try row.text(at: index)
    }
    public func bind(to row: inout RowWriter) {
        row.bindText(self)
    }
}

extension Bool: ColumnValue {
    public static var columnType: ColumnType { .boolean }
    public func storedValue() -> StoredValue { .integer(self ? 1 : 0) }
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Bool {
        try row.integer(at: index, as: Bool.self) != 0
    }
    public func bind(to row: inout RowWriter) {
        row.bindInteger(self ? 1 : 0)
    }
}

extension Double: ColumnValue {
    public static var columnType: ColumnType { .real }
    public func storedValue() throws -> StoredValue { .real(try rejectingNaN(self)) }
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Double {
        try row.real(at: index, as: Double.self)
    }
    public func bind(to row: inout RowWriter) throws {
        row.bindReal(try rejectingNaN(self))
    }
}

extension Float: ColumnValue {
    public static var columnType: ColumnType { .real }
    public func storedValue() throws -> StoredValue { .real(try rejectingNaN(Double(self))) }
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Float {
        Float(try row.real(at: index, as: Float.self))
    }
}

/// SQLite turns NaN into NULL without a word, so it is refused.
private func rejectingNaN(_ value: Double) throws -> Double {
    guard !value.isNaN else {
        throw ColumnEncodingError(reason: "NaN cannot be stored, because SQLite would turn it into NULL")
    }
    return value
}

extension Data: ColumnValue {
    public static var columnType: ColumnType { .blob }
    public func storedValue() -> StoredValue { .blob(self) }
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Data {
        try row.blob(at: index)
    }
}

extension UUID: ColumnValue {
    public static var columnType: ColumnType { .text }
    public func storedValue() -> StoredValue { .text(uuidString) }

    /// Reads the text form, and the sixteen bytes that GRDB itself writes for a UUID.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> UUID {
        if row.isBlob(at: index) {
            let bytes = try row.blob(at: index)
            guard bytes.count == 16 else { throw row.mismatch(at: index, expected: UUID.self) }
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        guard let uuid = UUID(uuidString: try row.text(at: index, as: UUID.self)) else {
            throw row.mismatch(at: index, expected: UUID.self)
        }
        return uuid
    }
}

extension URL: ColumnValue {
    public static var columnType: ColumnType { .text }
    public func storedValue() -> StoredValue { .text(absoluteString) }
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> URL {
        guard let url = URL(string: try row.text(at: index, as: URL.self)) else {
            throw row.mismatch(at: index, expected: URL.self)
        }
        return url
    }
}

extension Date: ColumnValue {
    public static var columnType: ColumnType { .datetime }

    public func storedValue() throws -> StoredValue {
        .text(try DateText(self).withUTF8 { String(decoding: $0, as: UTF8.self) })
    }

    /// Reads date text, and a number as seconds since 1970, which is how GRDB reads one.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Date {
        guard let date = row.date(at: index) else { throw row.mismatch(at: index, expected: Date.self) }
        return date
    }

    public func bind(to row: inout RowWriter) throws {
        try DateText(self).withUTF8 { row.bindText($0) }
    }
}
