import StorageKit
import StorageTestSupport

extension DiskOperation {
    static func saving(_ album: Music.Album) -> DiskOperation {
        DiskOperation("save of an album") { context, _ in
            try await context.facade.save(album)
        } apply: {
            $0.save(album)
        }
    }

    static func saving(_ tracks: [Music.Track]) -> DiskOperation {
        DiskOperation("save of tracks") { context, _ in
            try await context.facade.save(tracks)
        } apply: {
            $0.save(tracks)
        }
    }

    /// A random transaction. All rows that it writes have its number, so that a part of it is seen.
    static func transaction(_ number: Int, using generator: inout SeededGenerator) -> DiskOperation {
        let version = 1000 + number
        let id = "base-\(Int.random(in: 0..<10, using: &generator))"
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return saving((0..<6).map { Music.Album("many-\($0)", version: version) })
        case 1: return changingNotes(to: "changed by \(version)")
        case 2: return deletingNewAlbums
        case 3: return deleting(id)
        default:
            return replacing(
                Music.Album(id, version: version), (0..<8).map { Music.Track($0, of: id, version: version) })
        }
    }

    private static func saving(_ albums: [Music.Album]) -> DiskOperation {
        DiskOperation("save of albums") { context, _ in
            try await context.facade.save(albums)
        } apply: { rows in
            albums.forEach { rows.save($0) }
        }
    }

    private static func changingNotes(to notes: String) -> DiskOperation {
        DiskOperation("update of a query") { context, _ in
            _ = try await context.facade.query(Music.Album.self).where { $0.version < 1000 }
                .updateAll { [$0.notes.set(to: notes)] }
        } apply: { rows in
            for (id, album) in rows.albums where album.version < 1000 { rows.albums[id]?.notes = notes }
        }
    }

    private static let deletingNewAlbums = DiskOperation("deletion by a query") { context, _ in
        _ = try await context.facade.query(Music.Album.self).where { $0.version > 1000 }.deleteAll()
    } apply: { rows in
        for (id, album) in rows.albums where album.version > 1000 { rows.delete(album: id) }
    }

    private static func deleting(_ id: String) -> DiskOperation {
        DiskOperation("delete") { context, _ in
            try await context.facade.delete(Music.Album.self, id: id)
        } apply: {
            $0.delete(album: id)
        }
    }

    private static func replacing(_ album: Music.Album, _ tracks: [Music.Track]) -> DiskOperation {
        DiskOperation("batch in a closure") { context, _ in
            try await AlbumScript.Step.replaceAll(album, tracks).perform(on: context)
        } apply: { rows in
            rows.delete(album: album.id)
            rows.save(album)
            rows.save(tracks)
        }
    }
}
