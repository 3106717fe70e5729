import StorageKit
import StorageTestSupport
import Testing

/// A reader of a volume.
@StorageEntity
private struct Loan: Equatable {
    var id: Int
    var volumeId: Int
    var reader: String
}

@StorageSelection
private struct Lent: Equatable, Sendable {
    let reader: String
    let title: String
    let shelf: Int
}

/// Random writes against differences of lists that are read again as a whole: applied one after the other, they always make the list that
/// a dictionary has.
@Suite(.timeLimit(.minutes(60))) struct DifferenceProgramTests {
    @Test func differencesOfJoinedEntitiesMakeTheList() async throws {
        try await runOnStores(short: 4, quick: 30, full: 1000, programsPerStore: 1) { seed in
            let store = try TemporaryStore {
                $0.autoSchema(VolumeRecord.self)
                $0.autoSchema(LoanRecord.self)
            }
            var random = SeededGenerator(seed: seed)
            var volumes: [Int: Volume] = [:]
            var loans: [Int: Loan] = [:]
            let pairs = store.storage.query(Loan.self).join(Volume.self) { $0.volumeId == $1.id }
                .orderBy({ _, volume in volume.shelf }).orderBy({ loan, _ in loan.reader }, .descending)
                .orderBy({ loan, _ in loan.id })
                .select { Lent.columns(reader: $0.reader, title: $1.title, shelf: $1.shelf) }
            var changes = pairs.observeChanges().makeAsyncIterator()
            var told: [Lent] = []
            for step in 0..<20 {
                let id = Int.random(in: 0...6, using: &random)
                switch Int.random(in: 0...5, using: &random) {
                case 0:
                    volumes[id] = nil
                    try await store.storage.delete(Volume.self, id: id)
                case 1:
                    loans[id] = nil
                    try await store.storage.delete(Loan.self, id: id)
                case 2, 3:
                    let volume = Volume(
                        id: id, title: ["a", "b"].randomElement(using: &random) ?? "", rank: nil,
                        shelf: Int.random(in: 0...2, using: &random))
                    volumes[id] = volume
                    try await store.storage.save(volume)
                default:
                    let loan = Loan(
                        id: id, volumeId: Int.random(in: 0...6, using: &random),
                        reader: ["Ada", "Ben", "Cid"].randomElement(using: &random) ?? "")
                    loans[id] = loan
                    try await store.storage.save(loan)
                }
                if step < 19, Bool.random(using: &random) { continue }
                let joined = loans.values.compactMap { loan in volumes[loan.volumeId].map { (loan, $0) } }
                let list = joined.sorted { left, right in
                    if left.1.shelf != right.1.shelf { return left.1.shelf < right.1.shelf }
                    return left.0.reader != right.0.reader
                        ? left.0.reader > right.0.reader : left.0.id < right.0.id
                }.map { Lent(reader: $0.0.reader, title: $0.1.title, shelf: $0.1.shelf) }
                while told != list {
                    let change = try #require(await changes.next(), "STORAGEKIT_SEED=\(seed)")
                    told = told.applying(change)
                    #expect(told == change.list, "STORAGEKIT_SEED=\(seed), step \(step)")
                }
            }
        }
    }

    @Test func differencesOfASearchByRankMakeTheList() async throws {
        try await runOnStores(short: 4, quick: 30, full: 1000, programsPerStore: 1) { seed in
            let store = try TemporaryStore {
                $0.autoSchema(TestUserRecord.self)
                $0.addFullTextSearch(table: "testusers", columns: ["name"])
            }
            var random = SeededGenerator(seed: seed)
            var users: [String: (user: TestUser, length: Int)] = [:]
            var changes = store.storage.query(TestUser.self).matching("swift").observeChanges().makeAsyncIterator()
            var told: [TestUser] = []
            for step in 0..<20 {
                let id = "\(Int.random(in: 0...7, using: &random))"
                // Of two texts with the word, the shorter one ranks before the other; no two are alike.
                let lengths = (1...40).filter { length in !users.values.contains { $0.length == length } }
                let length = lengths.randomElement(using: &random) ?? 41
                switch Int.random(in: 0...5, using: &random) {
                case 0:
                    users[id] = nil
                    try await store.storage.delete(TestUser.self, id: id)
                case 1:
                    users[id] = nil
                    try await store.storage.save(TestUser(id, name: "other words"))
                case 2 where users[id] != nil:
                    // Another row with the same rank.
                    users[id]?.user.age += 1
                    if let user = users[id]?.user { try await store.storage.save(user) }
                default:
                    let user = TestUser(id, name: "swift" + String(repeating: " and", count: length))
                    users[id] = (user, length)
                    try await store.storage.save(user)
                }
                if step < 19, Bool.random(using: &random) { continue }
                let list = users.values.sorted { $0.length < $1.length }.map(\.user)
                while told != list {
                    let change = try #require(await changes.next(), "STORAGEKIT_SEED=\(seed)")
                    told = told.applying(change)
                    #expect(told == change.list, "STORAGEKIT_SEED=\(seed), step \(step)")
                }
            }
        }
    }
}
