/// SQL of the app's, with columns and values as themselves and never as text.
///
/// ```swift
/// storage.query(Reminder.self).where { Column<Bool>(sql: "\($0.dueDate) < date(\(now), '-3 months')") }
/// ```
///
/// The text has to be one expression: no parameter, no comment, no parenthesis or quotation mark that stays open.
public struct SQLText: ExpressibleByStringInterpolation, Sendable {
    let pieces: [SQLPiece]

    /// SQL without columns and values.
    public init(stringLiteral text: String) {
        pieces = [.text(text)]
    }

    /// SQL with columns and values.
    public init(stringInterpolation: Interpolation) {
        pieces = stringInterpolation.pieces
    }

    /// Puts the SQL together.
    public struct Interpolation: StringInterpolationProtocol {
        var pieces: [SQLPiece] = []

        /// Begins with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text of the source code.
        public mutating func appendLiteral(_ text: String) {
            pieces.append(.text(text))
        }

        /// Adds a column, or any other expression.
        public mutating func appendInterpolation<T>(_ expression: Column<T>) {
            pieces.append(.expression(expression.node))
        }

        /// Adds a value.
        public mutating func appendInterpolation<T: ColumnValue>(_ value: T) {
            pieces.append(.expression(.value(value)))
        }

        /// Adds a value, or NULL.
        public mutating func appendInterpolation<T: ColumnValue>(_ value: T?) {
            pieces.append(.expression(.value(value)))
        }

        /// Adds a raw value.
        @_disfavoredOverload
        public mutating func appendInterpolation<T: RawRepresentable>(_ value: T) where T.RawValue: ColumnValue {
            pieces.append(.expression(.value(value)))
        }

        /// Adds a raw value, or NULL.
        @_disfavoredOverload
        public mutating func appendInterpolation<T: RawRepresentable>(_ value: T?) where T.RawValue: ColumnValue {
            pieces.append(.expression(.value(value)))
        }
    }
}

extension Column where T: ColumnValue {
    /// An expression in SQL of the app's. Where it gives NULL a `Bool` is false, as a condition and as a value; a `Bool?` is nil.
    /// Any other number than 0 is true.
    ///
    /// - Parameter text: The SQL, with columns and values in it.
    public init(sql text: SQLText) {
        self.init(.sql(text.pieces, ValueForm(type: T.columnType, mayBeNull: T.isNullable)))
    }
}
