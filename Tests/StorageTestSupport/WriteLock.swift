package import Foundation
package import GRDB

extension Configuration {
    /// That of a connection which the library knows nothing of, and which waits for the library's locks.
    package static var waitingForLocks: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(600)
        return configuration
    }
}

/// Runs a body while a connection that the library knows nothing of has the write lock of a file.
package func withWriteLock<T: Sendable>(on file: URL, _ body: () async throws -> T) async throws -> T {
    // The store may be writing to its disk cache.
    var configuration = Configuration.waitingForLocks
    configuration.allowsUnsafeTransactions = true
    let stranger = try DatabaseQueue(path: file.path, configuration: configuration)
    try await stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let result = try await body()
    try await stranger.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    return result
}
