package import StorageKit

/// The store that the fault tests break: two tables, one of which refers to the other, with an index, a full-text index
/// and the disk cache. Both the tests and their second process know it.
package enum Music {
    /// The parent. Its texts say which version it is, so that a row that was mixed up is seen.
    @StorageEntity(table: "albums")
    package struct Album: Equatable {
        package var id: String
        package var title: String
        package var notes: String?
        package var version: Int
        package var shelf: Int

        package init(_ id: String, version: Int, shelf: Int = 0) {
            self.id = id
            title = "\(Music.word(version)) album \(id) take \(version)"
            notes = version % 3 == 0 ? nil : String(repeating: "note \(version) ", count: 5 + version % 50)
            self.version = version
            self.shelf = shelf
        }
    }

    /// The child, which goes with its parent.
    @StorageEntity(table: "tracks")
    package struct Track: Equatable {
        package var id: String
        package var albumId: String
        package var version: Int

        package init(_ number: Int, of albumId: String, version: Int) {
            id = "\(albumId)/\(number)"
            self.albumId = albumId
            self.version = version
        }
    }

    /// A few words to search for.
    package static func word(_ version: Int) -> String {
        ["amber", "birch", "coral", "delta", "ember"][version % 5]
    }

    package static func describe(_ schema: inout AppMigrations) {
        schema.addKVCache()
        schema.migration("2026-01_tracks") { db in
            try db.execute(
                sql: """
                    CREATE TABLE tracks (id TEXT PRIMARY KEY, albumId TEXT NOT NULL REFERENCES albums(id)
                        ON DELETE CASCADE, version INTEGER NOT NULL, updatedAt DATETIME NOT NULL);
                    CREATE TABLE counters (id TEXT PRIMARY KEY, value INTEGER NOT NULL);
                    """)
        }
        schema.autoSchema(AlbumRecord.self, TrackRecord.self)
        schema.migration("2026-01_indexes") { db in
            try db.execute(
                sql:
                    "CREATE INDEX albums_shelf ON albums (shelf, version); CREATE INDEX tracks_album ON tracks (albumId)"
            )
        }
        schema.addFullTextSearch(table: "albums", columns: ["title", "notes"])
    }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - upgrading: Whether the schema has one migration more, which changes every album.
    ///   - pool: How connections are set up.
    ///   - monitor: Hears of what the store does.
    ///   - onError: Called with what goes wrong in caches and streams.
    ///   - onUpgrade: Called when that migration runs.
    package static func start(
        at file: URL, upgrading: Bool = false, pool: PoolOptions = .patient,
        monitor: (any StorageMonitor)? = nil, onError: ErrorHandler? = nil, onUpgrade: (@Sendable () -> Void)? = nil
    ) throws -> StorageKit.Context {
        let options = StorageKit.StartOptions(
            pool: pool, onCacheError: onError, onObservationError: onError, monitor: monitor)
        return try StorageKit.start(at: file, options: options) { schema in
            describe(&schema)
            guard upgrading else { return }
            schema.migration("2026-02_shelves") { db in
                onUpgrade?()
                try db.execute(
                    sql: "ALTER TABLE tracks ADD COLUMN length REAL; UPDATE albums SET shelf = shelf + 1000")
            }
        }
    }
}

extension PoolOptions {
    /// Waits for locks as long as a busy machine needs.
    package static let patient = PoolOptions(configure: { $0.busyMode = .timeout(60) })
}
