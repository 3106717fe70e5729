import GRDBSQLite
import StorageKit
import Synchronization

/// The disk as SQLite knows it, and a way to stand between the two. One disk of a process may.
enum SystemDisk {
    typealias File = UnsafeMutablePointer<sqlite3_file>

    private static let lock = Mutex(())
    /// Methods that were changed, by those of the system that they stand for, which lie behind them in memory. The system
    /// has several sets: that for a log does not lock, for one. Used behind the lock.
    nonisolated(unsafe) private static var changed:
        [UnsafePointer<sqlite3_io_methods>: UnsafeMutablePointer<sqlite3_io_methods>] = [:]
    /// The system's own. Set once, before the first file is opened.
    nonisolated(unsafe) private(set) static var vfs: UnsafeMutablePointer<sqlite3_vfs>?

    /// Has all files opened through a disk that differs from the system's.
    static func replace(by name: String, _ change: (inout sqlite3_vfs) -> Void) throws {
        guard let found = sqlite3_vfs_find(nil) else { throw UsageError(message: "SQLite has no VFS") }
        vfs = found
        let other = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        other.initialize(to: found.pointee)
        other.pointee.zName = UnsafePointer(strdup(name))
        other.pointee.pNext = nil
        change(&other.pointee)
        guard sqlite3_vfs_register(other, 1) == SQLITE_OK else { throw UsageError(message: "no VFS registered") }
    }

    /// Gives a file that the system opened methods that differ from the system's.
    static func change(_ file: File, _ change: (inout sqlite3_io_methods) -> Void) {
        lock.withLock { _ in
            guard let found = file.pointee.pMethods else { return }
            let methods = changed[found] ?? UnsafeMutablePointer.allocate(capacity: 2)
            if changed.updateValue(methods, forKey: found) == nil {
                methods.initialize(repeating: found.pointee, count: 2)
                change(&methods.pointee)
            }
            file.pointee.pMethods = UnsafePointer(methods)
        }
    }

    /// What the system does with a file that was changed.
    static func methods(of file: File?) -> sqlite3_io_methods {
        // SQLite calls a method of a file only, and the file was changed then.
        guard let methods = file?.pointee.pMethods else { fatalError("SQLite called without a file") }
        return methods[1]
    }
}
