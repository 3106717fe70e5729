import GRDB
import StorageSQLite

/// A table that auto-schema keeps up to date, and what its record knows about values for existing rows.
struct AutoTable: Sendable {
    let schema: TableSchema
    /// Nil for a table that is described at run time.
    let record: (any StorageKitEntityRecord.Type)?

    init(_ schema: TableSchema) {
        self.schema = schema
        record = nil
    }

    init(_ type: any StorageKitEntityRecord.Type) {
        schema = type.tableSchema
        record = type
    }

    /// Whether the name is the one that an entity has of which nothing else is said.
    var hasDefaultName: Bool {
        record.map { schema.name.lowercased() == $0.simpleName.lowercased() + "s" } ?? false
    }

    /// Asked when a column is added: it takes a search through all that the program has of the kind, and most starts need not know.
    private var generated: (any GeneratedRecord.Type)? { record as? any GeneratedRecord.Type }

    /// The default values that the source gives properties, by column, and the version of a row that was written once.
    func declaredDefaults(_ coders: JSONCoders) -> [String: StoredValue] {
        var defaults = generated?.declaredDefaults(coders: coders) ?? [:]
        // 0 would say that the row was never stored.
        if let version = record?.versionColumn { defaults[version] = .integer(1) }
        return defaults
    }

    /// The default values of embedded properties: what each column gets, as SQL writes it.
    func embeddedDefaults(_ coders: JSONCoders) -> [[String: String]] {
        let defaults = declaredDefaults(coders)
        return (generated?.parts ?? []).compactMap { part in
            let names = part.columns.map(\.column.name)
            guard names.count > 1, names.contains(where: { defaults[$0] != nil }) else { return nil }
            return Dictionary(names.map { ($0, defaults[$0]?.defaultLiteral ?? "NULL") }) { first, _ in first }
        }
    }

    /// How each column is read, as far as that is known.
    var leafCoders: [String: LeafCoder] {
        Dictionary((generated?.parts ?? []).flatMap { $0.leafCoders() }) { first, _ in first }
    }

    /// The columns of each embedded value that may be nil.
    var optionalValues: [[String]] { (generated?.parts ?? []).flatMap(\.optionalValues) }

    /// What keeps the rows of a SELECT from being read as the entity, as far as it lies in one of some columns. The code of a record
    /// written by hand may trap, and is not asked.
    func readingError(
        in db: Database, sql: String, _ coders: JSONCoders, columns: Set<String>
    ) throws -> ColumnDecodingError? {
        try generated?.readingError(in: db.makeStatement(sql: sql), coders: coders, columns: columns)
    }
}

extension StorageKitEntityRecord {
    fileprivate static var versionColumn: String? { (E.self as? any VersionedEntity.Type)?._versionColumn }
    fileprivate static var simpleName: String { "\(E.self)" }
    /// With the types and the module around it.
    static var entityName: String { String(reflecting: E.self) }
}

extension AutoTable {
    /// The columns of the values that may be nil and have some of their columns in the file, but not these.
    fileprivate func optionalValues(extendedBy added: Set<String>) -> [[String]] {
        optionalValues.filter { !added.isDisjoint(with: $0) && !added.isSuperset(of: $0) }
    }
}

extension StorageKitEntityRecord {
    /// Reads up to the first row that tells something: one that can be read, or cannot for one of the columns. A row
    /// that other columns keep from being read tells nothing.
    fileprivate static func readingError(
        in statement: GRDB.Statement, coders: JSONCoders, columns: Set<String>
    ) throws -> ColumnDecodingError? {
        var found: ColumnDecodingError?
        try statement.withRows(coders: coders) { row in
            repeat {
                do {
                    _ = try EntityCodec.decode(Self.self, &row)
                    return
                } catch StorageError.entityDecodingFailed(_, let error as ColumnDecodingError) {
                    if columns.contains(error.column) { return found = error }
                }
            } while row.advance()
        }
        return found
    }
}

extension GeneratedRecord {
    fileprivate static func declaredDefaults(coders: JSONCoders) -> [String: StoredValue] {
        let defaults = zip(schemaColumns.map(\.name), E.declaredDefaults(coders)).filter { $0.1 != .null }
        return Dictionary(defaults) { first, _ in first }
    }
}

// MARK: - Values for existing rows

extension Database {
    /// The columns to add to a table, each with the default that existing rows get: the one of the property in the source,
    /// else, where the column takes no NULL, an empty value of the property's type. Where there is neither, a table without
    /// rows gets the column without default, as a new table does.
    ///
    /// - Throws: ``MissingValueError`` if a row would not read back as an entity.
    func filled(_ columns: [ColumnSchema], of table: AutoTable, in run: MigrationContext) throws -> [ColumnSchema] {
        if let key = columns.first(where: \.primaryKey) {
            throw MissingValueError(table: table.schema.name, column: key.name, reason: .primaryKey)
        }
        var declared = table.declaredDefaults(run.coders).compactMapValues(\.defaultLiteral)
        // A default for a column of a value that is nil would make a part of a value of it.
        let extended = table.optionalValues(extendedBy: Set(columns.map(\.name)))
        for column in extended.joined() { declared[column] = nil }
        let hasRows = try hasRow(in: table.schema.name)
        var filled: [String: ColumnSchema] = [:]
        for column in columns {
            var value = column.defaultValue ?? declared[column.name]
            do {
                if value == nil, column.notNull { value = try table.emptyValue(of: column, in: run) }
                // SQLite adds a column with a computed default to an empty table only.
                if hasRows { value = try value.map { try constant($0, now: run.now) } }
            } catch is MissingValueError where !hasRows {
                // It has no default then.
            } catch let error as ColumnEncodingError {
                throw ColumnEncodingError(column: "\(table.schema.name).\(column.name)", reason: error.reason)
            }
            filled[column.name] = column.withDefault(value)
        }
        if let error = try readingError(of: table, adding: filled, in: run) {
            throw MissingValueError(table: table.schema.name, column: error.column, reason: .type(error.expected))
        }
        return columns.compactMap { filled[$0.name] }
    }

    /// The value that a default has at this time, as SQL writes it; a constant as it stands.
    private func constant(_ expression: String, now: Date) throws -> String {
        let value = expression.trimmingCharacters(in: .whitespacesAndNewlines)
        let name = value.uppercased()
        // A clock that is out of range keeps no column from being added that needs no time.
        if name.hasPrefix("CURRENT_"), case .text(let time) = try now.storedValue() {
            switch name {
            case "CURRENT_TIMESTAMP": return time.quotedLiteral
            case "CURRENT_DATE": return String(time.prefix(10)).quotedLiteral
            case "CURRENT_TIME": return String(time.dropFirst(11).prefix(8)).quotedLiteral
            default: break
            }
        }
        guard value.hasPrefix("("), let result = try firstRow("SELECT \(value)", [], { $0.storedValue(at: 0) }) else {
            return value
        }
        guard case .text(let text) = result, text.utf8.contains(0) else { return result.literal }
        // A table with rows takes constants only: to SQLite a CAST of the bytes is one, and a call of replace() is not. In UTF-16 the bytes
        // would be others, so there it refuses the column.
        guard try String.fetchOne(self, sql: "PRAGMA encoding") == "UTF-8" else { return value }
        return "(CAST(\(StoredValue.blob(Data(text.utf8)).literal) AS TEXT))"
    }

    /// Reads a row as it would be with the columns added, and one in which each optional value that gets more columns is
    /// there: a row without the value does not miss them. An error in a column that was there before is not auto-schema's. A column
    /// that gets another type is read as a CAST to that type gives it.
    private func readingError(
        of table: AutoTable, adding added: [String: ColumnSchema], in run: MigrationContext
    ) throws -> ColumnDecodingError? {
        let retyped = try diff(table.schema).retypedColumns
        let list = table.schema.columns.map { column in
            let name = column.name.quotedIdentifier
            if let added = added[column.name] { return "\(added.defaultValue ?? "NULL") AS \(name)" }
            let affinity = Affinity(of: column.type)
            guard retyped.contains(column.name), [.text, .integer, .real].contains(affinity) else { return name }
            return "CAST(\(name) AS \(affinity.rawValue)) AS \(name)"
        }
        let sql = "SELECT \(list.joined(separator: ", ")) FROM main.\(table.schema.name.quotedIdentifier)"
        let names = Set(added.keys)
        let conditions = table.optionalValues(extendedBy: names).map { columns in
            " WHERE "
                + columns.filter { !names.contains($0) }.map { "\($0.quotedIdentifier) IS NOT NULL" }
                .joined(separator: " OR ")
        }
        for condition in [""] + conditions {
            if let error = try table.readingError(in: self, sql: sql + condition, run.coders, columns: names) {
                return error
            }
        }
        return nil
    }
}

/// Why auto-schema has no value for the existing rows of a column.
public struct MissingValueError: Error, Sendable, Equatable {
    /// Why there is no value for existing rows.
    public enum Reason: Sendable, Equatable {
        /// A primary key cannot be added to a table.
        case primaryKey
        /// No empty value is a value of that type.
        case type(String)
        /// The same of a column that is there: rows have NULL in it, since some version of the app did not know it.
        case nulls(type: String)
    }

    /// The table.
    public let table: String
    /// The column.
    public let column: String
    /// Why there is no value for existing rows.
    public let reason: Reason
}

extension MissingValueError: LocalizedError {
    /// The column and what to do.
    public var errorDescription: String? {
        switch reason {
        case .primaryKey:
            "table '\(table)' has no column '\(column)', the primary key of the model, and SQLite cannot add one: "
                + "make the table anew in a migration, before autoSchema"
        case .type(let type):
            "column '\(column)' cannot be added to '\(table)': existing rows need a value of type \(type). Give the "
                + "entity's property a constant default value (a literal, a case or a static member), make it optional, or "
                + "add the column in a migration, before autoSchema"
        case .nulls(let type):
            "rows of '\(table)' have NULL in '\(column)', which some version of the app did not know, and need a value of type "
                + "\(type): give the entity's property a constant default value (a literal, a case or a static member), make it "
                + "optional, or fill the column in a migration"
        }
    }
}

extension AutoTable {
    /// What stands for nothing in a column, as SQL writes it: the empty value of its type, in JSON the first that the
    /// property takes.
    ///
    /// - Throws: ``MissingValueError`` if none is a value of the property's type.
    fileprivate func emptyValue(of column: ColumnSchema, in run: MigrationContext) throws -> String {
        let coder = leafCoders[column.name]
        let values = coder?.isJSON == true ? JSONText.emptyValues : [try column.emptyValue(now: run.now)]
        var refusal: ColumnDecodingError?
        for value in values {
            let error = coder?.readingError(of: value, column: column.name, coders: run.coders)
            if error == nil, let literal = value.defaultLiteral { return literal }
            refusal = error
        }
        throw MissingValueError(
            table: schema.name, column: column.name, reason: .type(refusal?.expected ?? column.type))
    }
}

extension AutoTable {
    /// The column with the default that the property has in the source, as SQL writes it; nil if it has none. What no property has, the
    /// time of the last save, is that of the start.
    func filledByDefault(_ column: ColumnSchema, in run: MigrationContext) -> ColumnSchema? {
        let isStamp = column.name == "updatedAt" && generated?._addsUpdatedAt == true
        let known = isStamp ? try? run.now.storedValue() : declaredDefaults(run.coders)[column.name]
        return (column.defaultValue ?? known?.defaultLiteral).map { column.withDefault($0) }
    }
}

extension ColumnSchema {
    fileprivate func emptyValue(now: Date) throws -> StoredValue {
        switch type.uppercased() {
        case "INTEGER", "BOOLEAN", ColumnType.unsigned.rawValue: .integer(0)
        case ColumnType.decimal.rawValue: .text("0")
        case "REAL": .real(0)
        case "BLOB": .blob(Data())
        // SQLite refuses CURRENT_TIMESTAMP for a column added to a table, so the time becomes a constant.
        case "DATETIME": try now.storedValue()
        default: .text("")
        }
    }
}

extension JSONText {
    /// What stands for nothing in JSON, the likeliest first.
    fileprivate static let emptyValues = ["[]", "{}", #""""#, "0", "false"].map { StoredValue.text($0) }
}
