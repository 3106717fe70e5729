import GRDB
import GRDBSQLite
import Synchronization

/// Tells in nanoseconds whether anybody has committed to a database: this process, another one, any connection.
///
/// In WAL mode the file beside the database that ends in `-shm` begins with a header that each commit changes; its
/// layout is part of SQLite's documented file format. SQLite has it mapped into memory, and this reads the mapping of a
/// connection of its own. It must not open the file itself: closing any descriptor of a file drops all locks that the
/// process has on it, SQLite's too.
final class WALIndex: @unchecked Sendable {
    private let connection: OpaquePointer
    private let header: UnsafeRawPointer

    /// - Returns: Nil where there is no such header: not in WAL mode, or a database that a plain connection cannot read.
    init?(path: String) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened,
            // The first read maps the header.
            sqlite3_exec(opened, "PRAGMA query_only = 1; SELECT 1 FROM sqlite_master LIMIT 1", nil, nil, nil)
                == SQLITE_OK,
            let header = WALIndex.map(opened)
        else {
            sqlite3_close_v2(opened)
            return nil
        }
        connection = opened
        self.header = header
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    /// Leaves the files of the log where they are, should this be the last connection to close the database.
    func keepLog() {
        // What SQLite could do for the writer it can do here.
        try? connection.keepLog()
    }

    private static func map(_ connection: OpaquePointer) -> UnsafeRawPointer? {
        guard connection.isInWALMode else { return nil }
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            let map = methods.pointee.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        // 32 KB is the size of a region of the index. It is mapped already, and nothing is extended.
        guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region,
            region.load(fromByteOffset: Offset.version, as: UInt32.self) == 3_007_000
        else { return nil }
        return UnsafeRawPointer(region)
    }

    /// Where in the header the fields stand.
    private enum Offset {
        static let version = 0
        static let change = 8
        static let checksum = 24
    }

    /// A number that differs after each commit.
    var token: WALToken {
        WALToken(change: load(Offset.change), checksum: load(Offset.checksum))
    }

    private func load(_ offset: Int) -> UInt32 {
        (header + offset).assumingMemoryBound(to: Atomic<UInt32>.self).pointee.load(ordering: .acquiring)
    }
}

/// A state of a database: which commit was the last.
struct WALToken: Equatable, Sendable {
    /// One more with each commit, in any process. It begins anew when the index had to be rebuilt after a crash.
    var change: UInt32
    /// Of all frames up to the last commit, so that tokens differ even where the count began anew.
    var checksum: UInt32

    /// How many commits lie between a state and a later one.
    func commits(since earlier: WALToken) -> UInt32 { change &- earlier.change }

    var bits: UInt64 { UInt64(change) << 32 | UInt64(checksum) }
}

extension OpaquePointer {
    /// Whether the connection's file is in WAL mode.
    var isInWALMode: Bool { firstText("PRAGMA journal_mode")?.lowercased() == "wal" }

    /// The first column of the first row, on a connection that GRDB does not know.
    func firstText(_ sql: String) -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(self, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return nil }
        return String(cString: text)
    }
}
