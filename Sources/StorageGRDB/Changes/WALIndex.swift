import StorageSQLite
import Synchronization

/// Tells in nanoseconds whether anybody has committed to a database: this process, another one, any connection.
///
/// In WAL mode the file beside the database that ends in `-shm` begins with a header that each commit changes; its
/// layout is part of SQLite's documented file format. SQLite has it mapped into memory, and this reads the mapping of a
/// connection of its own. It must not open the file itself: closing any descriptor of a file drops all locks that the
/// process has on it, SQLite's too.
final class WALIndex: @unchecked Sendable {
    private let connection: Connection
    // Mapped for as long as that connection is open.
    private let header: UnsafeRawPointer

    /// - Returns: Nil where there is no such header: not in WAL mode, or a database that a plain connection cannot read.
    init?(path: String) {
        guard let opened = try? Connection(path: path, .write, busyTimeout: 0),
            // The first read maps the header; this one spares the schema.
            (try? opened.run("PRAGMA query_only = 1")) != nil, (try? opened.value("PRAGMA schema_version")) != nil,
            opened.isInWALMode, let header = opened.mappedLogIndex(),
            header.load(fromByteOffset: Offset.version, as: UInt32.self) == 3_007_000
        else { return nil }
        connection = opened
        self.header = header
    }

    /// Leaves the files of the log where they are, should this be the last connection to close the database.
    func keepLog() {
        // What SQLite could do for the writer it can do here.
        try? connection.keepLog()
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
