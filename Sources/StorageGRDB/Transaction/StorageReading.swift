public import GRDB

/// A transaction or a snapshot: what is read through it is one state of the database.
///
/// Every call of a query, a repository and a search that reads takes one as `in:`.
public protocol StorageReading: AnyObject {
    /// GRDB's connection, for SQL beside the entities.
    ///
    /// - Throws: ``StorageError`` once the closure has returned, or the transaction has ended.
    var database: Database { get throws }
    /// What calls with `in:` stand on.
    var _handle: ReadingHandle { get }
}

extension StorageReading {
    /// The entity with that id, or nil: from the table, as it is in this state.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text; UUID and integer ids are parsed, and other text finds nothing.
    /// - Throws: ``StorageError`` if the row is no such entity, or the handle is used after its closure.
    @inlinable
    public func get<E: RegisteredEntity>(_ type: E.Type, id: String) throws -> E? {
        let store = _handle.stores.of(E.Record.self)
        return try _handle.get(from: store, id: store.table.storedId(text: id))
    }

    /// The entity with that id, or nil: from the table, as it is in this state.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id.
    /// - Throws: ``StorageError`` if the row is no such entity, or the handle is used after its closure.
    @inlinable
    @_disfavoredOverload
    public func get<E: RegisteredEntity>(_ type: E.Type, id: E.Id) throws -> E? {
        let store = _handle.stores.of(E.Record.self)
        return try _handle.get(from: store, id: store.table.storedId(id))
    }
}

/// One state of the database, to be read beside writers: what `Storage.snapshot` hands to its closure.
public final class StorageSnapshot: StorageReading {
    /// What calls with `in:` stand on.
    public let _handle: ReadingHandle

    /// GRDB's connection, which can only read.
    ///
    /// - Throws: ``StorageError`` once the closure has returned.
    public var database: Database { get throws { try _handle.share() } }

    init(_ handle: ReadingHandle) {
        _handle = handle
    }
}
