import GRDB

extension EntityStores {
    /// Runs a closure of the app's in one transaction, on the writer's own thread.
    ///
    /// - Throws: What the closure throws, unchanged; the error that ended the transaction before it returned; `StorageError` if it
    ///   could not begin or commit. Nothing was written then.
    package func transaction<T: Sendable>(
        _ body: @escaping @Sendable (StorageTransaction) throws -> T
    ) async throws -> T {
        let outcome: Result<T, Ending> = try await db.convertingErrors(during: .write) {
            try await db.withWriter { [self] db in try attempt(body, db) }
        }
        switch outcome {
        case .success(let result): return result
        case .failure(.closure(let error)): throw error.orCancellation
        // Where SQL of the app's was stopped, the handle does not know why.
        case .failure(.before(let error)): throw Task.isCancelled ? CancellationError() : error
        }
    }

    private func attempt<T>(_ body: (StorageTransaction) throws -> T, _ db: Database) throws -> Result<T, Ending> {
        let (observer, writer) = (self.db.observer, self.db.writer)
        let handle = ReadingHandle(db, self, observer: observer)
        defer { handle.close() }
        do {
            let result = try observer.guardingTransaction {
                try db.inGuardedTransaction { try writer.noticingRollback(db) { try run(body, handle, db) } }
            }
            return .success(result)
        } catch let ending as Ending {
            // What ended the transaction says more than what the closure made of it.
            return .failure(handle.failure.map(Ending.before) ?? ending)
        }
    }

    private func run<T>(_ body: (StorageTransaction) throws -> T, _ handle: ReadingHandle, _ db: Database) throws -> T {
        do {
            let result = try body(StorageTransaction(handle))
            try handle.check(db)
            self.db.observer.allowCommit(leavesSchema: !handle.isShared)
            return result
        } catch {
            throw Ending.closure(error)
        }
    }

    /// Runs a closure of the app's on one state of the database, on a reader's own thread.
    ///
    /// - Throws: What the closure throws, unchanged; `StorageError` if no connection could be had.
    package func snapshot<T: Sendable>(_ body: @escaping @Sendable (StorageSnapshot) throws -> T) async throws -> T {
        let outcome: Result<T, any Error> = try await db.convertingErrors(during: .read) {
            try await db.read { [self] db in
                let handle = ReadingHandle(db, self)
                defer { handle.close() }
                return Result { try body(StorageSnapshot(handle)) }
            }
        }
        return try outcome.mapError(\.orCancellation).get()
    }
}

/// What ended a transaction.
private enum Ending: Error {
    /// What its closure threw.
    case closure(any Error)
    /// What came before the closure returned.
    case before(any Error)
}
