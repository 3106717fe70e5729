package import StorageKit

/// Files of a ``LibrarySchema``.
package enum Library {
    /// A file at the old version, closed, with so many books and as many loans.
    package static func make(at file: URL, books: Int) throws {
        let context = try start(at: file, .old)
        try context.storage.pool.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :books)
                    INSERT INTO books SELECT 'book-' || i, 'Title ' || (i * 7919 % 10007), i * 13 % 997,
                        '2020-01-01 00:00:00.000' FROM n;
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :books)
                    INSERT INTO loans SELECT i, 'book-' || (i * 31 % :books), i % 60 FROM n;
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :books)
                    INSERT INTO shelves SELECT i * 2, 'Shelf ' || i, CAST(i % 9 AS TEXT),
                        iif(i % 3, 'note ' || i, NULL), 'book-' || i, 'red' FROM n
                    """, arguments: ["books": books])
        }
        try context.storage.pool.close()
    }

    /// Opens a file at a version. The clock stands still, so that two upgrades of one file have equal results.
    @discardableResult
    package static func start(
        at file: URL, _ version: LibrarySchema, pool: PoolOptions = PoolOptions(), safety: StartSafety = .none,
        logger: (@Sendable (String) -> Void)? = nil
    ) throws -> StorageKit.Context {
        try StorageKit.start(at: file, options: .init(pool: pool, clock: ManualClock(), safety: safety)) { schema in
            schema.setOptions(Options(logger: logger))
            version.describe(&schema)
        }
    }

    /// Opens a file at a version and closes it again.
    package static func upgrade(_ file: URL, to version: LibrarySchema, pool: PoolOptions = PoolOptions()) throws {
        try start(at: file, version, pool: pool).storage.pool.close()
    }

    /// What each migration noted when it ran, in the file's order.
    package static func runs(in file: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: file.path)
        return try queue.read { db in
            try Row.fetchAll(db, sql: "SELECT id FROM runs ORDER BY id").map { $0["id"] }
        }
    }

    /// What SQLite finds wrong with a file: `["ok"]` if nothing.
    package static func integrity(of file: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: file.path)
        return try queue.read { db in try Row.fetchAll(db, sql: "PRAGMA integrity_check").map { $0[0] } }
    }
}
