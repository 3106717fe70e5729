import Foundation

/// A connection on which nothing is sent. The system itself is asked for its state, which is no older than what the server did.
final class SilentConnection: Sendable {
    private let handle: Int32

    /// Connects to a server on this machine.
    init(port: Int) throws {
        // `SOCK_STREAM`, whose name is of another type on each system.
        handle = socket(AF_INET, 1, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafeBytes(of: &address) { bytes in
            connect(handle, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard code == 0, fcntl(handle, F_SETFL, O_NONBLOCK) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    deinit { close(handle) }

    /// Whether the server has closed it.
    var isClosed: Bool {
        var byte: UInt8 = 0
        return read(handle, &byte, 1) == 0
    }
}
