import Foundation
import GRDB

/// A file as a program opens it that uses GRDB alone, and the work of the GRDB sides.
struct PlainStore<U: PlainUser>: Sendable {
    let pool: DatabasePool

    /// - Parameter isSynchronous: Whether a commit waits for the disk.
    init(_ url: URL, isSynchronous: Bool = false) throws {
        pool = try DatabasePool(path: url.path)
        // GRDB sets it to NORMAL after all that a configuration prepares.
        if isSynchronous { try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") } }
    }

    /// Inserts all users in one transaction.
    func insertAll(_ users: [U]) async throws {
        try await pool.write { db in
            for user in users { try user.insert(db) }
        }
    }

    /// Saves all users in one transaction.
    func saveAll(_ users: [U]) async throws {
        try await pool.write { db in
            for user in users { try user.save(db) }
        }
    }

    /// Saves each user in a transaction of its own, and blocks meanwhile.
    func saveEachNow(_ users: [U]) throws {
        for user in users { try pool.write { try user.save($0) } }
    }

    /// Saves each user in a transaction of its own.
    func saveEach(_ users: [U]) async throws {
        for user in users { try await pool.write { try user.save($0) } }
    }

    /// Saves the users of each part and gets the first and the last again, in a transaction for each part.
    func saveAndGetTwo(_ parts: [[User]]) async throws -> Int {
        var sum = 0
        for users in parts {
            sum &+= try await pool.write { db in
                for user in users { try U(user).save(db) }
                return try users.ends.reduce(0) { try $0 &+ (U.fetchOne(db, key: $1.id)?.checksum ?? 0) }
            }
        }
        return sum
    }

    /// Reads each user by id, and blocks meanwhile.
    func getEachNow(_ ids: [String]) throws -> Int {
        var sum = 0
        for id in ids { sum &+= try pool.read { try U.fetchOne($0, key: id)?.checksum ?? 0 } }
        return sum
    }

    /// Reads each user by id.
    func getEach(_ ids: [String]) async throws -> Int {
        var sum = 0
        for id in ids { sum &+= try await pool.read { try U.fetchOne($0, key: id)?.checksum ?? 0 } }
        return sum
    }

    /// Reads all users in the order of the table.
    func fetchAll() async throws -> Int {
        try await pool.read { try U.fetchAll($0) }.checksum
    }

    /// Reads all users in the order of their ids.
    func fetchOrdered() async throws -> Int {
        try await pool.read { try U.order(Column("id")).fetchAll($0) }.checksum
    }

    /// Reads the active users of thirty and more with the lowest scores.
    func fetchByIndex(limit: Int) async throws -> Int {
        let request = U.filter(Column("age") >= 30 && Column("isActive") == true).order(Column("score")).limit(limit)
        return try await pool.read { try request.fetchAll($0) }.checksum
    }

    /// Reads the users behind each of some scores.
    func fetchFew(from scores: [Double], limit: Int) async throws -> Int {
        var sum = 0
        for score in scores {
            let request = U.filter(Column("score") >= score).order(Column("score")).limit(limit)
            sum &+= try await pool.read { try request.fetchAll($0) }.checksum
        }
        return sum
    }

    /// Counts the users of forty and more, so many times.
    func count(times: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<times { sum &+= try await pool.read { try U.filter(Column("age") >= 40).fetchCount($0) } }
        return sum
    }
}

// MARK: - Observation

extension PlainStore {
    /// Observes each user of some ids, and tells the arrivals of each change.
    func observe(_ ids: [String], _ arrivals: Arrivals) -> [Task<Void, any Error>] {
        ids.map { id in
            let observation = ValueObservation.tracking { try U.fetchOne($0, key: id) }
            return Task { [pool] in
                for try await _ in observation.values(in: pool) { arrivals.add() }
            }
        }
    }

    /// Observes the list of all users, and tells the arrivals of each change.
    func observeAll(_ arrivals: Arrivals) -> Task<Void, any Error> {
        let observation = ValueObservation.tracking { try U.order(Column("id")).fetchAll($0) }
        return Task { [pool] in
            for try await users in observation.values(in: pool) { arrivals.add(users.count) }
        }
    }

    /// Saves each user, and waits each time until so many values more have arrived.
    func saveEach(_ users: [U], awaiting count: Int, _ arrivals: Arrivals) async throws -> Int {
        let before = arrivals.sum
        for user in users {
            let expected = arrivals.count + count
            try await pool.write { try user.save($0) }
            await arrivals.wait(for: expected)
        }
        return arrivals.sum - before
    }
}
