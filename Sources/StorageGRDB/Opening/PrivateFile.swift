#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension URL {
    /// Makes an empty file that its user alone may read and write, unless there is a file already.
    ///
    /// SQLite takes it for a new database, and gives the files beside it the same permissions. A file that is there is not
    /// opened: to close it again would drop the locks that SQLite holds on it in this process.
    ///
    /// - Throws: ``FileError`` if no file can be made, or the place is a link to none.
    func createPrivateFile() throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST || !FileManager.default.fileExists(atPath: path) {
            throw FileError(code: errno)
        }
    }

    /// Makes an empty file for those who may read and write another one, from the first moment, and its owner may write it. Where there is
    /// no other, none is made.
    func createFile(like other: URL) throws {
        guard let permissions = other.permissions else { return }
        try createPrivateFile()
        guard chmod(path, permissions | S_IWUSR) == 0 else { throw FileError(code: errno) }
    }

    /// What SQLite keeps beside a database.
    static let databaseSuffixes = ["-wal", "-shm", "-journal"]

    /// Removes what lies beside a database that is gone. Whoever has it open still goes on with his own; a new file would share its
    /// log with it.
    func removeLeftBeside() {
        let place = resolvingSymlinksInPath().path
        guard !FileManager.default.fileExists(atPath: place) else { return }
        for suffix in URL.databaseSuffixes { try? FileManager.default.removeItem(atPath: place + suffix) }
    }

    /// Puts the file in the place of another, for good: that it is there is on the disk when this returns, if its folder can be read.
    ///
    /// - Parameter goOn: Called once all of it is on the disk. What it throws leaves both files as they are.
    func replace(_ other: URL, goOn: () throws -> Void = {}) throws {
        try waitForDisk()
        try goOn()
        guard rename(path, other.path) == 0 else { throw FileError(code: errno) }
        do {
            try other.deletingLastPathComponent().waitForDisk()
        } catch let error as FileError where error.code == EACCES {
            // A folder that nobody may read cannot be waited for. The old file is gone by now, so that to throw would tell of a
            // failure that there was not.
        }
    }

    /// Waits until what was written to the file, or the name of a file in the folder, is on the disk. SQLite must not have it open:
    /// to close it again would drop its locks.
    func waitForDisk() throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(code: errno) }
        defer { close(descriptor) }
        #if canImport(Darwin)
        // There `fsync` does not wait for the disk.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw FileError(code: errno) }
    }

    /// Keeps the file out of what Apple's systems back up, to iCloud say. Where the volume has no such mark the file is backed up.
    func excludeFromSystemBackup() {
        #if canImport(Darwin)
        var file = self
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? file.setResourceValues(values)
        #endif
    }

    /// Who may read, write and run the file; nil if there is none.
    var permissions: mode_t? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
    }
}

/// What the system says of a file, in words.
struct FileError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { String(cString: strerror(code)) }
}
