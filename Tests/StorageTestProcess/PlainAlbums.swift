import GRDB
import StorageKit
import StorageTestSupport

/// The albums that SQLite reads from a file, without the library.
struct PlainAlbums {
    /// Nil if SQLite notices that the file is damaged. A row with a value of another type than the column's is nil.
    let rows: [Music.Album?]?
    /// Those that are albums. Where an index is damaged, several may have one id.
    private let byId: [String: [Music.Album]]

    init(of file: URL) {
        do {
            rows = try PlainAlbums.read(file)
        } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_ERROR {
            // To SQLite a file without a byte is a new database: it has no such table.
            rows = []
        } catch {
            rows = nil
        }
        byId = Dictionary(grouping: (rows ?? []).compactMap(\.self), by: \.id)
    }

    /// Whether SQLite reads that album, or none that has its id.
    func mayHold(_ album: Music.Album) -> Bool {
        byId[album.id]?.contains(album) ?? true
    }

    private static func read(_ file: URL) throws -> [Music.Album?] {
        let queue = try GRDB.DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.read { db in
            try GRDB.Row.fetchCursor(db, sql: "SELECT id, title, notes, version, shelf FROM albums")
                .map(album).reduce(into: []) { $0.append($1) }
        }
    }

    private static func album(_ row: GRDB.Row) -> Music.Album? {
        guard let id = text(row[0]), let title = text(row[1]), case .int64(let version) = storage(row[3]),
            case .int64(let shelf) = storage(row[4])
        else { return nil }
        var album = Music.Album(id, version: 0, shelf: Int(shelf))
        album.title = title
        album.version = Int(version)
        album.notes = text(row[2])
        let isNotesWrong = album.notes == nil && storage(row[2]) != .null
        return isNotesWrong ? nil : album
    }

    private static func text(_ value: GRDB.DatabaseValue) -> String? {
        guard case .string(let text) = value.storage else { return nil }
        return text
    }

    private static func storage(_ value: GRDB.DatabaseValue) -> GRDB.DatabaseValue.Storage { value.storage }
}
