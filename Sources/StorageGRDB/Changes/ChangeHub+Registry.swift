import GRDB
import StorageSQLite
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension ChangeHub {
    /// The hub of a file, if there is a store on it in this process.
    static func known(at path: String) -> ChangeHub? {
        FileIdentity(path: path).flatMap { file in hubs.withLock { $0[file]?.hub } }
    }

    /// Whether a store of this process has a file open by this path, be it there still or not.
    static func isOpen(at path: String) -> Bool {
        hubs.withLock { $0.values.contains { $0.hub?.path == path } }
    }

    /// The hub of a writer's database: the same for all writers of one file.
    static func of(_ writer: any DatabaseWriter) -> ChangeHub {
        let path = writer.path
        guard let file = FileIdentity(path: path) else {
            return ofMemory(writer, isPrivate: path == ":memory:" || path.isEmpty)
        }
        let (keepsLog, hasLog) = writer.unsafeReentrantWrite { db in
            (db.borrowedConnection?.keepsLog == true, db.borrowedConnection?.isInWALMode == true)
        }
        return hubs.withLock { hubs in
            hubs = hubs.filter { $0.value.hub != nil }
            let hub = hubs[file]?.hub ?? ChangeHub(isPrivate: false, path: path)
            if hasLog { hub.expectIndex() }
            hub.lookForIndex()
            hubs[file] = WeakHub(hub: hub)
            // Its connection is the last to close the file.
            if keepsLog { hub.keepLog() }
            return hub
        }
    }

    /// The hub of a database without a file: the same for all stores on one connection.
    private static func ofMemory(_ writer: any DatabaseWriter, isPrivate: Bool) -> ChangeHub {
        memoryHubs.withLock { hubs in
            hubs.removeAll { $0.hub == nil || $0.writer == nil }
            if let hub = hubs.first(where: { $0.writer === writer })?.hub { return hub }
            let hub = ChangeHub(isPrivate: isPrivate)
            hubs.append(MemoryHub(writer: writer, hub: hub))
            return hub
        }
    }
}

private let memoryHubs = Mutex<[MemoryHub]>([])

private struct MemoryHub: Sendable {
    weak var writer: (any DatabaseWriter)?
    weak var hub: ChangeHub?
}

private let hubs = Mutex<[FileIdentity: WeakHub]>([:])

private struct WeakHub: Sendable {
    weak var hub: ChangeHub?
}

/// A file, whatever path leads to it.
private struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init?(path: String) {
        var status = stat()
        guard !path.isEmpty, stat(path, &status) == 0 else { return nil }
        // A number with a sign on some systems.
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
