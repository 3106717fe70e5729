import StorageSQLite

/// Notices what other connections commit to a file, and says which rows changed.
///
/// SQLite's `data_version` tells cheaply that something was committed. What it was, no reader of the file can see, so
/// the watched tables are then read and compared with what they were.
struct FileWatch {
    /// A row that changed.
    struct Event {
        let table: String
        let change: TableSnapshot.Change
        let key: TableSnapshot.Key
    }

    private let connection: Connection
    /// The tables to watch, as keys; nil for all that the app has.
    private let names: Set<[UInt8]>?
    private let check: () throws -> Void
    private var version: SQLiteValue = .null
    private var snapshots: [[UInt8]: (table: String, rows: TableSnapshot)] = [:]

    /// Reads what there is, in one transaction.
    ///
    /// - Parameters:
    ///   - connection: One that follows the file.
    ///   - names: The tables to watch; all that the app has if there is none.
    ///   - check: Called for each row that is read, now and later; throws to stop.
    init(_ connection: Connection, tables names: [String], check: @escaping () throws -> Void = {}) throws {
        self.connection = connection
        self.check = check
        self.names = names.isEmpty ? nil : Set(names.map(\.nameKey))
        let catalog = try Catalog(connection)
        for name in names where try catalog.existingTable(name).kind == .view {
            throw ToolError(.badData, "'\(name)' is a view, which has no rows of its own to watch")
        }
        _ = try events()
    }

    /// The tables that are watched.
    var tables: [String] { snapshots.values.map(\.table).sorted() }

    /// What was committed since the last call; nothing at almost no cost if nothing was.
    mutating func poll() throws -> [Event] {
        do {
            return try connection.value("PRAGMA data_version") == version ? [] : events()
        } catch let failure as SQLiteFailure where failure.kind == .busy || failure.isOfUnfinishedWrite {
            // Somebody writes for long, rolls back or has crashed; a later call sees what comes of it.
            return []
        }
    }

    private mutating func events() throws -> [Event] {
        try connection.transaction {
            // The first read settles what the transaction sees; the version then is that of what it sees.
            let catalog = try Catalog(connection)
            let version = try connection.value("PRAGMA data_version")
            var events: [Event] = []
            var newer: [[UInt8]: (table: String, rows: TableSnapshot)] = [:]
            for table in try watched(in: catalog) {
                let snapshot = try TableSnapshot(of: table, connection, check: check)
                let key = table.name.nameKey
                newer[key] = (table.name, snapshot)
                events += snapshot.changes(since: snapshots[key]?.rows ?? TableSnapshot()).map {
                    Event(table: table.name, change: $0.change, key: $0.key)
                }
            }
            for (key, gone) in snapshots where newer[key] == nil {
                events += TableSnapshot().changes(since: gone.rows).map {
                    Event(table: gone.table, change: $0.change, key: $0.key)
                }
            }
            snapshots = newer
            self.version = version
            return events
        }
    }

    private func watched(in catalog: Catalog) throws -> [Table] {
        let parts = try StorageKitParts(catalog, connection)
        return catalog.tables.filter { table in
            if let names { return names.contains(table.name.nameKey) }
            return table.kind == .table && parts.isOfTheApp(table)
        }
    }
}
