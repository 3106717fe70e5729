/// A type whose values fit in one column.
///
/// The standard types conform: integers, floating-point numbers, `Decimal`, `String`, `Bool`, `Date`, `Data`,
/// `UUID`, `URL`, and the optionals of all. A value reads back equal to the one that was saved.
///
/// Other types need not conform: a `RawRepresentable` type is kept as its raw value, any other `Codable` type
/// as JSON. Conform a type of your own to choose another form.
public protocol ColumnValue: SQLRow, Sendable {
    /// The type that auto-schema gives the column.
    static var columnType: ColumnType { get }
    /// Whether the column may hold NULL: true for optionals only.
    static var isNullable: Bool { get }
    /// What is stored for this value.
    ///
    /// - Throws: ``ColumnEncodingError`` where SQLite has no form for the value (NaN, for one).
    func storedValue() throws -> StoredValue
    /// Reads a value from one column of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - index: The position of the column, from 0.
    /// - Throws: ``ColumnDecodingError`` if the column holds something else.
    static func read(from row: borrowing RowReader, at index: Int32) throws -> Self
    /// Binds the value to the next parameter of a statement.
    ///
    /// - Parameter row: The row being written.
    func bind(to row: inout RowWriter) throws
}

extension ColumnValue {
    /// False: only optionals hold NULL.
    public static var isNullable: Bool { false }

    /// Binds ``storedValue()``.
    public func bind(to row: inout RowWriter) throws {
        try row.bindStored(self)
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The column type of the wrapped type.
    public static var columnType: ColumnType { Wrapped.columnType }
    /// True: nil is kept as NULL.
    public static var isNullable: Bool { true }

    /// What is stored for the wrapped value; NULL for nil.
    public func storedValue() throws -> StoredValue {
        try self?.storedValue() ?? .null
    }

    /// Reads the value from one column of a row.
    @inlinable @inline(__always)
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Wrapped? {
        try row.isNull(at: index) ? nil : Wrapped.read(from: row, at: index)
    }

    /// Binds the value to the next parameter.
    @inlinable @inline(__always)
    public func bind(to row: inout RowWriter) throws {
        if let self {
            try self.bind(to: &row)
        } else {
            row.bindNull()
        }
    }
}

/// A value that SQLite has no form for.
public struct ColumnEncodingError: Error, Sendable, Equatable {
    /// The column that was to take the value, as far as it is known.
    public var column: String?
    /// Why the value cannot be stored.
    public let reason: String
    /// Which of several entities has the value, counted from 0; nil where there is one, or it was not told.
    public internal(set) var position: Int?

    /// The error to throw from ``ColumnValue/storedValue()`` for a value that has no form.
    ///
    /// - Parameters:
    ///   - column: The column, if it is known; a save names it otherwise.
    ///   - reason: Why the value cannot be stored. It appears in messages and logs, so leave the value out of it.
    public init(column: String? = nil, reason: String) {
        self.column = column
        self.reason = reason
    }

    /// The error itself, if it is one. Of any other, which the app's own code throws and whose text may hold values, the
    /// type alone is passed on.
    init(_ error: any Error, of value: String = "the value") {
        self =
            error as? ColumnEncodingError
            ?? ColumnEncodingError(reason: "\(value) refuses to be encoded (\(Swift.type(of: error)))")
    }
}

extension ColumnEncodingError: LocalizedError {
    /// The column, the reason, and which of several entities it is.
    public var errorDescription: String? {
        (column.map { "column '\($0)': \(reason)" } ?? reason)
            + (position.map { " (the entity at position \($0), counted from 0)" } ?? "")
    }
}

/// A column that does not hold what the property's type needs.
public struct ColumnDecodingError: Error, Sendable, Equatable {
    /// The column at fault.
    public internal(set) var column: String
    /// The type that was asked for.
    public let expected: String
    /// The storage class that was found: NULL, INTEGER, REAL, TEXT or BLOB. Never the value itself.
    public let found: String
    /// Where inside the column's JSON, if that is what it holds.
    public var path: String?
    /// The type of the error with which code of the app's refused the value, if it did.
    public var refusal: String?
    /// The id of the entity whose row it is, where that can be told.
    public internal(set) var id: String?
}

extension ColumnDecodingError: LocalizedError {
    /// The column and the row, as far as it can be told, the expected type and what was found instead.
    public var errorDescription: String? {
        let place = "column '\(column)'" + (id.map { " of the row with id '\($0)'" } ?? "")
        return if let refusal {
            "\(place) holds \(found) that cannot be read as \(expected) (\(refusal))"
        } else if let path {
            "\(place) holds \(found) that is no JSON of type \(expected)" + (path.isEmpty ? "" : ", at '\(path)'")
        } else {
            "\(place) holds \(found), which is not a value of type \(expected)"
        }
    }
}
