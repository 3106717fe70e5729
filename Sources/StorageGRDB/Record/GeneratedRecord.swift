public import GRDB

/// An entity whose table and codec generated code knows.
///
/// It refines no other protocol, nor does ``StampedRecord``: a conformance to one that refines Codable is put together as the
/// program runs, for which the compiler writes four functions more for each entity.
public protocol GeneratedEntity: Sendable {
    /// Describes the stored properties in their order.
    static func _describe(_ table: inout EntityDescription)
    /// Reads an entity from a row that has the columns of the described properties in that order.
    static func _decode(_ row: inout RowReader) throws -> Self
    /// Writes the stored properties in that order.
    func _encode(to row: inout RowWriter) throws
    /// Writes the constant default values of the properties in that order; NULL where there is none.
    static func _encodeDefaults(to row: inout RowWriter) throws
}

extension GeneratedEntity {
    /// Nothing: most properties have no default value.
    public static func _encodeDefaults(to row: inout RowWriter) throws {}

    /// The constant default values of the properties, by the places of their columns, up to the last one that has any.
    static func declaredDefaults(_ coders: JSONCoders) -> [StoredValue] {
        var row = RowWriter(coders: coders)
        // An embedded value of which a part cannot be stored takes all with it: nobody knows then which column is next.
        return (try? _encodeDefaults(to: &row)) == nil ? [] : row.collected
    }
}

/// What all generated records share.
///
/// A generated record is its entity and the time of the last save. The entity's properties are the record's
/// through dynamic member lookup, so that `record.name` reads and writes as documented, while the codec builds
/// the entity straight from a statement, without a record in between.
@dynamicMemberLookup
public protocol GeneratedRecord: StorageKitEntityRecord, Codable where E: GeneratedEntity {
    /// The entity, and when it was last saved.
    var _row: StoredRow<E> { get }
    /// The record of an entity saved at some time.
    init(_row: StoredRow<E>)
    /// Whether the record adds the `updatedAt` column: false where the entity has a property of that name.
    static var _addsUpdatedAt: Bool { get }
}

/// Says that a generated record keeps the time of the last save in a column of its own, `updatedAt`.
public protocol StampedRecord {}

extension GeneratedRecord where Self: StampedRecord {
    /// True.
    public static var _addsUpdatedAt: Bool { true }

    /// When the row was last saved.
    public var updatedAt: Date {
        get { _row.savedAt }
        set { self = Self(_row: StoredRow(_row.entity, savedAt: newValue)) }
    }
}

/// What a generated record holds. One object, so that a record is moved and copied as a reference whatever its entity is.
public final class StoredRow<E: GeneratedEntity>: Sendable {
    /// The entity.
    public let entity: E
    /// When it was last saved. Where the entity has a property for that, this is never looked at.
    public let savedAt: Date

    /// The row of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - savedAt: When it was last saved.
    public init(_ entity: E, savedAt: Date = .distantPast) {
        self.entity = entity
        self.savedAt = savedAt
    }
}

extension GeneratedRecord {
    /// False: the entity has a property of that name.
    public static var _addsUpdatedAt: Bool { false }

    static var parts: [SchemaPart] { DescribedTable.of(E.self).parts }

    /// The columns of all properties, then the time of the last save.
    public static var schemaColumns: [ColumnSchema] {
        DescribedTable.of(E.self).columns + (_addsUpdatedAt ? [updatedAtColumn] : [])
    }

    /// The indexes and unique keys that the entity declares.
    public static var schemaIndexes: [IndexSchema] { DescribedTable.of(E.self).declared.indexes }

    /// The references that the entity declares.
    public static var schemaReferences: [ReferenceSchema] {
        DescribedTable.of(E.self).declared.references.map { $0.schema() }
    }

    /// The former names that the entity declares.
    public static var _formerNames: (ofTable: [String], ofColumns: [String: [String]]) {
        let declared = DescribedTable.of(E.self).declared
        return (declared.formerNames, declared.formerColumnNames)
    }

    private static var updatedAtColumn: ColumnSchema {
        ColumnStorage(type: .datetime).schema(name: "updatedAt")
    }

    /// What is wrong with an embedded value, two properties that land on one column, or a name of a column that there is not.
    public static var _schemaProblem: String? {
        knownProblems.value(of: Self.self) { KnownProblem(text: foundProblem) }.text
    }

    private static var foundProblem: String? {
        // The macro does not see that SQLite gives it, and without the protocol a save would not return it.
        if givesIds, !(E.self is any EntityWithGivenId.Type) {
            return "the id of '\(E.self)' is an optional behind another name; write it as 'Int64?' or 'Int?'"
        }
        let updatedAt = _addsUpdatedAt ? [("the time of the last save", updatedAtColumn)] : []
        let parts = parts
        return parts.first { $0.problem != nil }?.problem
            ?? schemaProblem(of: parts.flatMap(\.columns) + updatedAt, entity: "\(E.self)")
            ?? DescribedTable.of(E.self).declared.problem(
                columns: schemaColumns.map(\.name), table: databaseTableName, entity: "\(E.self)")
    }

    /// A property of the entity.
    public subscript<Value>(dynamicMember property: WritableKeyPath<E, Value>) -> Value {
        get { _row.entity[keyPath: property] }
        set {
            var entity = _row.entity
            entity[keyPath: property] = newValue
            self = Self(_row: StoredRow(entity, savedAt: _row.savedAt))
        }
    }

    /// A read-only property of the entity.
    public subscript<Value>(dynamicMember property: KeyPath<E, Value>) -> Value {
        _row.entity[keyPath: property]
    }

    /// The entity.
    public func asEntity() -> E { _row.entity }

    /// The record of an entity, stamped with the time of the write.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - now: The time of the write.
    public static func from(_ entity: E, now: Date) -> Self {
        Self(_row: StoredRow(entity, savedAt: now))
    }

    /// Reads the entity's columns.
    @inlinable
    public static func _decode(_ row: inout RowReader) throws -> E { try E._decode(&row) }

    /// Writes the entity's columns, then the time of the write.
    public static func _encode(_ entity: E, now: Date, to row: inout RowWriter) throws {
        try entity._encode(to: &row)
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
            let savedAt: Date = Self._addsUpdatedAt ? try reader.next() : .distantPast
            self.init(_row: StoredRow(entity, savedAt: savedAt))
        } catch {
            throw EntityCodec.decodingError(error, type: E.self, column: reading)
        }
    }

    private func columnValues() throws -> Zip2Sequence<[String], [StoredValue]> {
        let columns = Self.schemaColumns
        let values = try EntityCodec.values(of: _row.entity, as: Self.self, columns, now: _row.savedAt, .standard)
        return zip(columns.map(\.name), values)
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
        let container = try decoder.container(keyedBy: PropertyKey.self)
        try self.init(values: { try container.decode(StoredValue.self, forKey: PropertyKey($0)) })
    }

    /// Writes the row, one key for each column.
    ///
    /// - Throws: ``StorageError/entityEncodingFailed(type:underlying:)`` naming the column at fault, or what the
    ///   encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PropertyKey.self)
        for (column, value) in try columnValues() {
            try container.encode(value, forKey: PropertyKey(column))
        }
    }
}

/// What is wrong with the table of a record, looked for once.
private final class KnownProblem: Sendable {
    let text: String?

    init(text: String?) {
        self.text = text
    }
}

private let knownProblems = TypeMemo()
