/// What a repository knows of its record: its facts and SQL, and the coders of its JSON columns.
///
/// An object, since a method of a generic structure has that structure's type looked up at each call.
@usableFromInline
package final class RecordTable<R: StorageKitEntityRecord>: Sendable {
    let sql: RecordSQL<R>
    let coders: JSONCoders

    package var name: String { sql.name }
    package var columns: [ColumnSchema] { sql.columns }
    /// The table as expressions and plans know it.
    package var source: SourceTable { sql.source }
    package var idColumn: String { sql.idColumn }

    /// The table of a record type, with the coders of a store.
    package init(_ type: R.Type, coders: JSONCoders = .standard) {
        sql = RecordSQL.of(type)
        self.coders = coders
    }

    /// Asks for all rows.
    package var plan: QueryPlan {
        var plan = QueryPlan(source)
        plan.coders = coders
        return plan
    }

    /// The same, sorted by a column; nil sorts by id.
    package func plan(orderBy: String?, ascending: Bool) -> QueryPlan {
        var plan = plan
        plan.sort(by: orderBy ?? idColumn, ascending ? .ascending : .descending)
        return plan
    }

    /// - Throws: `StorageError.invalidConfiguration` for an entity that no table can hold.
    func check() throws {
        if let problem = sql.problem { throw StorageError.invalidConfiguration(message: problem) }
    }
}

/// The facts and the SQL of a record type, made once for each type and process.
final class RecordSQL<R: StorageKitEntityRecord>: Sendable {
    let name: String
    let lowercasedName: String
    let source: SourceTable
    let columns: [ColumnSchema]
    let columnNames: [String]
    let idColumn: String
    let problem: String?
    let selectByIdSQL: String
    /// What an upsert inserts into.
    let upsertTarget: String
    let upsertSQL: String
    /// The same, returning a row where it wrote one.
    let upsertReturningSQL: String
    let deleteByIdSQL: String
    let insertSQL: String
    /// The same, which does nothing if the id is there.
    let insertIfNewSQL: String
    /// Sets all columns but the id of the row that has it.
    let updateSQL: String
    /// The same for the row that has a version, too.
    let updateVersionSQL: String
    let deleteVersionSQL: String
    let selectIdSQL: String
    /// Nil where the entity has no version.
    let selectVersionSQL: String?
    /// The columns of embedded values that may be nil.
    private let optionalValueColumns: Set<String>
    /// The column that tells when a row was saved, if the record keeps one.
    let stampColumn: String?
    /// The column that counts how often a row was written, if the entity has one.
    let versionColumn: String?
    /// Whether a record written by hand may keep its UUID as GRDB does, as sixteen bytes or lowercase text.
    private let mayHaveUUIDsOfGRDB: Bool

    private init() {
        name = R.databaseTableName
        lowercasedName = name.asciiLowercased
        columns = R.schemaColumns
        problem = R._schemaProblem
        versionColumn = (R.E.self as? any VersionedEntity.Type)?._versionColumn
        idColumn = columns.first(where: \.primaryKey)?.name ?? "id"
        let table = name.quotedIdentifier
        let id = idColumn.quotedIdentifier
        columnNames = columns.map(\.name)
        let names = columnNames.map(\.quotedIdentifier)
        source = SourceTable(name: name, columns: columns, idColumn: idColumn, problem: problem)
        let selectList = source.selectList
        let parts = R.knownParts
        optionalValueColumns = Set(parts.flatMap { $0.optionalValues.joined() })
        let addsStamp = (R.self as? any GeneratedRecord.Type)?._addsUpdatedAt ?? true
        // A record written by hand may keep something else there.
        let hasStamp = columns.contains {
            $0.name == "updatedAt" && $0.type.uppercased() == ColumnType.datetime.rawValue
        }
        stampColumn = addsStamp && hasStamp ? "updatedAt" : nil
        mayHaveUUIDsOfGRDB = R.E.Id.self == UUID.self && !(R.self is any GeneratedRecord.Type)
        // The condition on the one row that has an id.
        let hasId = mayHaveUUIDsOfGRDB ? "\(id) IN (?, ?, ?)" : "\(id) = ?"
        selectByIdSQL = "SELECT \(selectList) FROM \(table) WHERE \(hasId)"
        selectIdSQL = "SELECT \(id) FROM \(table) WHERE \(hasId)"
        deleteByIdSQL = "DELETE FROM \(table) WHERE \(hasId)"
        let placeholders = names.map { _ in "?" }.joined(separator: ", ")
        let others = names.filter { $0 != id }
        let updates = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        // To a table of that name, `excluded` would be the row that there is, and not the one that comes.
        upsertTarget = lowercasedName == "excluded" ? table + " AS saved" : table
        // An upsert and not REPLACE: the row keeps its rowid, and rows that refer to it are not deleted.
        upsertSQL =
            "INSERT INTO \(upsertTarget) (\(selectList)) VALUES (\(placeholders)) ON CONFLICT (\(id)) DO "
            + (updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates)")
        upsertReturningSQL = upsertSQL + " RETURNING 1"
        insertSQL = "INSERT INTO \(table) (\(selectList)) VALUES (\(placeholders))"
        insertIfNewSQL = insertSQL + " ON CONFLICT (\(id)) DO NOTHING"
        // A table of an id alone has nothing else to set.
        let settings = others.isEmpty ? "\(id) = \(id)" : others.map { "\($0) = ?" }.joined(separator: ", ")
        updateSQL = "UPDATE \(table) SET \(settings) WHERE \(hasId)"
        let version = versionColumn?.quotedIdentifier
        let hasVersion = version.map { " AND \($0) = ?" } ?? ""
        updateVersionSQL = updateSQL + hasVersion
        deleteVersionSQL = deleteByIdSQL + hasVersion
        selectVersionSQL = version.map { "SELECT \($0) FROM \(table) WHERE \(hasId)" }
    }

    /// Where the id stands among the columns.
    var idPlace: Int? { columnNames.firstIndex(of: idColumn) }

    static func of(_ type: R.Type) -> RecordSQL<R> {
        recordSQL.value(of: type) { RecordSQL() }
    }

    /// Whether setting the column alone could make a value out of nil, with NULL where it has no optional.
    func isInOptionalValue(_ column: String) -> Bool { optionalValueColumns.contains(column) }

    /// Whether one argument finds one row.
    var findsByOneId: Bool { problem == nil && !mayHaveUUIDsOfGRDB }

    /// The arguments of the statements that find one row by its id: a UUID of a record written by hand in each form that the row may have.
    func idArguments(_ id: StoredValue) -> [StoredValue] {
        guard mayHaveUUIDsOfGRDB else { return [id] }
        guard let uuid = id.uuid else { return [id, id, id] }
        let text = uuid.uuidString
        return [.text(text), .text(text.lowercased()), .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })]
    }
}

extension StoredValue {
    /// The UUID that it is, in one of the forms of ``RecordSQL/idArguments(_:)``.
    fileprivate var uuid: UUID? {
        switch self {
        case .text(let text): UUID(uuidString: text)
        case .blob(let bytes): UUID(bytes: bytes)
        default: nil
        }
    }
}

private let recordSQL = TypeMemo()

extension RecordTable {
    /// What the id column holds for an id, or nil if no row can have that id.
    @usableFromInline
    package func storedId(_ id: R.E.Id) -> StoredValue? {
        if let id = id as? String { return .text(id) }
        let stored = try? RowWriter.storedValues(of: id, coders: coders).first
        return stored == .null ? nil : stored
    }

    /// What the id column holds for an id in text form: `UUID`, numbers and raw values are parsed. Nil if the
    /// text cannot be such an id, so that no row can match.
    @usableFromInline
    package func storedId(text: String) -> StoredValue? {
        if R.E.Id.self == String.self { return .text(text) }
        let type: any Any.Type = R.givesIds ? Int64.self : R.E.Id.self
        return (type as? any ColumnValue.Type).map { $0.storedId(text: text) }
            ?? (type as? any RawRepresentable.Type).map { $0.storedRawId(text: text) }
            ?? .text(text)
    }
}

extension ColumnValue {
    fileprivate static func storedId(text: String) -> StoredValue? {
        if Self.self == String.self { return .text(text) }
        if Self.self == UUID.self { return UUID(uuidString: text)?.storedValue() }
        if let type = Self.self as? any (ColumnValue & LosslessStringConvertible).Type {
            return try? type.init(text)?.storedValue()
        }
        // Dates, decimals and URLs: the text is the stored form, if it can be read as one.
        let row = RowReader(values: [.text(text)], names: ["id"])
        return try? Self.read(from: row, at: 0).storedValue()
    }
}

extension RawRepresentable {
    fileprivate static func storedRawId(text: String) -> StoredValue? {
        guard let stored = (RawValue.self as? any ColumnValue.Type)?.storedId(text: text) else { return nil }
        let row = RowReader(values: [stored], names: ["id"])
        guard let raw = try? (RawValue.self as? any ColumnValue.Type)?.read(from: row, at: 0) as? RawValue,
            Self(rawValue: raw) != nil
        else { return nil }
        return stored
    }
}
