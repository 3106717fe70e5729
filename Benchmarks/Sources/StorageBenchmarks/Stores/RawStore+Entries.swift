import Foundation
import GRDBSQLite

/// What a save and a get cost at least where the documented table of the disk cache is told of them: it has four B-trees, its own, that of
/// its key and those of two indexes.
extension RawStore {
    func makeEntryTable() throws {
        try run(
            """
            CREATE TABLE kv_cache (key TEXT PRIMARY KEY, blob BLOB NOT NULL, updatedAt DATETIME NOT NULL,
                expiresAt DATETIME, size INTEGER NOT NULL DEFAULT 0);
            CREATE INDEX idx_kv_cache_expiresAt ON kv_cache(expiresAt);
            CREATE INDEX idx_kv_cache_updatedAt ON kv_cache(updatedAt)
            """)
    }

    func emptyEntryTable() throws {
        try run("DELETE FROM kv_cache")
    }

    /// Saves each user with an entry, in a transaction of its own.
    func saveEachWithEntry(_ users: [User]) throws {
        let (begin, commit) = (try prepare("BEGIN IMMEDIATE"), try prepare("COMMIT"))
        let (save, setEntry) = (try prepare(RawUsers.upsertSQL), try prepare(entrySQL))
        for user in users {
            _ = try begin.number()
            try RawUsers.save(user, save)
            try set(user.id, setEntry, Date())
            _ = try commit.number()
        }
    }

    /// Reads each user by id, and sets the entries of many in one transaction each time that so many were read.
    func getEach(_ ids: [String], settingEntriesEvery count: Int) throws -> Int {
        let (begin, commit) = (try prepare("BEGIN IMMEDIATE"), try prepare("COMMIT"))
        let (select, setEntry) = (try prepare(RawUsers.selectByIdSQL), try prepare(entrySQL))
        return try ids.chunked(by: count).reduce(0) { sum, some in
            let found = try some.reduce(0) { try $0 &+ (RawUsers.get($1, select)?.checksum ?? 0) }
            _ = try begin.number()
            for id in some { try set(id, setEntry, Date()) }
            _ = try commit.number()
            return sum &+ found
        }
    }

    private var entrySQL: String {
        """
        INSERT INTO kv_cache (key, blob, updatedAt, expiresAt, size) VALUES (?, x'', ?, ?, 0)
        ON CONFLICT (key) DO UPDATE SET updatedAt = excluded.updatedAt, expiresAt = excluded.expiresAt
        """
    }

    @inline(__always) private func set(_ key: String, _ statement: RawStatement, _ now: Date) throws {
        statement.reset()
        statement.bind(key, at: 1)
        RawDate.bind(now, statement.handle, 2)
        RawDate.bind(now + 300, statement.handle, 3)
        _ = try statement.step()
        statement.reset()
    }
}

extension Array {
    /// Runs of so many elements, the last one of what is left.
    fileprivate func chunked(by count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
