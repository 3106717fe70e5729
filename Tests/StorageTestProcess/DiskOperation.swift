import StorageKit
import StorageTestSupport

/// One step of a ``DiskWorkload``, and what it does to the rows if it succeeds.
struct DiskOperation: Sendable {
    let name: String
    let perform: @Sendable (StorageKit.Context, URL) async throws -> Void
    let apply: @Sendable (inout MusicRows) -> Void

    init(
        _ name: String, _ perform: @escaping @Sendable (StorageKit.Context, URL) async throws -> Void,
        apply: @escaping @Sendable (inout MusicRows) -> Void = { _ in }
    ) {
        self.name = name
        self.perform = perform
        self.apply = apply
    }

    static let all: [DiskOperation] = [
        save("a new album", Music.Album("new", version: 1)),
        save("an album that is there", Music.Album("base-1", version: 51)),
        replace(Music.Album("batch", version: 3), trackCount: 12),
        // From here on, each commit reaches the disk before it is acknowledged, and large ones do not fit into memory.
        closure("pragmas", "PRAGMA synchronous = FULL; PRAGMA cache_size = 5"),
        saveTracks(10, of: "base-2"),
        save("a new album again", Music.Album("base-3", version: 52)),
        saveMany,
        DiskOperation("delete") { context, _ in
            try await context.facade.delete(Music.Album.self, id: "base-4")
        } apply: {
            $0.delete(album: "base-4")
        },
        DiskOperation("update of a query") { context, _ in
            _ = try await context.facade.query(Music.Album.self).where { $0.version < 7 }
                .updateAll { [$0.notes.set(to: "changed")] }
        } apply: { rows in
            for (id, album) in rows.albums where album.version < 7 { rows.albums[id]?.notes = "changed" }
        },
        closure("checkpoint", "PRAGMA wal_checkpoint(TRUNCATE)"),
        replace(Music.Album("base-2", version: 54), trackCount: 3),
        DiskOperation("deletion by a query") { context, _ in
            _ = try await context.facade.query(Music.Album.self).where { $0.version > 999 }.deleteAll()
        } apply: { rows in
            for (id, album) in rows.albums where album.version > 999 { rows.delete(album: id) }
        },
        DiskOperation("vacuum") { context, _ in try await context.vacuum() },
        DiskOperation("backup") { context, file in
            try await context.backup(to: file.appendingPathExtension("backup"))
        },
        save("the last album", Music.Album("new", version: 2)),
        DiskOperation("transaction") { context, _ in
            try await context.facade.transaction { try $0.save(Music.Album("new", version: 4)) }
        } apply: {
            $0.save(Music.Album("new", version: 4))
        },
    ]

    private static let saveMany = DiskOperation("save of many albums") { context, _ in
        try await context.facade.save(many)
    } apply: { rows in
        many.forEach { rows.save($0) }
    }

    private static let many = (0..<15).map { Music.Album("many-\($0)", version: 1000 + $0) }

    private static func save(_ name: String, _ album: Music.Album) -> DiskOperation {
        DiskOperation("save of \(name)") { context, _ in
            try await context.facade.save(album)
        } apply: {
            $0.save(album)
        }
    }

    private static func saveTracks(_ count: Int, of id: String) -> DiskOperation {
        let tracks = (0..<count).map { Music.Track($0, of: id, version: 5) }
        return DiskOperation("save of tracks") { context, _ in
            try await context.facade.save(tracks)
        } apply: {
            $0.save(tracks)
        }
    }

    private static func replace(_ album: Music.Album, trackCount: Int) -> DiskOperation {
        let tracks = (0..<trackCount).map { Music.Track($0, of: album.id, version: album.version) }
        return DiskOperation("batch in a closure") { context, _ in
            try await AlbumScript.Step.replaceAll(album, tracks).perform(on: context)
        } apply: { rows in
            rows.delete(album: album.id)
            rows.save(album)
            rows.save(tracks)
        }
    }

    private static func closure(_ name: String, _ sql: String) -> DiskOperation {
        DiskOperation("closure with \(name)") { context, _ in
            try await context.storage.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
        }
    }
}
