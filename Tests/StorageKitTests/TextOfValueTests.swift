import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Reading {
    var id: Int
    var big: UInt64
    var at: Date
}

/// Values that callers name by their text are those that typed conditions find.
@Suite struct TextOfValueTests {
    private static let at = Date(timeIntervalSince1970: 1_767_323_045)

    private func store() async throws -> TemporaryStore {
        let store = try TemporaryStore { $0.autoSchema(ReadingRecord.self) }
        try await store.storage.save([
            Reading(id: 1, big: .max, at: Self.at), Reading(id: 2, big: 7, at: Self.at.addingTimeInterval(0.5)),
        ])
        return store
    }

    private func ids(_ store: TemporaryStore, _ column: String, _ text: String) async throws -> [Int] {
        try await store.storage.loadChildren(Reading.self, where: column, equals: text).map(\.id)
    }

    @Test func aNumberBeyondInt64IsFoundByItsText() async throws {
        let store = try await store()
        #expect(try await ids(store, "big", "18446744073709551615") == [1])
        #expect(try await ids(store, "big", "7") == [2])
        #expect(try await ids(store, "big", "18446744073709551614") == [])
        #expect(try await ids(store, "big", "x") == [])
    }

    @Test func aWholeSecondIsFoundWithAndWithoutDecimals() async throws {
        let store = try await store()
        #expect(try await ids(store, "at", "2026-01-02 03:04:05") == [1])
        #expect(try await ids(store, "at", "2026-01-02 03:04:05.000") == [1])
        #expect(try await ids(store, "at", "2026-01-02 03:04:05.500") == [2])
        #expect(try await ids(store, "at", "2026-01-02 03:04:06") == [])
        #expect(try await store.storage.deleteAll(Reading.self, where: "at", equals: "2026-01-02 03:04:05") == 1)
    }
}
