import GRDBSQLite
import StorageKit
import StorageTestSupport

/// The albums that SQLite reads from a file, without the library, which may have it open.
struct PlainAlbums {
    /// Those it looks up, one by one.
    static let lookedUp = stride(from: 0, to: MusicRows.toDamage.albums.count, by: 7).map { "base-\($0)" } + ["none"]

    /// Nil if SQLite notices that the file is damaged. A row with a value of another type than the column's is nil.
    let rows: [Music.Album?]?
    /// Those that are albums. Where an index is damaged, several may have one id.
    private let byId: [String: [Music.Album]]
    /// What SQLite finds for an id. Where an index is damaged, it leads to the row of another one.
    private let found: [String: [Music.Album?]]

    init(of file: URL) {
        let database = Self.open(file)
        defer { sqlite3_close_v2(database) }
        let (result, all) = Self.read(database)
        rows = result == SQLITE_OK ? all : nil
        byId = Dictionary(grouping: (rows ?? []).compactMap(\.self), by: \.id)
        found = Dictionary(Self.lookedUp.map { ($0, Self.find($0, database)) }) { $1 }
    }

    /// Whether SQLite reads that album, or none that has its id.
    func mayHold(_ album: Music.Album) -> Bool {
        byId[album.id]?.contains(album) ?? true
    }

    /// Whether SQLite finds that album where it looks up that id.
    func mayFind(_ album: Music.Album, for id: String) -> Bool {
        found[id]?.contains(album) ?? false
    }

    /// Whether SQLite finds that album now where it looks up its id.
    static func finds(_ album: Music.Album, in file: URL) -> Bool {
        let database = open(file)
        defer { sqlite3_close_v2(database) }
        return find(album.id, database).contains(album)
    }

    private static func open(_ file: URL) -> OpaquePointer? {
        var database: OpaquePointer?
        sqlite3_open_v2(file.path, &database, SQLITE_OPEN_READWRITE, nil)
        return database
    }

    private static func find(_ id: String, _ database: OpaquePointer?) -> [Music.Album?] {
        read(database, "WHERE id = '\(id)'").albums
    }

    /// - Returns: SQLite's result, and the rows up to then.
    private static func read(
        _ database: OpaquePointer?, _ condition: String = ""
    ) -> (result: Int32, albums: [Music.Album?]) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT id, title, notes, version, shelf FROM albums \(condition)"
        var result = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement else { return (result, []) }

        var albums: [Music.Album?] = []
        while true {
            result = sqlite3_step(statement)
            guard result == SQLITE_ROW else { return (result == SQLITE_DONE ? SQLITE_OK : result, albums) }
            albums.append(album(statement))
        }
    }

    private static func album(_ statement: OpaquePointer) -> Music.Album? {
        guard let id = text(statement, 0), let title = text(statement, 1), let version = integer(statement, 3),
            let shelf = integer(statement, 4)
        else { return nil }
        var album = Music.Album(id, version: 0, shelf: shelf)
        album.title = title
        album.version = version
        album.notes = text(statement, 2)
        let isNotesWrong = album.notes == nil && sqlite3_column_type(statement, 2) != SQLITE_NULL
        return isNotesWrong ? nil : album
    }

    /// All of it: a damaged text may hold a NUL, where GRDB would cut it.
    private static func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
        let start = sqlite3_column_text(statement, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func integer(_ statement: OpaquePointer, _ column: Int32) -> Int? {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
        return Int(sqlite3_column_int64(statement, column))
    }
}
