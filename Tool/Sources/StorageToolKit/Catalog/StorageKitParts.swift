import Foundation
import StorageSQLite

/// What StorageKit, or GRDB, keeps in a file beside the tables of the app.
struct StorageKitParts {
    /// The index for full-text search of a table, FTS5 or older.
    struct FullTextIndex {
        let name: String
        /// The table whose rows it has, if it is known; StorageKit names the index after it.
        let table: String?
        let columns: [String]
        /// The module: `fts5`, `fts4` or `fts3`.
        let module: String
    }

    static let migrationsTable = "grdb_migrations"
    /// What the record of a migration that makes a cache begins with.
    private static let cachePrefix = "storage_kv_cache_v1:"

    /// The ids of the migrations that were applied, in that order.
    let migrations: [String]
    /// The tables of disk caches.
    let caches: [String]
    let fullTextIndexes: [FullTextIndex]
    /// The names of all tables that are not the app's own, as keys.
    let ownNames: Set<[UInt8]>

    init(_ catalog: Catalog, _ connection: Connection) throws {
        let record = catalog.table(StorageKitParts.migrationsTable).flatMap {
            $0.column("identifier") == nil ? nil : $0
        }
        migrations =
            try record.map { _ in
                try connection.rows("SELECT identifier FROM main.\(StorageKitParts.migrationsTable) ORDER BY rowid")
                    .compactMap { $0[0].text }.filter { !StorageKitParts.isColumnRecord($0) }
            } ?? []
        let recorded = Set(
            migrations.filter { $0.utf8.starts(with: StorageKitParts.cachePrefix.utf8) }
                .map { Array($0.nameKey.dropFirst(StorageKitParts.cachePrefix.utf8.count)) })
        caches = catalog.tables.filter { recorded.contains($0.name.nameKey) && $0.isCache }.map(\.name)
        fullTextIndexes = catalog.tables.compactMap { StorageKitParts.fullTextIndex($0, in: catalog) }
        let ids = fullTextIndexes.map { $0.name + "_ids" }.filter { name in
            catalog.table(name).map { $0.columns.map(\.name) == ["docid", "id"] } ?? false
        }
        let names = caches + fullTextIndexes.map(\.name) + ids + (record.map { [$0.name] } ?? [])
        ownNames = Set(names.map(\.nameKey))
    }

    /// Whether it is no migration but what StorageKit remembers of columns of models: it stands in the same table.
    private static func isColumnRecord(_ id: String) -> Bool {
        // In older files it begins as the models do, and as what drops a column does.
        id.hasPrefix("storage_schema_")
            || id.hasPrefix("auto_schema_") && id.contains(":") && !id.hasPrefix("auto_schema_drop:")
    }

    /// Whether a table holds data of the app.
    func isOfTheApp(_ table: Table) -> Bool {
        table.kind != .shadow && !ownNames.contains(table.name.nameKey)
    }

    private static func fullTextIndex(_ table: Table, in catalog: Catalog) -> FullTextIndex? {
        guard table.kind == .virtual,
            let match = table.sql.folded.firstMatch(of: /\busing\s+(fts[345])\b/)
        else { return nil }
        let source = table.name.hasSuffix("_fts") ? catalog.table(String(table.name.dropLast(4))) : nil
        // FTS tables have hidden columns of their own name and `rank`, which SQLite does not list.
        return FullTextIndex(
            name: table.name, table: source?.name, columns: table.columns.map(\.name), module: String(match.1))
    }
}

extension Table {
    /// Whether it has the columns of StorageKit's disk cache.
    var isCache: Bool {
        Set(columns.map(\.name)).isSuperset(of: ["key", "blob", "updatedAt", "expiresAt", "size"])
    }
}
