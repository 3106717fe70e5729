import NIOCore

/// What bounds the connections that anybody on this machine may open.
struct ConnectionLimits: Sendable {
    /// The next ones wait until one of these is closed, but for 15 at the most that come together with the last. A browser opens six at
    /// the most, and a process has 256 handles where it has few.
    var most = 64
    /// One on which nothing comes for so long, and nothing is answered, is closed.
    var idleTime = TimeAmount.seconds(30)
}
