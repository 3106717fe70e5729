import Foundation

/// A file that is there in full, or not at all: it is written under another name first.
struct ExportFile {
    private let path: String
    private let partPath: String

    /// - Parameters:
    ///   - path: The file to be, or a link to it.
    ///   - source: What is exported, which it cannot be.
    ///   - replaces: Whether it may take the place of one that is there.
    init(_ path: String, of source: DatabaseFile, replaces: Bool) throws {
        if let state = try? FileState(path) {
            if source.isFound(at: path) { throw ToolError(.cannotCreate, "\(path) is the database itself") }
            guard state.isFile else { throw ToolError(.cannotCreate, "\(path) is no file") }
            guard replaces else { throw ToolError(.cannotCreate, "\(path) exists already; --force replaces it") }
        }
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        for end in ["-wal", "-shm", "-journal"] where path.hasSuffix(end) {
            guard (try? FileState(String(path.dropLast(end.count)))) == nil else {
                throw ToolError(.cannotCreate, "\(path) is where SQLite keeps what belongs to a database")
            }
        }
        self.path = path
        partPath = "\(path).part-\(UUID().uuidString.prefix(8))"
    }

    /// Writes the file.
    func write(_ body: (Output) throws -> Void) throws {
        let descriptor = open(partPath, O_WRONLY | O_CREAT | O_EXCL, 0o666)
        guard descriptor >= 0 else {
            let error = ToolError.system(errno, path: path)
            // A folder that is not there is nothing to be read, as a file would be.
            throw error.status == .noInput ? ToolError(.cannotCreate, error.message) : error
        }
        do {
            defer { close(descriptor) }
            let output = Output(descriptor: descriptor, name: path)
            try body(output)
            try output.flush()
        } catch {
            unlink(partPath)
            throw error
        }
        guard rename(partPath, path) == 0 else {
            let number = errno
            unlink(partPath)
            throw ToolError.system(number, path: path)
        }
    }
}
