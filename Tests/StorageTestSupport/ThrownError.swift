package import StorageKit

/// The error that a call throws, for tests that look into it; nil if it throws none.
package func thrownError(_ body: () async throws -> Void) async -> (any Error)? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}

/// The `StorageError` that a call throws; nil if it throws none or another.
package func storageError(_ body: () async throws -> Void) async -> StorageError? {
    await thrownError(body) as? StorageError
}
