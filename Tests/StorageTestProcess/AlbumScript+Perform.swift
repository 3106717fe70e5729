import GRDB
import StorageKit
import StorageTestSupport

extension AlbumScript.Step {
    /// Does the step, all of it or nothing.
    func perform(on context: StorageKit.Context) async throws {
        switch self {
        case .saveAlbum(let album): try await context.facade.save(album)
        case .saveTracks(let tracks): try await context.facade.save(tracks)
        case .delete(let id): try await context.facade.delete(Music.Album.self, id: id)
        case .replaceAll(let album, let tracks):
            try await context.storage.dbActor.write { db in
                try db.execute(sql: "DELETE FROM albums WHERE id = ?", arguments: [album.id])
                let now = Date()
                try Music.AlbumRecord.from(album, now: now).insert(db)
                for track in tracks { try Music.TrackRecord.from(track, now: now).insert(db) }
            }
        }
    }
}
