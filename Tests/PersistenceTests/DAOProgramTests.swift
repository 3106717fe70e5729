import Persistence
import StorageTestSupport
import Testing

/// Random creates, updates and deletes of values at their edges, against a dictionary.
@Suite(.timeLimit(.minutes(20))) struct DAOProgramTests {
    struct Parcel: Codable, Sendable, Equatable {
        enum State: String, Codable, Sendable, CaseIterable { case packed, sent, lost }
        struct Stop: Codable, Sendable, Equatable { var place: String, latitude: Double?, tags: [String: Int] }

        var id: Int64
        var count: UInt64
        var size: Int8?
        var weight: Double
        var ratio: Float?
        var isFragile: Bool
        var label: String
        var note: String?
        var bytes: Data
        var sent: Date?
        var link: URL?
        var state: State
        var former: State?
        var stops: [Stop]
        var key: UUID?
    }

    private static let table = """
        CREATE TABLE parcels (
            id INTEGER PRIMARY KEY, count INTEGER, size INTEGER, weight REAL, ratio REAL, isFragile INTEGER, label TEXT,
            note TEXT, bytes BLOB, sent REAL, link TEXT, state TEXT, former TEXT, stops TEXT, key TEXT
        )
        """

    @Test func aDAOIsADictionaryOnDisk() async throws {
        let seed = SeededGenerator().seed
        for number in 0..<programCount(short: 12, quick: 50, full: 5_000) {
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            let database = try await SQLiteDatabase.inMemory()
            try await database.execute(DAOProgramTests.table)
            let parcels = DAO.make(
                database: database, schema: TableSchema<Parcel>.codable(table: "parcels", primaryKey: "id"))
            var model: [Int64: Parcel] = [:]
            for _ in 0..<20 {
                try await step(parcels, &model, &random)
                let expected = model.values.sorted { $0.id < $1.id }
                let list = try await parcels.list()
                #expect(list == expected, "STORAGEKIT_SEED=\(random.seed)")
                guard list == expected else { return }
            }
        }
    }

    private func step(
        _ parcels: DAO<Parcel>, _ model: inout [Int64: Parcel], _ random: inout SeededGenerator
    ) async throws {
        let parcel = parcel(&random)
        let known = model[parcel.id]
        let notFound = SQLiteError.rowNotFound(table: "parcels", column: "id")
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
            let error = await sqliteError {
                let stored = try await parcels.create(parcel)
                #expect(stored == parcel)
            }
            #expect((error == nil) == (known == nil))
            if known == nil { model[parcel.id] = parcel }
        case 2, 3:
            let error = await sqliteError {
                let stored = try await parcels.update(parcel)
                #expect(stored == parcel)
            }
            #expect(error == (known == nil ? notFound : nil))
            if known != nil { model[parcel.id] = parcel }
        default:
            #expect(try await parcels.read(.integer(parcel.id)) == known)
            let error = await sqliteError { try await parcels.delete(.integer(parcel.id)) }
            #expect(error == (known == nil ? notFound : nil))
            model[parcel.id] = nil
        }
    }

    private func parcel(_ random: inout SeededGenerator) -> Parcel {
        let texts = ["", "null", "NULL", "7", "a\0b", "'", "\"", "e\u{301}", "👩‍👩‍👧", "[]", "\u{FEFF}x", "\n"]
        let doubles = [
            0, 1, -1.5, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 0x1p53,
        ]
        let links = ["https://example.com/%20?a=b#c", "mailto:ada@example.com", "file:///tmp/a%2Fb", "x"]
        func maybe<T>(_ value: T, _ random: inout SeededGenerator) -> T? { Bool.random(using: &random) ? value : nil }
        func text(_ random: inout SeededGenerator) -> String { texts[Int.random(in: texts.indices, using: &random)] }
        func double(_ random: inout SeededGenerator) -> Double {
            Bool.random(using: &random)
                ? doubles[Int.random(in: doubles.indices, using: &random)] : .random(in: -1e9...1e9, using: &random)
        }
        let states = Parcel.State.allCases
        return Parcel(
            id: .random(in: -2...3, using: &random),
            count: [0, .max, UInt64(Int64.max), UInt64(Int64.max) + 1, random.next()][
                Int.random(in: 0..<5, using: &random)],
            size: maybe(.random(in: .min ... .max, using: &random), &random),
            weight: double(&random),
            ratio: maybe(Float(double(&random)), &random),
            isFragile: .random(using: &random),
            label: text(&random),
            note: maybe(text(&random), &random),
            bytes: Data((0..<Int.random(in: 0...4, using: &random)).map { _ in .random(in: 0...255, using: &random) }),
            sent: maybe(
                Date(timeIntervalSince1970: (.random(in: 5e8...4e9, using: &random) * 1e6).rounded() / 1e6), &random),
            link: maybe(URL(string: links[Int.random(in: links.indices, using: &random)]), &random) ?? nil,
            state: states[Int.random(in: states.indices, using: &random)],
            former: maybe(states[Int.random(in: states.indices, using: &random)], &random),
            stops: (0..<Int.random(in: 0...2, using: &random)).map { _ in
                Parcel.Stop(
                    place: text(&random), latitude: maybe(.random(in: -90...90, using: &random), &random),
                    tags: [text(&random): .random(in: .min ... .max, using: &random)])
            },
            key: maybe(UUID(), &random))
    }
}
