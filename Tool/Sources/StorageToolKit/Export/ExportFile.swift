import Foundation

/// A file that is there in full, or not at all: it is written under another name first.
struct ExportFile {
    private let path: String
    private let partPath: String
    private let replaces: Bool
    /// Those of the file that is replaced; nil if there is none.
    private let permissions: mode_t?

    /// - Parameters:
    ///   - path: The file to be, or a link to it.
    ///   - source: What is exported, which it cannot be.
    ///   - replaces: Whether it may take the place of one that is there.
    init(_ path: String, of source: DatabaseFile, replaces: Bool) throws {
        if let state = try? FileState(path) {
            if source.isFound(at: path) { throw ToolError(.cannotCreate, "\(path) is the database itself") }
            guard state.isFile else { throw ToolError(.cannotCreate, "\(path) is no file") }
            guard replaces else { throw ExportFile.taken(path) }
        }
        let path = URL(asWritten: path).resolvingSymlinksInPath().path
        for end in ["-wal", "-shm", "-journal"] where path.hasSuffix(end) {
            guard (try? FileState(String(path.dropLast(end.count)))) == nil else {
                throw ToolError(.cannotCreate, "\(path) is where SQLite keeps what belongs to a database")
            }
        }
        var state = stat()
        let isThere = stat(path, &state) == 0
        guard !isThere || state.st_mode & S_IFMT != S_IFDIR else {
            throw ToolError(.cannotCreate, "\(path) is a folder")
        }
        self.path = path
        self.replaces = replaces
        permissions = isThere ? state.st_mode & 0o777 : nil
        partPath = "\(path).part-\(UUID().uuidString.prefix(8))"
    }

    /// Writes the file.
    func write(_ body: (Output) throws -> Void) throws {
        let descriptor = open(partPath, O_WRONLY | O_CREAT | O_EXCL, permissions ?? 0o666)
        guard descriptor >= 0 else {
            let error = ToolError.system(errno, path: path)
            // A folder that is not there is nothing to be read, as a file would be.
            throw error.status == .noInput ? ToolError(.cannotCreate, error.message) : error
        }
        do {
            defer { close(descriptor) }
            if let permissions { fchmod(descriptor, permissions) }
            let output = Output(descriptor: descriptor, name: path)
            try body(output)
            try output.flush()
            try move()
        } catch {
            unlink(partPath)
            throw error
        }
    }

    /// A link takes no place of a file that came meanwhile, as `rename` does. Some file systems have no links.
    private func move() throws {
        if !replaces {
            guard link(partPath, path) != 0 else {
                unlink(partPath)
                return
            }
            guard errno != EEXIST, access(path, F_OK) != 0 else { throw ExportFile.taken(path) }
        }
        guard rename(partPath, path) == 0 else { throw ToolError.system(errno, path: path) }
    }

    private static func taken(_ path: String) -> ToolError {
        ToolError(.cannotCreate, "\(path) exists already; --force replaces it")
    }
}
