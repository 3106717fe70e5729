import Foundation
import GRDBSQLite

/// The work of the raw side.
extension RawStore {
    /// Saves all users in one transaction.
    func saveAll(_ users: [User]) throws {
        let save = try prepare(RawUsers.upsertSQL)
        try run("BEGIN IMMEDIATE")
        for user in users { try RawUsers.save(user, save) }
        try run("COMMIT")
    }

    /// Saves each user in a transaction of its own.
    func saveEach(_ users: [User]) throws {
        let save = try prepare(RawUsers.upsertSQL)
        for user in users { try RawUsers.save(user, save) }
    }

    /// The same beside others, who use the connection in turn.
    func saveEach(_ users: [User], locking lock: NSLock) throws {
        let save = try lock.withLock { try prepare(RawUsers.upsertSQL) }
        for user in users { try lock.withLock { try RawUsers.save(user, save) } }
    }

    /// Saves the users of each part and gets the first and the last again, in a transaction for each part.
    func saveAndGetTwo(_ parts: [[User]]) throws -> Int {
        let (begin, commit) = (try prepare("BEGIN IMMEDIATE"), try prepare("COMMIT"))
        let (save, select) = (try prepare(RawUsers.upsertSQL), try prepare(RawUsers.selectByIdSQL))
        return try parts.reduce(0) { sum, users in
            _ = try begin.number()
            for user in users { try RawUsers.save(user, save) }
            let found = try users.ends.reduce(0) { try $0 &+ (RawUsers.get($1.id, select)?.checksum ?? 0) }
            _ = try commit.number()
            return sum &+ found
        }
    }

    func runEmptyTransactions(_ count: Int) throws -> Int {
        let (begin, commit) = (try prepare("BEGIN IMMEDIATE"), try prepare("COMMIT"))
        for _ in 0..<count {
            _ = try begin.number()
            _ = try commit.number()
        }
        return count
    }

    /// Saves each user in a transaction of its own, and reads it again.
    func saveAndReadEach(_ users: [User]) throws -> Int {
        let save = try prepare(RawUsers.upsertSQL)
        let select = try prepare(RawUsers.selectByIdSQL)
        return try users.reduce(0) { sum, user in
            try RawUsers.save(user, save)
            return try sum &+ (RawUsers.get(user.id, select)?.checksum ?? 0)
        }
    }

    /// Saves each user in a transaction of its own, and reads all users again.
    func saveEachAndReadAll(_ users: [User]) throws -> Int {
        let save = try prepare(RawUsers.upsertSQL)
        let select = try prepare("SELECT \(RawUsers.columns) FROM users ORDER BY id")
        return try users.reduce(0) { sum, user in
            try RawUsers.save(user, save)
            return try sum &+ RawUsers.all(select).count
        }
    }

    /// Reads each user by id.
    func getEach(_ ids: [String]) throws -> Int {
        let select = try prepare(RawUsers.selectByIdSQL)
        return try ids.reduce(0) { try $0 &+ (RawUsers.get($1, select)?.checksum ?? 0) }
    }

    /// The users that a SELECT finds.
    func fetch(_ rest: String) throws -> Int {
        try RawUsers.all(prepare("SELECT \(RawUsers.columns) FROM users \(rest)")).checksum
    }

    /// Reads the users behind each of some scores.
    func fetchFew(from scores: [Double], limit: Int) throws -> Int {
        let select = try prepare("SELECT \(RawUsers.columns) FROM users WHERE score >= ? ORDER BY score LIMIT \(limit)")
        return try scores.reduce(0) { sum, score in
            select.reset()
            sqlite3_bind_double(select.handle, 1, score)
            return try sum &+ RawUsers.all(select).checksum
        }
    }

    /// The number that a SELECT finds.
    func number(_ sql: String) throws -> Int {
        try prepare(sql).number()
    }
}
