// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Darwin's C library, where it has another name or type than Linux's.

@_exported public import Glibc

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}

public let F_FULLFSYNC: Int32 = 51

// Cases of an enum on Linux.

public let RLIMIT_FSIZE: Int32 = 1
public let RLIMIT_CORE: Int32 = 4

@discardableResult public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { fatalError() }

// A pointer there, and a struct here: code of Darwin's has an optional of it.

@discardableResult public func posix_spawn_file_actions_init(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 {
    fatalError()
}

@discardableResult public func posix_spawn_file_actions_destroy(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { fatalError() }

@discardableResult public func posix_spawn_file_actions_addopen(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32, _ path: UnsafePointer<CChar>!,
    _ flags: Int32, _ mode: mode_t
) -> Int32 { fatalError() }

@discardableResult public func posix_spawn_file_actions_adddup2(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32, _ other: Int32
) -> Int32 { fatalError() }

@discardableResult public func posix_spawn(
    _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { fatalError() }

@discardableResult public func posix_spawnp(
    _ process: UnsafeMutablePointer<pid_t>!, _ file: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { fatalError() }

// The union that has the handler of a signal, by another name.

public struct SignalHandler {
    public var __sa_handler: (@convention(c) (Int32) -> Void)!
}

extension sigaction {
    public var __sigaction_u: SignalHandler {
        get { fatalError() }
        set {}
    }
}
