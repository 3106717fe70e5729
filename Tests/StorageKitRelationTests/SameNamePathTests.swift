import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Homeland { var id: Int; var name: String }

@StorageEntity
struct Traveller {
    var id: Int
    @StorageReference(Homeland.self) var homelandId: Int
}

@StorageEntity
struct Postcard {
    var id: Int
    @StorageReference(Traveller.self) var senderId: Int
    @StorageReference(Traveller.self) var receiverId: Int
}

/// To SQLite, the table has the name of the path.
@StorageEntity(table: "Sender")
private struct SentLetter {
    var id: Int
    @StorageReference(Traveller.self) var senderId: Int
}

@StorageSelection
private struct Mail {
    let sender: Traveller
    let receiver: Traveller
}

@StorageSelection
private struct Exchange {
    let first: Mail
    let second: Mail
}

/// Paths that lead to different rows by steps of the same name, from rows side by side.
@Suite struct SameNamePathTests {
    private let store: TemporaryStore
    private var cards: Query<Postcard> { store.storage.query(Postcard.self) }

    init() async throws {
        store = try TemporaryStore {
            $0.autoSchema(HomelandRecord.self, TravellerRecord.self, PostcardRecord.self)
        }
        try await store.storage.save([Homeland(id: 1, name: "Chile"), Homeland(id: 2, name: "Mali")])
        try await store.storage.save([Traveller(id: 1, homelandId: 1), Traveller(id: 2, homelandId: 2)])
        try await store.storage.save([
            Postcard(id: 1, senderId: 1, receiverId: 1), Postcard(id: 2, senderId: 1, receiverId: 2),
            Postcard(id: 3, senderId: 2, receiverId: 1), Postcard(id: 4, senderId: 1, receiverId: 2),
        ])
    }

    @Test func aGroupHasNoValueOfAnotherPath() async throws {
        let mixed = cards.group { $0.sender.homeland.name }.select { ($0.receiver.homeland.name, $0.count()) }
        let error = await storageError { _ = try await mixed.fetch() }
        #expect(
            error.map { "\($0)".contains("'name' is neither a key of the groups") } == true,
            "\(String(describing: error))")
        let sent = try await cards.group { $0.sender.homeland.name }.select { ($0.sender.homeland.name, $0.count()) }
            .fetch()
        #expect(sent.map(\.0) == ["Chile", "Mali"])
        #expect(sent.map(\.1) == [3, 1])
    }

    @Test func pagesOfDifferentRowsHaveThemAll() async throws {
        let pairs = cards.orderBy { $0.sender.homeland.name }
            .select { ($0.sender.homeland.name, $0.receiver.homeland.name) }.distinct()
        let found = try await allPages { try await pairs.page(after: $0, limit: 1) }
        #expect(found.joined().map { "\($0.0) \($0.1)" } == ["Chile Chile", "Chile Mali", "Mali Chile"])
    }

    @Test func differentRowsAreNotSortedByWhatAnotherPathSelects() async throws {
        func names(_ sorted: Query<Postcard>) -> Selection<Postcard, String> {
            sorted.select { $0.sender.homeland.name }.distinct()
        }
        #expect(try await names(cards.orderBy { $0.sender.homeland.name }).fetch() == ["Chile", "Mali"])
        let error = await storageError {
            _ = try await names(cards.orderBy { $0.receiver.homeland.name }).fetch()
        }
        #expect(error.map { "\($0)".contains("that is not selected") } == true, "\(String(describing: error))")
    }

    @Test func pathsOfDifferentPartsOfARowAreTwo() async throws {
        let mail = cards.select { Mail.columns(sender: $0.sender, receiver: $0.receiver) }.asQuery()
        let pairs = mail.orderBy { $0.sender.homeland.name }
            .select { ($0.sender.homeland.name, $0.receiver.homeland.name) }.distinct()
        let first = try await pairs.page(limit: 2)
        let rest = try await pairs.page(after: first.next, limit: 2)
        let found = (first.items + rest.items).map { "\($0.0) \($0.1)" }
        #expect(found == ["Chile Chile", "Chile Mali", "Mali Chile"])
        let error = await storageError {
            _ = try await mail.group { $0.sender.homeland.name }
                .select { ($0.receiver.homeland.name, $0.count()) }.fetch()
        }
        #expect(error.map { "\($0)".contains("'name' is neither a key of the groups") } == true)
    }

    @Test func soAreThoseOfPartsOfParts() async throws {
        let exchanges = cards.select { card in
            Exchange.columns(
                first: Mail.columns(sender: card.sender, receiver: card.receiver),
                second: Mail.columns(sender: card.receiver, receiver: card.sender))
        }.asQuery()
        let error = await storageError {
            _ = try await exchanges.group { $0.first.sender.homeland.name }
                .select { ($0.second.sender.homeland.name, $0.count()) }.fetch()
        }
        #expect(error.map { "\($0)".contains("'name' is neither a key of the groups") } == true, "\(error as Any)")
    }

    @Test func aCursorBelongsToThePathOfItsOrder() async throws {
        let first = try await cards.orderBy { $0.sender.homeland.name }.page(limit: 1)
        let error = await storageError {
            _ = try await cards.orderBy { $0.receiver.homeland.name }.page(after: first.next, limit: 1)
        }
        #expect(error.map { "\($0)".contains("the cursor belongs to another table or order") } == true)
    }

    @Test func aPathMayBeCalledLikeItsTableButForCapitals() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(HomelandRecord.self, TravellerRecord.self, SentLetterRecord.self)
        }
        try await store.storage.save(Homeland(id: 1, name: "Chile"))
        try await store.storage.save(Traveller(id: 1, homelandId: 1))
        try await store.storage.save(SentLetter(id: 2, senderId: 1))
        #expect(try await store.storage.query(SentLetter.self).where { $0.sender.homelandId == 1 }.count() == 1)
    }

    @Test func pathsOfJoinedRowsAreTwo() async throws {
        let both = cards.join(Postcard.self) { $0.id == $1.id }
        let mixed = both.group { first, _ in first.sender.homeland.name }
            .select { first, second in (second.sender.homeland.name, first.count()) }
        let error = await storageError { _ = try await mixed.fetch() }
        #expect(
            error.map { "\($0)".contains("'name' is neither a key of the groups") } == true,
            "\(String(describing: error))")
    }
}
