public import StorageRepo

extension StorageKit {
    /// Opens a database without holding the caller's thread, tells how far that is, and can be cancelled: for a start that may take
    /// long, while the app shows a screen.
    ///
    /// ```swift
    /// let context = try await StorageKit.open(at: url, progress: { print("\(Int($0.fraction * 100)) %") }) { schema in
    ///     schema.autoSchema(NoteRecord.self)
    /// }
    /// ```
    ///
    /// It does what ``start(at:options:schema:)`` does, on a thread of its own. Cancelling the task stops it with the file as it was,
    /// at once or, where it waits for the lock of another process, when it has waited long enough. A start that was committed
    /// already is complete, and returns.
    ///
    /// - Parameters:
    ///   - url: The file, created with its folder if missing.
    ///   - options: Namespace, cache and connection settings.
    ///   - progress: Called as the start goes on, on its thread, so that it should be quick; the last time with
    ///     ``StartProgress/Step/done``. Nil for nobody.
    ///   - isolation: The actor that the caller is on.
    ///   - schema: Describes the schema. It is called at once, and not kept.
    /// - Returns: The open store.
    /// - Throws: ``StorageError``, as ``start(fileName:cacheTTL:diskQuota:schema:)`` does, or `CancellationError`.
    public static func open(
        at url: URL,
        options: StartOptions = StartOptions(),
        progress: (@Sendable (StartProgress) -> Void)? = nil,
        isolation: isolated (any Actor)? = #isolation,
        schema: (inout AppMigrations) -> Void
    ) async throws -> Context {
        var described = AppMigrations()
        schema(&described)
        let migrations = described
        return try await onOwnThread { isCancelled in
            let teller = StartTeller(progress ?? { _ in }, isCancelled: isCancelled)
            try teller.check()
            let context = try start(at: url, Start(options, migrations, progress: teller))
            teller.end()
            return context
        }
    }
}
