import StorageRepo

extension URL {
    /// Runs `body` while no other process that asks the system's file coordinator opens, moves or deletes the file. Systems
    /// without a coordinator run it at once.
    ///
    /// - Parameter body: Is given the file, which may have been moved meanwhile.
    /// - Throws: What `body` throws, or ``StorageError/invalidConfiguration(message:)`` if the coordinator refuses.
    func coordinated<T>(_ body: (URL) throws -> T) throws -> T {
        #if canImport(Darwin)
        var result: Result<T, any Error>?
        var refusal: NSError?
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: self, options: .forMerging, error: &refusal) {
            file in
            result = Result { try body(file) }
        }
        guard let result else {
            let reason = refusal?.localizedDescription ?? "the file coordinator gives no reason"
            throw StorageError.invalidConfiguration(message: "'\(path)' cannot be opened: \(reason)")
        }
        return try result.get()
        #else
        return try body(self)
        #endif
    }
}
