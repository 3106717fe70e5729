import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// What writes in a transaction throw, and what they leave to its commit.
@Suite struct TransactionErrorTests {
    @StorageEntity(unique: [["shelf", "place"]])
    struct Seat: Equatable {
        var id: Int
        var shelf: String
        var place: Int
        @StorageUnique var label: String
    }

    @StorageEntity
    struct Branch: Equatable {
        var id: String
        @StorageReference(Branch.self) var parentId: String?
    }

    private let store: TemporaryStore
    private let storage: Storage

    init() throws {
        store = try TemporaryStore { $0.autoSchema(SeatRecord.self, BranchRecord.self, DraftRecord.self) }
        storage = store.storage
    }

    private func key(_ body: () throws -> Void) throws -> [String] {
        let error = #expect(throws: StorageError.self) { try body() }
        guard case .constraintViolated(let violation)? = error else { throw error ?? Missing() }
        #expect(violation.kind == .unique && violation.table == "seats")
        return violation.columns
    }

    @Test func aKeyOfSeveralColumnsIsNamedWhateverBreaksIt() async throws {
        try await storage.save(Seat(id: 1, shelf: "a", place: 1, label: "1"))
        let second = Seat(id: 2, shelf: "a", place: 1, label: "2")
        try await storage.transaction { [storage] tx in
            #expect(try key { try tx.save([second]) } == ["shelf", "place"])
            #expect(
                try key { try tx.save([second, Seat(id: 3, shelf: "b", place: 1, label: "3")]) } == ["shelf", "place"])
            #expect(try key { try tx.save(second, onConflict: .update(\.label)) } == ["shelf", "place"])
            try tx.save(Seat(id: 2, shelf: "a", place: 2, label: "2"))
            let query = storage.query(Seat.self).where { $0.id == 2 }
            #expect(try key { try query.updateAll(in: tx) { [$0.place.set(to: 1)] } } == ["shelf", "place"])
        }
        #expect(try await storage.all(Seat.self).map(\.place) == [1, 2])
    }
}
