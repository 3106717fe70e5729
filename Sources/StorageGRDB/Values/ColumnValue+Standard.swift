extension String: ColumnValue {
    /// `TEXT`
    public static var columnType: ColumnType { .text }
    /// What is stored for this value.
    public func storedValue() -> StoredValue { .text(self) }
    /// Reads the value from one column of a row.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> String {
        try row.text(at: index)
    }
    /// Binds the value to the next parameter.
    public func bind(to row: inout RowWriter) {
        row.bindText(self)
    }
}

extension Bool: ColumnValue {
    /// `BOOLEAN`
    public static var columnType: ColumnType { .boolean }
    /// What is stored for this value.
    public func storedValue() -> StoredValue { .integer(self ? 1 : 0) }
    /// Reads the value from one column of a row.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Bool {
        try row.integer(at: index, as: Bool.self) != 0
    }
    /// Binds the value to the next parameter.
    public func bind(to row: inout RowWriter) {
        row.bindInteger(self ? 1 : 0)
    }
}

extension Double: ColumnValue {
    /// `REAL`
    public static var columnType: ColumnType { .real }
    /// What is stored for this value.
    public func storedValue() throws -> StoredValue { .real(try rejectingNaN(self)) }
    /// Reads the value from one column of a row.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Double {
        try row.real(at: index, as: Double.self)
    }
    /// Binds the value to the next parameter.
    public func bind(to row: inout RowWriter) throws {
        row.bindReal(try rejectingNaN(self))
    }
}

extension Float: ColumnValue {
    /// `REAL`
    public static var columnType: ColumnType { .real }
    /// What is stored for this value.
    public func storedValue() throws -> StoredValue { .real(try rejectingNaN(Double(self))) }
    /// Reads the value from one column of a row.
    ///
    /// - Throws: ``ColumnDecodingError``, also for a number that is greater than any `Float`.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Float {
        let number = try row.real(at: index, as: Float.self)
        let value = Float(number)
        // To be infinite, it has to be stored so.
        guard value.isFinite || !number.isFinite else { throw row.mismatch(at: index, expected: Float.self) }
        return value
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
    /// `BLOB`
    public static var columnType: ColumnType { .blob }
    /// What is stored for this value.
    public func storedValue() -> StoredValue { .blob(self) }
    /// Reads the value from one column of a row.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Data {
        try row.blob(at: index)
    }
    /// Binds the value to the next parameter.
    public func bind(to row: inout RowWriter) {
        row.bindBlob(self)
    }
}

extension UUID: ColumnValue {
    /// `TEXT`
    public static var columnType: ColumnType { .text }
    /// What is stored for this value.
    public func storedValue() -> StoredValue { .text(uuidString) }

    /// Reads the text form, and the sixteen bytes that GRDB itself writes for a UUID.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> UUID {
        if row.isBlob(at: index) {
            guard let uuid = UUID(bytes: try row.blob(at: index)) else {
                throw row.mismatch(at: index, expected: UUID.self)
            }
            return uuid
        }
        guard let uuid = UUID(uuidString: try row.text(at: index, as: UUID.self)) else {
            throw row.mismatch(at: index, expected: UUID.self)
        }
        return uuid
    }
}

extension UUID {
    /// Nil unless they are sixteen.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension URL: ColumnValue {
    /// `TEXT`
    public static var columnType: ColumnType { .text }
    /// What is stored for this value.
    ///
    /// - Throws: ``ColumnEncodingError`` for a URL relative to another: its text alone would be another URL.
    public func storedValue() throws -> StoredValue {
        guard baseURL == nil else {
            throw ColumnEncodingError(reason: "a URL relative to another cannot be stored; store its absoluteURL")
        }
        return .text(absoluteString)
    }
    /// Reads the value from one column of a row.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> URL {
        guard let url = URL(string: try row.text(at: index, as: URL.self)) else {
            throw row.mismatch(at: index, expected: URL.self)
        }
        return url
    }
}

extension Date: ColumnValue {
    /// `DATETIME`
    public static var columnType: ColumnType { .datetime }

    /// What is stored for this value.
    public func storedValue() throws -> StoredValue {
        guard let text = DateText(self)?.string else {
            throw ColumnEncodingError(reason: "a date outside the years 1 to 9999 cannot be stored")
        }
        return .text(text)
    }

    /// Reads date text, and a number as seconds since 1970, which is how GRDB reads one.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Date {
        guard let date = row.date(at: index) else { throw row.mismatch(at: index, expected: Date.self) }
        return date
    }

    /// Binds the value to the next parameter.
    public func bind(to row: inout RowWriter) throws {
        if !row.bindInPlace(self) { try row.bindStored(self) }
    }
}

extension CGFloat: ColumnValue {
    /// `REAL`
    public static var columnType: ColumnType { .real }
    /// What is stored for this value.
    public func storedValue() throws -> StoredValue { try Double(self).storedValue() }
    /// Reads the value from one column of a row.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> CGFloat {
        CGFloat(try row.real(at: index, as: CGFloat.self))
    }
}
