import StorageKit
import StorageTestSupport
import Testing

private struct Hall: Codable, Equatable, Sendable {
    var name: String
    var count: Int
}

@StorageEntity(table: "neighbour_firms") private struct Agency {
    var id: String
    var name: String
    var count: Int
    var isNull = true
}

/// Has a value that is declared elsewhere, so that names which the compiler does not know are columns too.
@StorageEntity(table: "neighbour_events") private struct Concert {
    var id: Int
    var title: String
    @StorageReference(Agency.self) var firmId: String
    @StorageReference(Agency.self) var hostId: String?
    @StorageEmbedded var venue: Hall
    @StorageEmbedded var other: Hall?
}

@StorageEntity(table: "neighbour_guests") private struct Guest {
    var id: Int
    var text = ""
    @StorageReference(Concert.self) var eventId: Int
    @StorageReference(Concert.self) var laterId: Int?
}

/// What the compiler knows of an entity is not taken for a name that it does not know.
@Suite struct EmbeddedNeighbourTests {
    private let store: TemporaryStore
    private var events: Query<Concert> { store.storage.query(Concert.self) }
    private var guests: Query<Guest> { store.storage.query(Guest.self) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(AgencyRecord.self, ConcertRecord.self, GuestRecord.self) }
        try await store.storage.save(Agency(id: "f", name: "Acme", count: 7))
        try await store.storage.save(
            Concert(
                id: 1, title: "Acme at Hall", firmId: "f", hostId: "f", venue: Hall(name: "Hall", count: 3),
                other: Hall(name: "Yard", count: 4)))
        try await store.storage.save(Guest(id: 1, eventId: 1))
    }

    private func title(
        _ assignment: @escaping @Sendable (ColumnRef<Concert>) -> ColumnAssignment
    ) async throws -> String? {
        try await events.updateAll { [assignment($0)] }
        return try await events.fetchOne()?.title
    }

    @Test func aTextIsSetToTheNameOfAnotherRow() async throws {
        #expect(try await title { $0.title.set(to: $0.firm.name) } == "Acme")
        #expect(try await title { $0.title.set(to: $0.host.name ?? "none") } == "Acme")
        #expect(try await title { $0.title.set(to: $0.firm.name + "!") } == "Acme!")
        #expect(try await title { $0.title.set(to: $0.firm.name.lowercased()) } == "acme")
        try await guests.updateAll { [$0.text.set(to: $0.event.firm.name)] }
        #expect(try await guests.fetchOne()?.text == "Acme")
    }

    @Test func aTextIsSetToTheNameInAnEmbeddedValue() async throws {
        #expect(try await title { $0.title.set(to: $0.venue.name) } == "Hall")
        #expect(try await title { $0.title.set(to: $0.other.name ?? $0.firm.name) } == "Yard")
        #expect(try await title { $0.title.set(to: $0.venueName + "!") } == "Hall!")
    }

    @Test func aTextIsLookedForInTheNameOfAnotherRow() async throws {
        #expect(try await events.where { $0.title.hasPrefix($0.firm.name) }.count() == 1)
        #expect(try await events.where { $0.title.hasSuffix($0.venue.name) }.count() == 1)
        #expect(try await events.where { $0.title.contains($0.other.name ?? "none") }.count() == 0)
        #expect(try await guests.where { $0.event.title.contains($0.event.venue.name) }.count() == 1)
    }

    @Test func whatMayBeNilIsSelectedByItsName() async throws {
        let names = try await events.select { ($0.id, $0.host.name) }.fetch()
        #expect(names.map(\.1) == ["Acme"])
        let counts = try await events.select { ($0.other.name, $0.other.count, $0.host.count) }.fetch()
        #expect(counts.map(\.0) == ["Yard"] && counts.map(\.1) == [4] && counts.map(\.2) == [7])
    }

    @Test func columnsAreFoundByNamesThatExpressionsHaveToo() async throws {
        #expect(
            try await events.where { $0.host.count == 7 && $0.other.count == 4 && $0.venue.count == 3 }.count() == 1)
        #expect(try await events.where { $0.host.isNull == true && $0.firm.isNull }.count() == 1)
        #expect(try await guests.where { $0.later.otherName.isNull && $0.later.venueName == nil }.count() == 1)
        #expect(try await guests.where { $0.event.other.count == 4 && $0.event.venueCount == 3 }.count() == 1)
    }
}
