import Synchronization

/// The facts and the SQL of a record type, made once for each type and process.
package final class RecordTable<R: StorageKitEntityRecord>: Sendable {
    package let name: String
    package let columns: [ColumnSchema]
    package let idColumn: String
    let selectList: String
    let selectByIdSQL: String
    let upsertSQL: String
    let deleteByIdSQL: String

    private init() {
        name = R.databaseTableName
        columns = R.schemaColumns
        idColumn = columns.first(where: \.primaryKey)?.name ?? "id"
        let table = name.quotedIdentifier
        let id = idColumn.quotedIdentifier
        let names = columns.map(\.name.quotedIdentifier)
        selectList = names.joined(separator: ", ")
        selectByIdSQL = "SELECT \(selectList) FROM \(table) WHERE \(id) = ?"
        deleteByIdSQL = "DELETE FROM \(table) WHERE \(id) = ?"
        let placeholders = names.map { _ in "?" }.joined(separator: ", ")
        let updates = names.filter { $0 != id }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        // An upsert and not REPLACE: the row keeps its rowid, and rows that refer to it are not deleted.
        upsertSQL =
            "INSERT INTO \(table) (\(selectList)) VALUES (\(placeholders)) ON CONFLICT (\(id)) DO "
            + (updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates)")
    }

    /// The table of a record type.
    package static func of(_ type: R.Type) -> RecordTable<R> {
        let key = ObjectIdentifier(type)
        return recordTables.withLock { tables in
            if let table = tables[key] {
                return unsafeDowncast(table, to: RecordTable<R>.self)
            }
            let table = RecordTable<R>()
            tables[key] = table
            return table
        }
    }
}

private let recordTables = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

extension RecordTable {
    /// What the id column holds for an id, or nil if no row can have that id.
    package func storedId(_ id: R.E.Id) -> StoredValue? {
        if let id = id as? String { return .text(id) }
        return try? (id as? any ColumnValue)?.storedValue()
    }

    /// What the id column holds for an id in text form: `UUID` and integer ids are parsed. Nil if the text
    /// cannot be such an id, so that no row can match.
    package func storedId(text: String) -> StoredValue? {
        if R.E.Id.self == String.self { return .text(text) }
        if R.E.Id.self == UUID.self { return UUID(uuidString: text)?.storedValue() }
        if let type = R.E.Id.self as? any (ColumnValue & LosslessStringConvertible).Type {
            return try? type.init(text)?.storedValue()
        }
        return .text(text)
    }
}

extension String {
    /// The name between double quotes, as SQL writes an identifier.
    package var quotedIdentifier: String {
        "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
