import Foundation

/// Makes users that are the same in each run.
struct UserGenerator {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// So many users, each with a random id of 36 characters.
    static func users(_ count: Int, seed: UInt64 = 1) -> [User] {
        var generator = UserGenerator(seed: seed)
        return (0..<count).map { _ in generator.next() }
    }

    mutating func next() -> User {
        let number = Int.random(in: 10_000..<1_000_000, using: &random)
        let created = date(daysAfter2020: Int.random(in: 0..<1500, using: &random))
        return User(
            id: id(), name: "Ada Lovelace \(number)", email: "ada.\(number)@example.com",
            age: Int.random(in: 18..<90, using: &random), score: Double.random(in: 0..<1000, using: &random),
            isActive: Bool.random(using: &random), createdAt: created,
            bio: Bool.random(using: &random) ? "Writes programs for an engine that is not there yet." : nil,
            avatar: Bool.random(using: &random) ? data(32) : nil, updatedAt: created.addingTimeInterval(3600))
    }

    private mutating func id() -> String {
        let high = random.next().bigEndian
        let low = random.next().bigEndian
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
    }

    /// A date of whole milliseconds, which every side stores as the same text.
    private mutating func date(daysAfter2020 days: Int) -> Date {
        let milliseconds = Int.random(in: 0..<86_400_000, using: &random)
        return Date(timeIntervalSince1970: Double((18_262 + days) * 86_400_000 + milliseconds) / 1000)
    }

    private mutating func data(_ count: Int) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}

extension User {
    /// The same user with other values in most columns: rows that do not change would flatter the side that writes them.
    func changed(_ round: Int) -> User {
        var user = self
        user.name = "Grace Hopper \(round)"
        user.age = 18 + (age + round) % 72
        user.score = score + Double(round)
        user.isActive.toggle()
        user.updatedAt = updatedAt.addingTimeInterval(Double(round))
        return user
    }

    func with(age: Int) -> User {
        var user = self
        user.age = age
        return user
    }
}

extension [User] {
    /// The first and the last.
    var ends: [User] { [self[0], self[count - 1]] }
}
