/// What a row of the app's own SQL can be read as: a ``StorageSelection()`` struct or an entity by the names of the columns, or a single
/// value of one column.
///
/// Conformed to by StorageKit's types and by generated code.
public protocol SQLRow {
    /// How a row with these columns is read.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` that names a column that is not there.
    static func _reading(_ columns: SQLColumns) throws -> @Sendable (inout RowReader) throws -> Self
}

/// The columns that a statement of the app's gives, by name.
public struct SQLColumns: Sendable {
    private let names: [String]

    init(_ names: [String]) {
        self.names = names
    }

    func contains(_ name: String) -> Bool { names.contains { $0.isSameName(as: name) } }

    /// The position of a column. Capitals count as small letters, as they do in SQL.
    ///
    /// - Throws: `StorageError.queryFailed` for a name that no column has, or that several have.
    func place(of name: String) throws -> Int32 {
        let places = names.indices.filter { names[$0].isSameName(as: name) }
        guard let place = places.first else {
            let hint = names.nearest(to: name).map { "; did you mean '\($0)'? Its" } ?? "; its"
            throw StorageError.invalidQuery(
                "the statement has no column '\(name)'\(hint) columns are " + names.joined(separator: ", "))
        }
        guard places.count == 1 else {
            throw StorageError.invalidQuery(
                "the statement has \(places.count) columns '\(name)'; name them apart with AS")
        }
        return Int32(place)
    }

    /// How a value of the one column is read.
    ///
    /// - Throws: `StorageError.queryFailed` if there is another number of columns than one.
    func readingOne<T>(
        _ read: @escaping @Sendable (inout RowReader) throws -> T
    ) throws -> @Sendable (inout RowReader) throws -> T {
        guard names.count != 1 else { return read }
        throw StorageError.invalidQuery(
            "the statement has \(names.count) columns, \(names.joined(separator: ", ")), where one value is asked: \(T.self)"
        )
    }
}

extension ColumnValue {
    /// A value is read from the one column.
    public static func _reading(_ columns: SQLColumns) throws -> @Sendable (inout RowReader) throws -> Self {
        try columns.readingOne { try $0.nextValue() }
    }
}

extension Optional: SQLRow where Wrapped: ColumnValue {}
