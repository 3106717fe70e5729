import StorageSQLite

/// The schema of a file, and the app's migrations that it has had.
struct SchemaState {
    let catalog: Catalog
    let migrations: [String]
    /// What the file remembers of the models that started on it.
    let records: ModelRecords
    private let ownNames: Set<[UInt8]>

    init(_ connection: Connection) throws {
        catalog = try Catalog(connection)
        let parts = try StorageKitParts(catalog, connection)
        migrations = parts.migrations.filter { id in !SchemaState.ownPrefixes.contains(where: id.hasPrefix) }
        records = try ModelRecords(catalog, connection)
        // The table of a disk cache is made by a start as others are.
        ownNames = parts.ownNames.subtracting(parts.caches.map(\.nameKey))
    }

    /// What the records of StorageKit's own steps begin with.
    private static let ownPrefixes = ["auto_schema_", "storage_kv_cache_v1:", "storage_fts_v1:"]

    /// The tables whose rows are the app's, and those of disk caches.
    var tables: [Table] {
        catalog.tables.filter { $0.kind == .table && !ownNames.contains($0.name.nameKey) }
    }

    /// The virtual tables.
    var virtualTables: [Table] { catalog.tables.filter { $0.kind == .virtual } }

    /// Indexes, triggers or views of tables that are the app's, with their SQL.
    func parts(_ type: String) -> [Catalog.Part] {
        catalog.parts.filter { $0.type == type && !ownNames.contains($0.table.nameKey) }
    }
}
