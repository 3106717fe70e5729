import StorageKit

/// The work of StorageKit's side.
extension KitStore {
    /// Saves all users in one transaction.
    func saveAll(_ users: [User]) async throws {
        try await storage.save(users)
    }

    /// Saves each user in a transaction of its own.
    func saveEach(_ users: [User]) async throws {
        for user in users { try await storage.save(user) }
    }

    /// Saves the users of each part and gets the first and the last again, in a transaction for each part.
    func saveAndGetTwo(_ parts: [[User]]) async throws -> Int {
        var sum = 0
        for users in parts {
            sum &+= try await storage.transaction { tx in
                for user in users { try tx.save(user) }
                return try users.ends.reduce(0) { try $0 &+ (tx.get(User.self, id: $1.id)?.checksum ?? 0) }
            }
        }
        return sum
    }

    func runEmptyTransactions(_ count: Int) async throws -> Int {
        for _ in 0..<count { try await storage.transaction { _ in } }
        return count
    }

    /// Reads each user by id.
    func getEach(_ ids: [String]) async throws -> Int {
        var sum = 0
        for id in ids { sum &+= try await storage.get(User.self, id: id)?.checksum ?? 0 }
        return sum
    }

    /// Reads all users in the order of the table.
    func fetchAll() async throws -> Int {
        try await storage.query(User.self).fetch().checksum
    }

    /// Reads all users little by little, and keeps none.
    func streamAll() async throws -> Int {
        var sum = 0
        for try await user in storage.query(User.self).stream() { sum &+= user.checksum }
        return sum
    }

    /// Reads all users in the order of their ids.
    func fetchOrdered() async throws -> Int {
        try await storage.all(User.self).checksum
    }

    /// Reads the active users of thirty and more with the lowest scores.
    func fetchByIndex(limit: Int) async throws -> Int {
        let query = storage.query(User.self).where { $0.age >= 30 && $0.isActive }.orderBy(\.score).limit(limit)
        return try await query.fetch().checksum
    }

    /// Reads the users behind each of some scores.
    func fetchFew(from scores: [Double], limit: Int) async throws -> Int {
        var sum = 0
        for score in scores {
            let query = storage.query(User.self).where { $0.score >= score }.orderBy(\.score).limit(limit)
            sum &+= try await query.fetch().checksum
        }
        return sum
    }

    /// Counts the users of forty and more, so many times.
    func count(times: Int) async throws -> Int {
        let query = storage.query(User.self).where { $0.age >= 40 }
        var sum = 0
        for _ in 0..<times { sum &+= try await query.count() }
        return sum
    }
}

// MARK: - Observation

extension KitStore {
    /// Observes each user of some ids, and tells the arrivals of each change.
    func observe(_ ids: [String], _ arrivals: Arrivals) -> [Task<Void, any Error>] {
        ids.map { id in
            let users = storage.observe(User.self, id: id)
            return Task {
                for await user in users { arrivals.add(user?.checksum ?? 0) }
            }
        }
    }

    /// Observes the list of all users, and tells the arrivals of each change.
    func observeAll(_ arrivals: Arrivals) -> Task<Void, any Error> {
        let lists = storage.observeAll(User.self)
        return Task {
            for await users in lists { arrivals.add(users.count) }
        }
    }

    /// Saves each user, and then waits until so many values more have arrived.
    func saveEach(_ users: [User], thenAwaiting count: Int, _ arrivals: Arrivals) async throws -> Int {
        let (before, expected) = (arrivals.sum, arrivals.count + count)
        for user in users { try await storage.save(user) }
        await arrivals.wait(for: expected)
        return arrivals.sum - before
    }

    /// Saves each user, and waits each time until one value more has arrived.
    func saveEach(_ users: [User], awaitingEach arrivals: Arrivals) async throws -> Int {
        let before = arrivals.sum
        for user in users {
            let expected = arrivals.count + 1
            try await storage.save(user)
            await arrivals.wait(for: expected)
        }
        return arrivals.sum - before
    }
}
