import Foundation
import StorageSQLite

/// What a file remembers of the models that started on it, among its migrations: the columns that they declare NOT NULL
/// (`storage_schema_2f3b0c11:{"users":["name"]}`), and the references that a start has made.
struct ModelRecords {
    private var required: Set<[[UInt8]]> = []
    private let records: Set<[UInt8]>
    /// Whether some model is of a version of StorageKit that kept no more than its fingerprint.
    private var hasUnknownModels = false

    init(_ catalog: Catalog, _ connection: Connection) throws {
        guard catalog.table(StorageKitParts.migrationsTable)?.column("identifier") != nil else {
            records = []
            return
        }
        let ids = try connection.rows("SELECT identifier FROM main.\(StorageKitParts.migrationsTable)")
        // In older files all of it begins as the models do.
        let bodies = ids.compactMap { $0[0].text }.compactMap { id in
            ["storage_schema_", "auto_schema_"].first(where: id.hasPrefix).map { String(id.dropFirst($0.count)) }
        }
        records = Set(bodies.map { Array($0.utf8) })
        for model in bodies where ModelRecords.isModel(model) {
            let own = bodies.filter { $0.hasPrefix(model + ":") }
            if own.isEmpty { hasUnknownModels = true }
            for record in own { add(Data(record.utf8.dropFirst(model.utf8.count + 1))) }
        }
    }

    private static func isModel(_ record: String) -> Bool {
        record.utf8.count == 8 && record.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private mutating func add(_ json: Data) {
        let tables = (try? JSONDecoder().decode([String: [String]].self, from: json)) ?? [:]
        for (table, columns) in tables { required.formUnion(columns.map { [table.nameKey, $0.nameKey] }) }
    }

    /// Whether some model may have had the column and declared it NOT NULL.
    func mayRequire(_ column: Table.Column, of table: Table) -> Bool {
        hasUnknownModels || required.contains([table.name.nameKey, column.name.nameKey])
    }

    /// Whether a start has made the index with that text.
    func has(index sql: String) -> Bool { records.contains(Array("index:\(sql)".utf8)) }

    /// Whether a start has made the reference.
    func has(_ reference: PlannedReference, of table: Table) -> Bool {
        guard reference.columns.count == 1 else { return false }
        let place = [table.name, reference.columns[0]].map(\.folded.quotedName).joined(separator: ":")
        return records.contains(Array("reference:\(place) \(reference.sql)".utf8))
    }
}
