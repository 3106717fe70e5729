import GRDBSQLite
import StorageKit
import Synchronization

/// A disk that fails when it is told to. It stands between SQLite and the system, for all files that the process opens.
enum FaultyDisk {
    /// What SQLite asks of a disk.
    enum Call: String, CaseIterable {
        case read, write, sync, truncate
        /// To map a part of the log's index into memory.
        case map
        /// To take a lock of the log's index. To let go of one never fails.
        case lock
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
        /// How many fail from there on; all if it is the largest number.
        var count = 1
        /// Whether others seem to hold a lock, which SQLite waits for.
        var isBusy: Bool {
            if case .error(SQLITE_BUSY) = effect { true } else { false }
        }
    }

    private struct State {
        var fault: Fault?
        var calls: [Call: Int] = [:]
        var failures = 0
    }

    private static let state = Mutex(State())

    /// Puts itself in the place of the system's disk.
    static func install() throws {
        try SystemDisk.replace(by: "faulty") { vfs in
            vfs.xOpen = { _, name, file, flags, outFlags in
                guard let system = SystemDisk.vfs, let file else { return SQLITE_CANTOPEN }
                let result = system.pointee.xOpen(system, name, file, flags, outFlags)
                if result == SQLITE_OK { SystemDisk.change(file, FaultyDisk.change) }
                return result
            }
            // What SQLite waits for does not come with time: its patience may as well end at once.
            vfs.xSleep = { _, microseconds in
                let isVain = FaultyDisk.state.withLock { $0.fault?.isBusy == true }
                return isVain ? microseconds : SystemDisk.vfs?.pointee.xSleep(SystemDisk.vfs, microseconds) ?? 0
            }
        }
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

    /// Gives a file methods that may fail.
    private static func change(_ methods: inout sqlite3_io_methods) {
        methods.xRead = { file, bytes, count, offset in
            FaultyDisk.error(in: .read) ?? SystemDisk.methods(of: file).xRead(file, bytes, count, offset)
        }
        methods.xWrite = { file, bytes, count, offset in
            FaultyDisk.error(in: .write) {
                _ = SystemDisk.methods(of: file).xWrite(file, bytes, count / 2, offset)
            } ?? SystemDisk.methods(of: file).xWrite(file, bytes, count, offset)
        }
        methods.xSync = { file, flags in
            FaultyDisk.error(in: .sync) ?? SystemDisk.methods(of: file).xSync(file, flags)
        }
        methods.xTruncate = { file, size in
            FaultyDisk.error(in: .truncate) ?? SystemDisk.methods(of: file).xTruncate(file, size)
        }
        guard methods.xShmMap != nil else { return }
        methods.xShmMap = { file, region, size, extends, memory in
            FaultyDisk.error(in: .map) ?? SystemDisk.methods(of: file).xShmMap(file, region, size, extends, memory)
        }
        methods.xShmLock = { file, offset, count, flags in
            let error = flags & SQLITE_SHM_LOCK != 0 ? FaultyDisk.error(in: .lock) : nil
            return error ?? SystemDisk.methods(of: file).xShmLock(file, offset, count, flags)
        }
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
                number >= fault.number, number - fault.number < fault.count
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
