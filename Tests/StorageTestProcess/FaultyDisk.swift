import GRDBSQLite
import StorageKit
import Synchronization

/// A disk that fails when it is told to. It stands between SQLite and the system, for all files that the process opens.
enum FaultyDisk {
    /// What SQLite asks of a disk.
    enum Call: String, CaseIterable {
        case read, write, sync, truncate
    }

    struct Fault {
        enum Effect {
            /// The call fails with that code of SQLite's; of what was to be written, half is.
            case error(Int32)
            /// The process ends, with half of it written.
            case death
        }

        var call: Call
        /// The number of the call that fails, from 0.
        var number: Int
        var effect: Effect
        /// Whether all later ones fail too.
        var isLasting = false
    }

    private struct State {
        var fault: Fault?
        var calls: [Call: Int] = [:]
        var failures = 0
    }

    private static let state = Mutex(State())
    /// Set once, before the first file is opened.
    nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?
    /// Methods that may fail, by those of the system that they stand for, which lie behind them in memory.
    nonisolated(unsafe) private static var methods:
        [UnsafePointer<sqlite3_io_methods>: UnsafeMutablePointer<sqlite3_io_methods>] = [:]

    /// Puts itself in the place of the system's disk.
    static func install() throws {
        guard let found = sqlite3_vfs_find(nil) else { throw UsageError(message: "SQLite has no VFS") }
        system = found
        let faulty = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        faulty.initialize(to: found.pointee)
        faulty.pointee.zName = UnsafePointer(strdup("faulty"))
        faulty.pointee.pNext = nil
        faulty.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let system = FaultyDisk.system, let file else { return SQLITE_CANTOPEN }
            let result = system.pointee.xOpen(system, name, file, flags, outFlags)
            if result == SQLITE_OK { FaultyDisk.wrap(file) }
            return result
        }
        guard sqlite3_vfs_register(faulty, 1) == SQLITE_OK else { throw UsageError(message: "no VFS registered") }
    }

    /// Counts calls from 0 again, and fails as it is told.
    static func begin(_ fault: Fault?) {
        state.withLock { $0 = State(fault: fault) }
    }

    /// - Returns: How many such calls there were since it began, and how many calls failed.
    @discardableResult
    static func end(counting call: Call = .write) -> (calls: Int, failures: Int) {
        state.withLock { state in
            state.fault = nil
            return (state.calls[call, default: 0], state.failures)
        }
    }

    /// Gives a file that the system opened methods that may fail. Those for locks and shared memory are the system's.
    private static func wrap(_ file: UnsafeMutablePointer<sqlite3_file>) {
        state.withLock { _ in
            guard let found = file.pointee.pMethods else { return }
            let wrapped = methods[found] ?? makeMethods(for: found)
            methods[found] = wrapped
            file.pointee.pMethods = UnsafePointer(wrapped)
        }
    }

    /// The system has several sets of methods: that for a log does not lock, for one.
    private static func makeMethods(
        for system: UnsafePointer<sqlite3_io_methods>
    ) -> UnsafeMutablePointer<sqlite3_io_methods> {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 2)
        methods.initialize(repeating: system.pointee, count: 2)
        methods.pointee.xRead = { file, bytes, count, offset in
            FaultyDisk.error(in: .read) ?? FaultyDisk.system(file).xRead(file, bytes, count, offset)
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            FaultyDisk.error(in: .write) {
                _ = FaultyDisk.system(file).xWrite(file, bytes, count / 2, offset)
            } ?? FaultyDisk.system(file).xWrite(file, bytes, count, offset)
        }
        methods.pointee.xSync = { file, flags in
            FaultyDisk.error(in: .sync) ?? FaultyDisk.system(file).xSync(file, flags)
        }
        methods.pointee.xTruncate = { file, size in
            FaultyDisk.error(in: .truncate) ?? FaultyDisk.system(file).xTruncate(file, size)
        }
        return methods
    }

    private static func system(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
        // SQLite calls a method of a file only, and the file was wrapped then.
        guard let methods = file?.pointee.pMethods else { fatalError("SQLite called without a file") }
        return methods[1]
    }

    /// Counts a call.
    ///
    /// - Parameter beginning: What a call that fails has done before.
    /// - Returns: The error that it is to fail with, or nil.
    private static func error(in call: Call, beginning: () -> Void = {}) -> Int32? {
        let effect: Fault.Effect? = state.withLock { state in
            let number = state.calls[call, default: 0]
            state.calls[call] = number + 1
            guard let fault = state.fault, fault.call == call,
                number == fault.number || fault.isLasting && number > fault.number
            else { return nil }
            state.failures += 1
            return fault.effect
        }
        guard let effect else { return nil }
        beginning()
        switch effect {
        case .error(let code): return code
        case .death:
            kill(getpid(), SIGKILL)
            return SQLITE_IOERR
        }
    }
}
