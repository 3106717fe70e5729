import StorageKit

/// Lets no file of this process grow beyond a size. The write that would cross it is cut there; what follows fails,
/// or ends the process.
func limitFiles(to bytes: Int, diesThere: Bool) {
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(coreSize, &noCore)
    signal(SIGXFSZ, diesThere ? SIG_DFL : SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(fileSize, &limit)
}

// Plain numbers on Apple's systems, cases of an enum on Linux.
#if canImport(Darwin)
private let coreSize: Int32 = RLIMIT_CORE
private let fileSize: Int32 = RLIMIT_FSIZE
#else
private let coreSize = __rlimit_resource_t(RLIMIT_CORE.rawValue)
private let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#endif
