import GRDBSQLite
import StorageKit
import StorageTestSupport
import Synchronization

/// A disk that knows at each moment what a loss of power would leave. It stands between SQLite and the system, for the files
/// of one folder: SQLite works with the real ones, and beside them a ``Platter`` is kept.
///
/// It takes a picture of the platter at each call that changes it. Since a picture holds all that a loss of power at that
/// call could leave, nothing has to be stopped: one run gives as many cuts as it has calls.
///
/// What SQLite asks of the disk is modelled as the system's VFS has it: a new journal or log syncs its folder with its first
/// sync, and a deletion does if SQLite wants it to. The index of the log (`-shm`) is memory, and is not kept. Files that are
/// made, replaced or renamed without SQLite (backups are) are not modelled.
enum UnsyncedDisk {
    /// A moment at which the power may go.
    struct Picture {
        let platter: Platter
        /// What the caller's own count was then.
        let mark: Int
        /// What SQLite was asking for.
        let call: String
    }

    private struct Recording {
        let folder: String
        let mark: @Sendable () -> Int
        var platter = Platter()
        var pictures: [Picture] = []

        mutating func takePicture(_ call: String) {
            pictures.append(Picture(platter: platter, mark: mark(), call: call))
        }

        /// The name of a file of the folder; nil for any other.
        func name(_ path: String) -> String? {
            path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
        }
    }

    /// A file that SQLite has open.
    private struct Handle {
        let number: Int
        let name: String
        /// Whether its next sync is one of the folder too.
        var syncsFolder: Bool
    }

    private struct State {
        var recording: Recording?
        /// By the addresses that SQLite has for them.
        var handles: [UInt: Handle] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private static let state = Mutex(State())
    private static let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL

    /// Puts itself in the place of the system's disk.
    static func install() throws {
        try SystemDisk.replace(by: "unsynced") { vfs in
            vfs.xOpen = { _, name, file, flags, outFlags in
                UnsyncedDisk.open(name, file, flags, outFlags)
            }
            vfs.xDelete = { _, name, syncsFolder in UnsyncedDisk.delete(name, syncsFolder) }
        }
    }

    /// Begins to take pictures of a folder whose files nobody has open.
    ///
    /// - Parameter mark: A count that each picture is to have, taken while SQLite waits for the call.
    static func begin(in folder: URL, mark: @escaping @Sendable () -> Int) {
        state.withLock { $0.recording = Recording(folder: folder.path, mark: mark) }
    }

    /// - Returns: The pictures since it began, and one of now.
    static func end() -> [Picture] {
        state.withLock { state in
            state.recording?.takePicture("end")
            defer { state.recording = nil }
            return state.recording?.pictures ?? []
        }
    }

    private static func open(
        _ path: sqlite3_filename?, _ file: SystemDisk.File?, _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let system = SystemDisk.vfs, let file else { return SQLITE_CANTOPEN }
        return state.withLock { state in
            let isKept = flags & (SQLITE_OPEN_MAIN_DB | journals) != 0
            guard isKept, let path, let name = state.recording?.name(String(cString: path)) else {
                return system.pointee.xOpen(system, path, file, flags, outFlags)
            }
            // Read before SQLite has it open: to close it afterwards would drop SQLite's locks.
            let known = state.recording?.platter.number(of: name)
            let found = known == nil ? FileManager.default.contents(atPath: String(cString: path)) : nil
            let result = system.pointee.xOpen(system, path, file, flags, outFlags)
            guard result == SQLITE_OK else { return result }
            let number = known ?? state.nextNumber()
            if let found {
                state.recording?.platter.adopt(number, name, Array(found))
            } else if known == nil {
                state.recording?.platter.make(number, name)
                state.recording?.takePicture("creation of \(name)")
            }
            state.handles[UInt(bitPattern: file)] = Handle(
                number: number, name: name, syncsFolder: flags & journals != 0 && flags & SQLITE_OPEN_CREATE != 0)
            SystemDisk.change(file, change)
            return result
        }
    }

    private static func delete(_ path: UnsafePointer<CChar>?, _ syncsFolder: Int32) -> Int32 {
        guard let system = SystemDisk.vfs, let path else { return SQLITE_IOERR }
        return state.withLock { state in
            let result = system.pointee.xDelete(system, path, 0)
            guard result == SQLITE_OK, let name = state.recording?.name(String(cString: path)) else {
                return result
            }
            state.recording?.platter.delete(name)
            state.recording?.takePicture("deletion of \(name)")
            if syncsFolder != 0 { state.recording?.platter.syncFolder() }
            return result
        }
    }

    private static func change(_ methods: inout sqlite3_io_methods) {
        methods.xWrite = { file, bytes, count, offset in
            UnsyncedDisk.change(file, "write to") {
                SystemDisk.methods(of: file).xWrite(file, bytes, count, offset)
            } by: {
                .write(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))), at: Int(offset))
            }
        }
        methods.xTruncate = { file, size in
            UnsyncedDisk.change(file, "truncation of") {
                SystemDisk.methods(of: file).xTruncate(file, size)
            } by: {
                .truncation(to: Int(size))
            }
        }
        methods.xSync = { file, _ in UnsyncedDisk.sync(file) }
        methods.xClose = { file in UnsyncedDisk.close(file) }
    }

    private static func close(_ file: SystemDisk.File?) -> Int32 {
        guard let file else { return SQLITE_OK }
        state.withLock { _ = $0.handles.removeValue(forKey: UInt(bitPattern: file)) }
        return SystemDisk.methods(of: file).xClose(file)
    }

    /// The picture has the change already: the power may go while it is made.
    private static func change(
        _ file: SystemDisk.File?, _ call: String, _ perform: () -> Int32, by change: () -> Platter.Change
    ) -> Int32 {
        state.withLock { state in
            let result = perform()
            guard result == SQLITE_OK, let file, let handle = state.handles[UInt(bitPattern: file)] else {
                return result
            }
            state.recording?.platter.change(handle.number, change())
            state.recording?.takePicture("\(call) \(handle.name)")
            return result
        }
    }

    /// Nothing of what is synced is certain while SQLite waits for it. The real file needs no sync: no power is lost.
    private static func sync(_ file: SystemDisk.File?) -> Int32 {
        state.withLock { state in
            guard let file, let handle = state.handles[UInt(bitPattern: file)] else { return SQLITE_OK }
            state.recording?.takePicture("sync of \(handle.name)")
            state.recording?.platter.sync(handle.number)
            if handle.syncsFolder { state.recording?.platter.syncFolder() }
            state.handles[UInt(bitPattern: file)]?.syncsFolder = false
            return SQLITE_OK
        }
    }
}
