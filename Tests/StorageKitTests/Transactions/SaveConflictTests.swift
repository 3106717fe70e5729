import StorageKit
import StorageTestSupport
import Testing

/// Saves by another unique key than the id.
@Suite struct SaveConflictTests {
    @StorageEntity
    struct Shelf {
        var id: String
    }

    @StorageEntity(unique: [["shelfId", "place"]])
    struct Volume: Equatable {
        var id: String
        @StorageReference(Shelf.self) var shelfId: String?
        var place: Int
        @StorageUnique(ignoringCase: true) var slug: String
        var weight = 1.0
        @StorageReference(Volume.self) var nextId: String?
    }

    @StorageEntity
    struct Mark: Equatable {
        var id: String
        @StorageIgnored var updatedAt: Date = .distantPast
    }

    @StorageEntity
    struct Ticket {
        var id: String
        @StorageUnique var name: String
        @StorageVersion var version = 0
    }

    private let store: TemporaryStore
    private let storage: Storage

    init() throws {
        store = try TemporaryStore { schema in
            schema.autoSchema(ShelfRecord.self, VolumeRecord.self, MarkRecord.self, TicketRecord.self)
            schema.index(VolumeRecord.self, on: \.weight, unique: true) { $0.place > 5 }
        }
        storage = store.storage
    }

    @Test func aRowThatIsSavedByItsKeyCountsItsVersionOn() async throws {
        for version in 1...3 {
            let ticket = Ticket(id: "\(version)", name: "a")
            #expect(try await storage.save(ticket, onConflict: .update(\.name)).version == version)
        }
    }

    @Test func theKeyIsStoredAsItIsSpelledNow() async throws {
        try await storage.save(Volume(id: "a", place: 1, slug: "swift"))
        let stored = try await storage.save(Volume(id: "b", place: 2, slug: "Swift"), onConflict: .update(\.slug))
        #expect(stored == Volume(id: "a", place: 2, slug: "Swift"))
        #expect(try await storage.all(Volume.self) == [stored])
    }

    @Test func aRepositoryDoesItInATransactionToo() async throws {
        try await storage.save(Volume(id: "a", place: 1, slug: "swift"))
        let stored = try await storage.transaction { [storage] tx in
            try storage.repository(Volume.self)
                .save(Volume(id: "b", place: 2, slug: "swift"), onConflict: .update(\.slug), in: tx)
        }
        #expect(stored == Volume(id: "a", place: 2, slug: "swift"))
        #expect(try await storage.all(Volume.self) == [stored])
    }

    @Test func aRowThatCannotBeReadBackIsLeftAsItWas() async throws {
        let store = try TemporaryStore { $0.autoSchema(TokenRecord.self) }
        try await store.db.write {
            try $0.execute(sql: "INSERT INTO tokens VALUES ('x', 'a', 1, '2026-01-01 00:00:00.000')")
        }
        let token = Token(id: UUID(), name: "a", uses: 2)
        let repository = store.storage.repository(Token.self)
        try await store.storage.transaction { tx in
            #expect(throws: StorageError.self) { try tx.save(token, onConflict: .update(\.name)) }
            #expect(throws: StorageError.self) { try repository.save(token, onConflict: .update(\.name), in: tx) }
        }
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "SELECT uses FROM tokens") } == 1)
    }

    @StorageEntity
    struct Token {
        var id: UUID
        @StorageUnique var name: String
        var uses: Int
    }

    @Test func manyAreSavedInTheirOrder() async throws {
        try await storage.save(Volume(id: "a", place: 1, slug: "swift"))
        let volumes = [
            Volume(id: "b", place: 2, slug: "swift"), Volume(id: "c", place: 3, slug: "c"),
            Volume(id: "d", place: 4, slug: "C"),
        ]
        let stored = try await storage.save(volumes, onConflict: .update(\.slug))
        #expect(
            stored == [
                Volume(id: "a", place: 2, slug: "swift"), Volume(id: "c", place: 3, slug: "c"),
                Volume(id: "c", place: 4, slug: "C"),
            ])
        #expect(try await storage.query(Volume.self).orderBy(\.id).fetch() == [stored[0], stored[2]])
        #expect(try await storage.save([Volume](), onConflict: .update(\.slug)).isEmpty)
    }

    @Test func manyAreSavedAllOrNoneAndATransactionGoesOn() async throws {
        try await storage.save(Volume(id: "a", place: 1, slug: "swift"))
        let volumes = [
            Volume(id: "b", place: 2, slug: "swift"), Volume(id: "c", shelfId: "nowhere", place: 3, slug: "c"),
        ]
        let error = await storageError { try await storage.save(volumes, onConflict: .update(\.slug)) }
        guard case .constraintViolated(let violation)? = error else { throw error ?? Missing() }
        #expect(violation.kind == .foreignKey)
        try await storage.transaction { [storage] tx in
            #expect(throws: StorageError.self) { try tx.save(volumes, onConflict: .update(\.slug)) }
            #expect(throws: StorageError.self) {
                try storage.repository(Volume.self).save(volumes, onConflict: .update(\.slug), in: tx)
            }
            try tx.save(Array(volumes.prefix(1)), onConflict: .update(\.slug))
        }
        #expect(try await storage.all(Volume.self) == [Volume(id: "a", place: 2, slug: "swift")])
    }

    @Test func aReferenceThatItBreaksIsNamed() async throws {
        let volume = Volume(id: "a", shelfId: "nowhere", place: 1, slug: "a")
        let error = await storageError { try await storage.save(volume, onConflict: .update(\.slug)) }
        guard case .constraintViolated(let violation)? = error else { throw error ?? Missing() }
        #expect(violation.kind == .foreignKey)
        #expect(violation.table == "volumes" && violation.columns == ["shelfId"])
    }

    @Test func whatCannotBeStoredIsAnErrorThatNamesTheColumn() async throws {
        let volume = Volume(id: "a", place: 1, slug: "a", weight: .nan)
        let error = await storageError { try await storage.save(volume, onConflict: .update(\.slug)) }
        guard case .entityEncodingFailed(type: "Volume", let cause)? = error else { throw error ?? Missing() }
        #expect((cause as? ColumnEncodingError)?.column == "weight")
    }

    @Test func soItIsOfAnInsertAndAnUpdate() async throws {
        let volume = Volume(id: "a", place: 1, slug: "a", weight: .nan)
        for error in [
            await storageError { try await storage.insert(volume) },
            await storageError { try await storage.update(volume) },
        ] {
            guard case .entityEncodingFailed(type: "Volume", let cause)? = error else { throw error ?? Missing() }
            #expect((cause as? ColumnEncodingError)?.column == "weight")
        }
    }

    @Test func aColumnOfAnotherTableIsNoKey() async throws {
        try await storage.save(Volume(id: "a", place: 1, slug: "a"))
        let volume = Volume(id: "b", place: 2, slug: "a")
        let error = await storageError { try await storage.save(volume, onConflict: .update(\.next.slug)) }
        guard case .queryFailed? = error else { throw error ?? Missing() }
        #expect(try await storage.all(Volume.self).map(\.id) == ["a"])
    }

    @Test func aKeyOfSomeRowsIsNone() async throws {
        let volume = Volume(id: "a", place: 9, slug: "a")
        let error = await storageError { try await storage.save(volume, onConflict: .update(\.weight)) }
        guard case .invalidConfiguration(let message)? = error else { throw error ?? Missing() }
        #expect(message.contains("all rows"), "\(message)")
    }

    @Test func aKeyOfNoColumnsIsNone() async throws {
        let error = await storageError { try await storage.save(Mark(id: "a"), onConflict: .update()) }
        guard case .queryFailed(_, let cause)? = error else { throw error ?? Missing() }
        #expect("\(cause)".contains("names no columns"), "\(cause)")
    }

    @Test func anEntityOfAnIdAloneIsReturned() async throws {
        try await storage.save(Mark(id: "a"))
        #expect(try await storage.save(Mark(id: "a"), onConflict: .update(\.id)) == Mark(id: "a"))
        #expect(try await storage.save(Mark(id: "b"), onConflict: .update(\.id)) == Mark(id: "b"))
    }
}
