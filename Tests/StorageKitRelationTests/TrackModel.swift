import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Album {
    var id: Int
    var name: String
    var year: Int?
}

@StorageEntity
struct Track {
    enum Genre: String, Codable, Sendable { case folk, jazz, noise }

    var id: Int
    var albumId: Int
    var title: String
    var genre: Genre?
    var seconds: Int
    var plays: Int?
    var price: Decimal
    var addedAt: Date
    var isLive: Bool
    @StorageJSON var tags: [String]
}

extension Track {
    static let time = Date(timeIntervalSince1970: 1_700_000_000)

    /// Six tracks on two albums.
    static let some = [
        Track(1, album: 1, "a", .folk, 100, plays: 5, price: 1),
        Track(2, album: 1, "b", nil, 200, plays: nil, price: 2),
        Track(3, album: 1, "a", .jazz, 300, plays: 7, price: 10),
        Track(4, album: 2, "c", .folk, 50, plays: nil, price: 3, isLive: true),
        Track(5, album: 2, "b", nil, 150, plays: 1, price: 1),
        Track(6, album: 3, "d", .noise, 60, plays: 9, price: 4, isLive: true),
    ]

    init(
        _ id: Int, album: Int, _ title: String, _ genre: Genre?, _ seconds: Int, plays: Int?, price: Decimal,
        isLive: Bool = false
    ) {
        self.init(
            id: id, albumId: album, title: title, genre: genre, seconds: seconds, plays: plays, price: price,
            addedAt: Track.time.addingTimeInterval(Double(id / 2) * 86400), isLive: isLive, tags: [title])
    }
}

/// A store of tracks and albums.
func tracksStore(_ tracks: [Track] = Track.some, log: StatementLog? = nil) async throws -> TemporaryStore {
    let store = try TemporaryStore(log: log) {
        $0.autoSchema(TrackRecord.self)
        $0.autoSchema(AlbumRecord.self)
    }
    try await store.storage.save(tracks)
    try await store.storage.save([
        Album(id: 1, name: "one", year: 1990), Album(id: 2, name: "two", year: nil),
        Album(id: 4, name: "four", year: 90),
    ])
    return store
}

/// Checks the SQL of a selection and what it finds, together.
func expectSelection<E, Row: Equatable>(
    _ selection: Selection<E, Row>, sql: String, rows: [Row], at location: SourceLocation = #_sourceLocation
) async throws {
    #expect(try selection.sql.sql == sql, sourceLocation: location)
    #expect(try await selection.fetch() == rows, sourceLocation: location)
    #expect(try await selection.count() == rows.count, sourceLocation: location)
    #expect(try await selection.fetchOne() == rows.first, sourceLocation: location)
}

/// The same of tuples of two.
func expectSelection<E, A: Equatable, B: Equatable>(
    _ selection: Selection<E, (A, B)>, sql: String, rows: [(A, B)], at location: SourceLocation = #_sourceLocation
) async throws {
    #expect(try selection.sql.sql == sql, sourceLocation: location)
    let found = try await selection.fetch()
    #expect(found.elementsEqual(rows, by: ==), "\(found)", sourceLocation: location)
    #expect(try await selection.count() == rows.count, sourceLocation: location)
}

/// The same of tuples of three.
func expectSelection<E, A: Equatable, B: Equatable, C: Equatable>(
    _ selection: Selection<E, (A, B, C)>, sql: String, rows: [(A, B, C)],
    at location: SourceLocation = #_sourceLocation
) async throws {
    #expect(try selection.sql.sql == sql, sourceLocation: location)
    let found = try await selection.fetch()
    #expect(found.elementsEqual(rows, by: ==), "\(found)", sourceLocation: location)
    #expect(try await selection.count() == rows.count, sourceLocation: location)
}

/// Expects that asking throws `queryFailed` with these words in it.
func expectRefusal(
    _ words: String, at location: SourceLocation = #_sourceLocation, _ ask: () async throws -> some Any
) async {
    do {
        let found = try await ask()
        Issue.record("found \(found)", sourceLocation: location)
    } catch StorageError.queryFailed(_, let underlying) {
        let message = StorageError.queryFailed(sql: nil, underlying: underlying).description
        #expect(message.contains(words), "\(message)", sourceLocation: location)
    } catch {
        Issue.record(error, sourceLocation: location)
    }
}
