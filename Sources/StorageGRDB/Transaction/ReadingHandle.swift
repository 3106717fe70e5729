import GRDB

/// What the calls of a transaction or a snapshot stand on: the connection, for as long as the closure runs.
///
/// It is used by the thread of the closure alone, and is not `Sendable`.
public final class ReadingHandle {
    @usableFromInline let stores: EntityStores
    /// Notices the end of the transaction; nil for a snapshot.
    private let observer: CommitObserver?
    /// Nil once the closure has returned.
    private var connection: Database?
    /// Why nothing more can be done, though the closure runs on.
    private(set) var failure: (any Error)?
    /// Whether the app has had the connection to itself.
    private(set) var isShared = false
    /// Whether a statement may fail and leave what it did before; nil until it is asked. While the transaction has the lock nobody
    /// else changes the schema.
    private var mayFailHalfway: Bool?

    var actor: DatabaseActor { stores.db }

    init(_ connection: Database, _ stores: EntityStores, observer: CommitObserver? = nil) {
        self.connection = connection
        self.stores = stores
        self.observer = observer
    }

    /// - Throws: `StorageError.transactionFailed` once the closure has returned, and what ended the transaction before that.
    func open() throws -> Database {
        guard let connection else {
            throw failure ?? StorageError.transactionFailed(underlying: EndedTransactionError())
        }
        try check(connection)
        return connection
    }

    /// The same for the app's own SQL, after which nothing is known of the schema.
    func share() throws -> Database {
        if !isShared { try read(for: actor) { try $0.readSchema() } }
        isShared = true
        return try open()
    }

    /// - Throws: `StorageError.invalidConfiguration` for a store of another file.
    func open(for other: DatabaseActor) throws -> Database {
        guard other === actor || other.changes === actor.changes else {
            throw StorageError.invalidConfiguration(
                message: "the transaction or snapshot belongs to the store of another file; use one of this store")
        }
        return try open()
    }

    func close() {
        connection = nil
    }

    /// The app may have ended the transaction by SQL and begun another, which is not that of the handle.
    private func isOpen(_ db: Database) -> Bool { db.isInsideTransaction && observer?.hasEnded != true }

    // MARK: - Reading and writing

    /// Runs a read of a store's table.
    package func read<R, Value>(_ read: TableRead<Value>, of store: EntityStore<R>) throws -> Value {
        try self.read(for: store.db) { db in
            try store.table.check()
            return try read.body(db)
        }
    }

    /// The entity with an id, or nil.
    ///
    /// - Parameter id: Nil for one that no row can have.
    @inlinable
    package func get<R>(from store: EntityStore<R>, id: StoredValue?) throws -> R.E? {
        // What is read goes through the closure, so that only the app's module, which knows its type, has to do with it.
        var found: R.E?
        try readRow(of: store, id: id) { found = try R._decode(&$0) }
        return found
    }

    @usableFromInline
    func readRow<R>(
        of store: EntityStore<R>, id: StoredValue?, _ read: (inout RowReader) throws -> Void
    ) throws {
        try self.read(for: store.db) { db in
            try store.table.check()
            if let id { try db.readRow(of: store.table, id: id, read) }
        }
    }

    /// Runs a read of no table in particular.
    func read<Value>(for other: DatabaseActor, _ body: (Database) throws -> Value) throws -> Value {
        let db = try open(for: other)
        do {
            return try body(db)
        } catch {
            // SQL of the app's may have ended the transaction, as SQLite does by itself where a disk is full.
            let error = StorageError.from(error, during: .read)
            try check(db, error)
            throw error
        }
    }

    /// Runs a write of which nothing stays if it throws.
    ///
    /// - Parameters:
    ///   - isSeveral: Whether it may be more than one statement, or throw after it.
    ///   - needsRow: Whether it throws where its row was left out, which no statement does.
    func write<R, Value>(
        to store: EntityStore<R>, isSeveral: Bool = false, needsRow: Bool = false, _ body: (Database) throws -> Value
    ) throws -> Value {
        let db = try open(for: store.db)
        try store.table.check()
        do {
            // A conflict is found after triggers have run. What the app may have made of the table is not asked: it may be undone.
            guard
                try isSeveral || store.table.sql.versionColumn != nil || needsSavepoint(db)
                    || needsRow && store.mayLeaveRowsOut(db)
            else { return try body(db) }
            return try db.atomically { try body(db) }
        } catch {
            let error = StorageError.from(error, during: .write)
            try check(db, error)
            throw error
        }
    }

    /// One statement is undone by SQLite if it fails, unless the schema says otherwise (`RAISE(FAIL)`).
    private func needsSavepoint(_ db: Database) throws -> Bool {
        if isShared { return true }
        if let mayFailHalfway { return mayFailHalfway }
        let mayFail = try actor.mayFailHalfway(db)
        mayFailHalfway = mayFail
        return mayFail
    }

    /// Notices if the transaction is no more.
    ///
    /// - Parameter cause: What went wrong just before.
    /// - Throws: What ended it.
    func check(_ db: Database, _ cause: (any Error)? = nil) throws {
        if let failure { throw failure }
        guard !isOpen(db) else { return }
        let failure = cause ?? StorageError.transactionFailed(underlying: EndedTransactionError())
        self.failure = failure
        throw failure
    }
}
