import StorageKit

/// `monitor`: tells a monitor something that it cannot write down, and says `told` behind it.
struct MonitorCommand {
    init(_ arguments: [String]) throws {
        guard arguments.isEmpty else { throw UsageError(message: "monitor") }
    }

    func run() {
        close(STDERR_FILENO)
        StandardErrorMonitor().record(.migration("users"))
        say("told")
    }
}
