package import Foundation
import GRDB

/// Runs a body while a connection that the library knows nothing of has the write lock of a file.
package func withWriteLock<T: Sendable>(on file: URL, _ body: () async throws -> T) async throws -> T {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let stranger = try DatabaseQueue(path: file.path, configuration: configuration)
    try await stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let result = try await body()
    try await stranger.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    return result
}
