public import GRDB

/// What all generated records share.
///
/// A generated record is its entity and the time of the last save. The entity's properties are the record's
/// through dynamic member lookup, so that `record.name` reads and writes as documented, while the codec builds
/// the entity straight from a statement, without a record in between.
@dynamicMemberLookup
public protocol GeneratedRecord: StorageKitEntityRecord, Codable {
    /// The entity.
    var _entity: E { get set }
    /// When the row was last saved: what the record's `updatedAt` column holds, where it adds one.
    var _savedAt: Date { get }

    /// The record of an entity saved at that time.
    init(_entity: E, updatedAt: Date)
    /// Writes the stored properties of the entity, in the order of ``schemaColumns``.
    static func _encode(_ entity: E, to row: inout RowWriter) throws
    /// Writes the constant default values of the properties, in the order of ``schemaColumns``; NULL where there is
    /// none.
    static func _encodeDefaults(to row: inout RowWriter) throws
    /// What each stored property adds to the table.
    static var _parts: [any SchemaPart] { get }
    /// Whether the record adds the `updatedAt` column: false where the entity has a property of that name.
    static var _addsUpdatedAt: Bool { get }
}

extension GeneratedRecord {
    /// True: most entities leave `updatedAt` to the record.
    public static var _addsUpdatedAt: Bool { true }
    /// Never read: without the column there is nothing to write.
    public var _savedAt: Date { .distantPast }

    /// Nothing: most properties have no default value.
    public static func _encodeDefaults(to row: inout RowWriter) throws {}

    /// The columns of all parts, then the time of the last save.
    public static func _makeSchemaColumns() -> [ColumnSchema] {
        _parts.flatMap { $0._columns.map(\.column) } + (_addsUpdatedAt ? [updatedAtColumn] : [])
    }

    private static var updatedAtColumn: ColumnSchema {
        ColumnStorage(type: .datetime).schema(name: "updatedAt")
    }

    /// What is wrong with an embedded value, or two properties that land on one column.
    public static var _schemaProblem: String? {
        let updatedAt = _addsUpdatedAt ? [("the time of the last save", updatedAtColumn)] : []
        return _parts.lazy.compactMap(\._problem).first
            ?? schemaProblem(of: _parts.flatMap(\._columns) + updatedAt, entity: "\(E.self)")
    }

    /// A property of the entity.
    public subscript<Value>(dynamicMember property: WritableKeyPath<E, Value>) -> Value {
        get { _entity[keyPath: property] }
        set { _entity[keyPath: property] = newValue }
    }

    /// A read-only property of the entity.
    public subscript<Value>(dynamicMember property: KeyPath<E, Value>) -> Value {
        _entity[keyPath: property]
    }

    /// The entity.
    public func asEntity() -> E { _entity }

    /// The record of an entity, stamped with the time of the write.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - now: The time of the write.
    public static func from(_ entity: E, now: Date) -> Self {
        Self(_entity: entity, updatedAt: now)
    }

    /// Writes the entity's columns, then the time of the write.
    public static func _encode(_ entity: E, now: Date, to row: inout RowWriter) throws {
        try _encode(entity, to: &row)
        if _addsUpdatedAt { try row.append(now) }
    }

    /// Reads the record from any row that has the columns of ``StorageKitEntityRecord/schemaColumns``, in any order.
    ///
    /// - Throws: ``StorageError/entityDecodingFailed(type:underlying:)`` naming the column at fault.
    public init(row: Row) throws {
        try self.init(values: { try row.storedValue(named: $0) })
    }

    /// Puts all columns into GRDB's container, for `insert`, `update` and `save`.
    ///
    /// - Throws: ``StorageError/entityEncodingFailed(type:underlying:)`` naming the column at fault. Text with a NUL
    ///   in it is refused: GRDB would cut it there. Saving the entity keeps it whole.
    public func encode(to container: inout PersistenceContainer) throws {
        for (column, value) in try columnValues() {
            if case .text(let text) = value, text.utf8.contains(0) {
                throw StorageError.entityEncodingFailed(
                    type: "\(E.self)",
                    underlying: ColumnEncodingError(column: column, reason: "GRDB cuts text at its first NUL"))
            }
            container[column] = value.databaseValue
        }
    }

    private init(values: (String) throws -> StoredValue) throws {
        var reading: String?
        do {
            let names = Self.schemaColumns.map(\.name)
            var reader = RowReader(values: try names.map(values), names: names)
            defer { reading = reader.lastName }
            let entity = try Self._decode(&reader)
            let updatedAt: Date = Self._addsUpdatedAt ? try reader.next() : .distantPast
            self.init(_entity: entity, updatedAt: updatedAt)
        } catch {
            throw EntityCodec.decodingError(error, type: E.self, column: reading)
        }
    }

    private func columnValues() throws -> Zip2Sequence<[String], [StoredValue]> {
        let columns = Self.schemaColumns
        var writer = RowWriter()
        do {
            try Self._encode(_entity, now: _savedAt, to: &writer)
        } catch {
            throw EntityCodec.encodingError(error, type: E.self, columns: columns, index: writer.index)
        }
        return zip(columns.map(\.name), writer.collected)
    }
}

// MARK: - Codable

// A struct that GRDB decodes from a joined request has records as properties, and has to be Decodable for it.
extension GeneratedRecord {
    /// Reads the row, one key for each column.
    ///
    /// - Throws: ``StorageError/entityDecodingFailed(type:underlying:)`` naming the column at fault, or what the
    ///   decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ColumnKey.self)
        try self.init(values: { try container.decode(StoredValue.self, forKey: ColumnKey($0)) })
    }

    /// Writes the row, one key for each column.
    ///
    /// - Throws: ``StorageError/entityEncodingFailed(type:underlying:)`` naming the column at fault, or what the
    ///   encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        for (column, value) in try columnValues() {
            try container.encode(value, forKey: ColumnKey(column))
        }
    }
}

private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
