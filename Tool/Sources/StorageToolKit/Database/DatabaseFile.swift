import Foundation
import StorageSQLite

/// A database file that is there. Reading it never changes it and never makes a file.
struct DatabaseFile {
    let path: String
    /// Where it is, from the root and behind all links: there SQLite keeps what belongs to it.
    private let place: String
    /// Whether the file keeps a write-ahead log.
    let hasWriteAheadLog: Bool
    private let identity: [Int]

    /// - Parameter path: As the user wrote it.
    /// - Throws: ``ToolError`` if the file is missing, is a folder, may not be read or is no database.
    init(_ path: String) throws {
        self.path = path
        place = URL(asWritten: path).resolvingSymlinksInPath().path
        // A pipe would be waited for, and is empty once it is read.
        let state = try FileState(path)
        identity = state.identity
        guard state.isFile else { throw ToolError(.badData, "\(path) is no file") }
        let header = try DatabaseFile.header(path)
        // SQLite takes a file without a byte for a database without a table.
        guard header.isEmpty || header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw ToolError(.badData, "\(path) is no SQLite database, or it is encrypted")
        }
        hasWriteAheadLog = header.count >= 20 && (header[18] == 2 || header[19] == 2)
    }

    /// Whether the file still is where it was, and no other one.
    var isThere: Bool { isFound(at: path) }

    /// How many bytes the file has.
    var byteCount: Int { (try? FileState(path))?.byteCount ?? 0 }

    /// Whether a path leads to this file.
    func isFound(at path: String) -> Bool { (try? FileState(path))?.identity == identity }

    /// How many bytes the write-ahead log beside it has; nil if there is none.
    var logByteCount: Int? { (try? FileState(place + "-wal"))?.byteCount }

    private static func header(_ path: String) throws -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: URL(asWritten: path))
            defer { try? handle.close() }
            return try handle.read(upToCount: 100) ?? Data()
        } catch {
            guard access(path, R_OK) != 0 else { throw ToolError(.inputOutput, "\(path) cannot be read: \(error)") }
            throw ToolError.system(errno, path: path)
        }
    }

    // MARK: - Opening

    /// Runs `body` on a connection that sees the file as it is at one moment, and can only read.
    ///
    /// A file with a write-ahead log that nobody has open is read without locks, because SQLite would leave files
    /// beside it otherwise. Should a program open and change it meanwhile, that is noticed and is an error.
    ///
    /// - Parameters:
    ///   - mayBeDamaged: Whether `body` runs too where SQLite finds the schema damaged, and finds that out by itself.
    ///   - body: Given the connection.
    func read<T>(mayBeDamaged: Bool = false, _ body: (Connection) throws -> T) throws -> T {
        let isAlone = hasWriteAheadLog && (logByteCount ?? 0) == 0 && (try? FileState(place + "-shm")) == nil
        let before = isAlone ? try FileState(path) : nil
        let access: Connection.Access = isAlone ? .readUnchanging : .read
        let result = Result {
            try reporting { try body(reader(access, atOneMoment: true, mayBeDamaged: mayBeDamaged)) }
        }
        if let before, try FileState(path) != before || (logByteCount ?? 0) > 0 {
            throw ToolError(.temporary, "\(path) was changed by another program while it was read; try again")
        }
        return try result.get()
    }

    /// A connection that sees what others commit, and can only read.
    func follow() throws -> Connection {
        try reporting { try reader(.read, atOneMoment: false, mayBeDamaged: false) }
    }

    /// A connection that writes, with foreign keys on.
    func write() throws -> Connection {
        try reporting {
            let connection = try Connection(place, .write)
            try connection.run("PRAGMA foreign_keys = ON")
            return connection
        }
    }

    /// Runs `body`, and turns errors of SQLite into errors of the program that name this file.
    func reporting<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as SQLiteFailure {
            throw failure.forUser(path: path)
        }
    }

    private func reader(_ access: Connection.Access, atOneMoment: Bool, mayBeDamaged: Bool) throws -> Connection {
        let connection = try Connection(place, access)
        try connection.run("PRAGMA query_only = ON")
        // What the transaction sees is settled by its first read.
        if atOneMoment { try connection.run("BEGIN") }
        do {
            _ = try connection.value("SELECT COUNT(*) FROM sqlite_master")
        } catch {
            guard mayBeDamaged, error.kind == .corrupt else { throw error }
        }
        return connection
    }
}

/// What tells whether a file was changed.
struct FileState: Equatable {
    let byteCount: Int
    /// Whether it is neither a pipe nor a device.
    let isFile: Bool
    /// What no other file has as long as this one is open.
    let identity: [Int]
    private let changed: [Int]

    /// - Throws: ``ToolError`` if there is no such file, or it is none.
    init(_ path: String) throws {
        var state = stat()
        guard stat(path, &state) == 0 else {
            if errno == ENOENT { throw ToolError(.noInput, "\(path): there is no such file") }
            throw ToolError.system(errno, path: path)
        }
        guard state.st_mode & S_IFMT != S_IFDIR else { throw ToolError(.badData, "\(path) is a folder") }
        byteCount = Int(state.st_size)
        isFile = state.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
        let time = state.st_mtimespec
        #else
        let time = state.st_mtim
        #endif
        identity = [Int(truncatingIfNeeded: state.st_dev), Int(truncatingIfNeeded: state.st_ino)]
        changed = [Int(time.tv_sec), Int(time.tv_nsec)]
    }
}

extension URL {
    /// The file at a path, as other programs understand it. From the root: of a relative path Foundation would take a `~` in
    /// front for the home folder, and a `..` behind a link for the folder that the link stands in.
    init(asWritten path: String) {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        self.init(fileURLWithPath: isAbsolute ? path : "\(FileManager.default.currentDirectoryPath)/\(path)")
    }
}
