public import GRDB

/// The row of an entity: what GRDB reads and writes, and how it turns into the entity and back.
///
/// ``StorageEntity(table:indexes:unique:renamedFrom:)`` generates one. A record written by hand needs the documented members only, and
/// works wherever a generated one does; it reads and writes through GRDB's `init(row:)` and `encode(to:)`,
/// which is slower than the generated codec.
public protocol StorageKitEntityRecord: FetchableRecord, PersistableRecord, Sendable {
    /// The entity that the row stands for.
    associatedtype E: StorageKitEntity

    /// The name of the table.
    static var databaseTableName: String { get }
    /// The columns that auto-schema creates, in order, and that rows are read and saved by; there must be some.
    static var schemaColumns: [ColumnSchema] { get }
    /// The indexes and unique keys, but for the primary one and the index of each reference. None, unless a record says otherwise.
    static var schemaIndexes: [IndexSchema] { get }
    /// The columns that refer to other tables. None, unless a record says otherwise.
    static var schemaReferences: [ReferenceSchema] { get }
    /// The names that the table and its columns had in earlier versions of the model.
    static var _formerNames: (ofTable: [String], ofColumns: [String: [String]]) { get }

    /// The entity.
    func asEntity() -> E
    /// The row of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - now: The time of the write, for `updatedAt`.
    static func from(_ entity: E, now: Date) -> Self

    /// Reads an entity from a row that has the columns of ``schemaColumns`` in that order.
    static func _decode(_ row: inout RowReader) throws -> E
    /// Reads an entity from such a row, and one from each that follows.
    static func _decodeAll(_ row: inout RowReader, into entities: inout [E]) throws
    /// The same, each entity put into the list whose position stands in a column behind the entity's.
    static func _decodeLists(_ row: inout RowReader, numberedBy column: Int32, into lists: inout [[E]]) throws
    /// Writes an entity to a row that has the columns of ``schemaColumns`` in that order.
    static func _encode(_ entity: E, now: Date, to row: inout RowWriter) throws
    /// Why no table can hold the columns of ``schemaColumns``; nil if one can.
    static var _schemaProblem: String? { get }
}

extension StorageKitEntityRecord {
    /// None.
    public static var schemaIndexes: [IndexSchema] { [] }

    /// None.
    public static var schemaReferences: [ReferenceSchema] { [] }

    /// None.
    public static var _formerNames: (ofTable: [String], ofColumns: [String: [String]]) { ([], [:]) }

    /// Whether SQLite gives the ids of rows that are saved without one.
    static var givesIds: Bool { E.Id.self == Int64?.self || E.Id.self == Int?.self }

    /// The table, its columns and all that is declared over them, as one value.
    public static var tableSchema: TableSchema {
        let (columns, references, formerNames) = (schemaColumns, schemaReferences, _formerNames)
        return TableSchema(
            name: databaseTableName, columns: columns, indexes: schemaIndexes, references: references,
            formerNames: formerNames.ofTable, formerColumnNames: formerNames.ofColumns,
            givesIds: givesIds)
    }

    /// Creates the table of ``schemaColumns``.
    ///
    /// - Parameter db: A connection that may write.
    /// - Throws: `DatabaseError` if the table exists already; ``StorageError/invalidConfiguration(message:)`` if
    ///   no table can have these columns.
    public static func createTable(in db: Database) throws {
        if let problem = _schemaProblem { throw StorageError.invalidConfiguration(message: problem) }
        try tableSchema.create(in: db)
    }

    /// No columns, two of one name, a name that a column cannot have, or one of a column that there is not.
    public static var _schemaProblem: String? {
        guard !schemaColumns.isEmpty else {
            return "the record '\(Self.self)' of '\(E.self)' has no columns; name those of its table in schemaColumns"
        }
        let declared = DeclaredSchema(indexes: schemaIndexes, references: schemaReferences)
        return schemaProblem(of: schemaColumns.map { ($0.name, $0) }, entity: "\(E.self)")
            ?? declared.problem(columns: schemaColumns.map(\.name), table: databaseTableName, entity: "\(E.self)")
    }

    /// Reads the row through GRDB's `init(row:)`.
    public static func _decode(_ row: inout RowReader) throws -> E {
        try Self(row: row.grdbRow(columnCount: schemaColumns.count)).asEntity()
    }

    /// Reads the rows one after the other. The compiler makes this anew for the type of each entity, which spares
    /// each row what code for any type has to look up.
    @inlinable
    public static func _decodeAll(_ row: inout RowReader, into entities: inout [E]) throws {
        repeat { entities.append(try _decode(&row)) } while row.advance()
    }

    /// Reads the rows one after the other, made anew for the type of each entity as well.
    @inlinable
    public static func _decodeLists(_ row: inout RowReader, numberedBy column: Int32, into lists: inout [[E]]) throws {
        repeat {
            let entity = try _decode(&row)
            lists[Int(try row.integer(at: column, as: Int64.self))].append(entity)
        } while row.advance()
    }

    /// Writes the row through GRDB's `encode(to:)`.
    ///
    /// - Throws: What GRDB throws; ``StorageError/invalidConfiguration(message:)`` if that writes a column that ``schemaColumns``
    ///   does not name, and which would be lost.
    public static func _encode(_ entity: E, now: Date, to row: inout RowWriter) throws {
        var values = try from(entity, now: now).databaseDictionary
        for column in schemaColumns {
            row.append(StoredValue(values.removeValue(forKey: column.name) ?? .null))
        }
        guard let stray = values.keys.min() else { return }
        throw StorageError.invalidConfiguration(
            message: """
                the record '\(Self.self)' of '\(E.self)' writes the column '\(stray)', which schemaColumns does not name
                """)
    }
}
