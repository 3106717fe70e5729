import StorageKit
import StorageTestSupport
import Testing

extension Column<Int> {
    /// A condition of so many levels that whatever walks through it by recursion ends the process.
    var conditionFarTooDeep: Predicate {
        (0..<20_000).reduce(self > 0) { (condition: Predicate, number: Int) -> Predicate in
            number.isMultiple(of: 2) ? condition && self != number : condition || self == -1
        }
    }
}

extension ColumnRef<Track> {
    fileprivate var farTooDeep: Column<Int> {
        (0..<20_000).reduce(self.seconds) { (sum: Column<Int>, _: Int) -> Column<Int> in sum + 1 }
    }
}

/// What is nested deeper than SQLite's parser can follow, wherever it stands.
@Suite struct DeepQueryTests {
    private let store: TemporaryStore
    private var tracks: Query<Track> { store.storage.query(Track.self) }

    init() async throws {
        store = try await tracksStore()
    }

    private static func nested(_ levels: Int) -> @Sendable (ColumnRef<Track>) -> Column<Int> {
        { row in (0..<levels).reduce(row.seconds) { node, _ in min(node, 1000) } }
    }

    /// So many levels that whatever walks through them by recursion ends the process.
    private static var farTooDeep: @Sendable (ColumnRef<Track>) -> Column<Int> {
        { $0.farTooDeep }
    }

    private func expectRefusal(_ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("it was asked")
        } catch {
            guard case .queryFailed(_, let underlying)? = error as? StorageError else {
                Issue.record("\(error)")
                return
            }
            let reason = (underlying as? InvalidQuery)?.reason
            #expect(reason?.contains("nested more than SQLite's parser can follow") == true, "\(error)")
        }
    }

    @Test(arguments: [60, 99, 500]) func whereverAValueStandsItsDepthIsRefusedInTheSameWords(levels: Int) async throws {
        let deep = DeepQueryTests.nested(levels)
        await expectRefusal { _ = try await tracks.select { deep($0) }.fetch() }
        await expectRefusal { _ = try await tracks.select { ($0.id, deep($0)) }.page(limit: 1) }
        await expectRefusal { _ = try await tracks.orderBy { deep($0) }.fetch() }
        await expectRefusal { _ = try await tracks.group { (deep($0), $0.id) }.select { $0.count() }.fetch() }
        await expectRefusal { _ = try await tracks.aggregate { $0.sum { deep($0) } }.fetchOne() }
        await expectRefusal { _ = try await tracks.updateAll { [$0.seconds.set(to: deep($0))] } }
        await expectRefusal { _ = try await tracks.where { deep($0) > 1 }.fetch() }
        #expect(try await tracks.select(\.seconds).fetch().max() == 300)
    }

    @Test func aValueFarTooDeepIsRefusedWhereItsFormIsAskedFirst() async {
        await expectRefusal { _ = try await tracks.distinct(\.farTooDeep) }
        await expectRefusal { _ = try await tracks.sum(\.farTooDeep) }
        let sum = tracks.aggregate { $0.sum(\.farTooDeep) }
        await expectRefusal { _ = try await tracks.where { $0.seconds == sum.value }.fetch() }
    }

    /// To SQLite each part of a chain is a level more, of which it takes a thousand. Its parser follows them.
    @Test func chainsInEachOtherAreRefusedInTheSameWords() async {
        func chains(_ row: ColumnRef<Track>) -> Predicate {
            (0..<12).reduce(row.seconds > 1) { (inner: Predicate, level: Int) -> Predicate in
                (0..<99).reduce(inner) { (chain: Predicate, id: Int) -> Predicate in
                    level.isMultiple(of: 2) ? chain && row.id != id : chain || row.id == id
                }
            }
        }
        await expectRefusal { _ = try await tracks.where { chains($0) }.fetch() }
    }

    @Test func anOrderFarTooDeepIsRefusedWhateverIsAsked() async {
        let deep = DeepQueryTests.farTooDeep
        await expectRefusal { _ = try await tracks.orderBy { deep($0) }.count() }
        await expectRefusal { _ = try await tracks.orderBy { deep($0) }.exists() }
        await expectRefusal { _ = try await tracks.orderBy { deep($0) }.page(limit: 1) }
        await expectRefusal { _ = try await tracks.orderBy { deep($0) }.deleteAll() }
    }

    @Test func aCalculationFarTooDeepIsRefused() async {
        let deep = DeepQueryTests.farTooDeep
        await expectRefusal { _ = try await tracks.select { deep($0) }.fetch() }
        await expectRefusal { _ = try await tracks.aggregate { $0.sum { deep($0) } }.fetchOne() }
        await expectRefusal { _ = try await tracks.updateAll { [$0.seconds.set(to: deep($0))] } }
    }

    @Test func aConditionOfGroupsFarTooDeepIsRefused() async {
        let groups = tracks.group(by: \.albumId).having { $0.count().conditionFarTooDeep }
        await expectRefusal { _ = try await groups.select(\.albumId).fetch() }
    }

    @Test func aConditionOfAJoinFarTooDeepIsRefused() async {
        let pairs = tracks.join(Album.self) { track, _ in track.seconds.conditionFarTooDeep }
        await expectRefusal { _ = try await pairs.count() }
    }

    /// As one of a filter is: what is nested most comes to stand in front.
    @Test func aConditionOfAJoinNestedOnTheRightIsOneQuery() async throws {
        func belong(_ track: ColumnRef<Track>, _ album: ColumnRef<Album>) -> Predicate {
            (0..<40).reduce(track.albumId == album.id) { (condition: Predicate, number: Int) -> Predicate in
                number.isMultiple(of: 2) ? track.id != number + 200 && condition : track.id == -1 || condition
            }
        }
        #expect(try await tracks.join(Album.self) { belong($0, $1) }.count() == 5)
    }

    @Test func whatTheParserFollowsIsAsked() async throws {
        let deep = DeepQueryTests.nested(10)
        #expect(try await tracks.orderBy { deep($0) }.select { deep($0) }.fetch() == [50, 60, 100, 150, 200, 300])
        #expect(try await tracks.updateAll { [$0.seconds.set(to: deep($0) + 1)] } == 6)
    }

    /// As deep as SQLite's parser goes: how deep that is says SQLite.
    @Test func queriesInEachOtherAreAskedAsLongAsTheParserFollows() async throws {
        func nested(_ levels: Int) -> Query<Track> {
            (0..<levels).reduce(tracks.where { $0.seconds > 60 }) { inner, _ in
                tracks.where { row in row.seconds < 1000 && row.id.in(inner.select(\.id)) }
            }
        }
        for levels in 1...5 { #expect(try await nested(levels).count() == 4, "\(levels)") }
        await expectRefusal { _ = try await nested(60).fetch() }
    }
}
