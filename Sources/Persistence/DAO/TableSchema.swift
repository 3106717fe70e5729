/// How the values of a type are kept in a table: its name, its primary key, and how a value becomes a row and back.
///
/// For a `Codable` type whose properties are the columns, ``codable(table:primaryKey:options:)`` makes it; otherwise both
/// ways are written by hand:
///
/// ```swift
/// let schema = TableSchema<Session>(
///     table: "sessions", primaryKey: "id",
///     encode: { ["id": .text($0.identifier.uuidString)] },
///     decode: { row in
///         guard case .text(let text)? = row.value("id"), let id = UUID(uuidString: text) else {
///             throw SQLiteError.decodingFailed(message: "A session without an id")
///         }
///         return Session(identifier: id)
///     })
/// ```
public struct TableSchema<Entity: Sendable>: Sendable {
    /// The name of the table.
    public let table: String
    /// The column of the primary key, or of another key that no two rows share.
    public let primaryKey: String
    /// Makes the values of a row, under their columns' names. Columns that are left out keep their value in an update,
    /// and have their default in a new row.
    public let encode: @Sendable (Entity) throws -> [String: SQLiteValue]
    /// Makes an entity from a row.
    public let decode: @Sendable (Row) throws -> Entity

    /// Makes a schema by hand.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - primaryKey: The column of the primary key.
    ///   - encode: Makes the values of a row. What it throws passes through the DAO.
    ///   - decode: Makes an entity from a row. What it throws passes through the DAO.
    public init(
        table: String, primaryKey: String,
        encode: @escaping @Sendable (Entity) throws -> [String: SQLiteValue],
        decode: @escaping @Sendable (Row) throws -> Entity
    ) {
        self.table = table
        self.primaryKey = primaryKey
        self.encode = encode
        self.decode = decode
    }
}

extension TableSchema where Entity: Codable {
    /// The schema of a type whose properties are the columns, by the rules of ``SQLiteEncoder``.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - primaryKey: The column of the primary key.
    ///   - options: How values become JSON that have no SQLite type of their own.
    public static func codable(
        table: String, primaryKey: String, options: SQLiteCodingOptions = SQLiteCodingOptions()
    ) -> TableSchema<Entity> {
        let encoder = SQLiteEncoder(options: options, table: table)
        let decoder = SQLiteDecoder(options: options, table: table)
        return TableSchema(
            table: table, primaryKey: primaryKey,
            encode: { try encoder.encode($0) },
            decode: { try decoder.decode(Entity.self, from: $0) })
    }
}
