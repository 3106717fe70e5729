import StorageKit

/// Lets no file of this process grow beyond a size. The write that would cross it is cut there; what follows fails,
/// or ends the process.
func limitFiles(to bytes: Int, diesThere: Bool) {
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
    signal(SIGXFSZ, diesThere ? SIG_DFL : SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}
