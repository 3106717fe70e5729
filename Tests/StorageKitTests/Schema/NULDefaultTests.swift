import GRDB
import StorageKit
import StorageTestSupport
import Testing

private struct Mark: Codable, Sendable, Equatable {
    var sign: String
    var note: String?
    static let unknown = Mark(sign: "\0", note: "a\0")
}

private enum NULBefore {
    @StorageEntity(table: "nul_notes")
    struct Note {
        var id: Int
    }
}

@StorageEntity(table: "nul_notes")
private struct NULNote: Equatable {
    var id: Int
    var separator: String = "it's\0b"
    var other: String? = "a\0b"
    @StorageEmbedded(prefix: "mark_") var mark: Mark = .unknown
}

@StorageEntity(table: "nul_owners")
private struct NULOwner {
    var id: String
}

private enum NULPetBefore {
    @StorageEntity(table: "nul_pets")
    struct Pet {
        var id: Int
    }
}

@StorageEntity(table: "nul_pets")
private struct NULPet: Equatable {
    var id: Int
    @StorageReference(NULOwner.self, onDelete: .setDefault) var ownerId: String = "x\0y"
}

/// Default values with a NUL in them, at which SQLite would end a statement.
@Suite struct NULDefaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ schema: (inout AppMigrations) -> Void) throws -> TemporaryStore {
        try TemporaryStore(folder: folder, schema: schema)
    }

    @Test func existingRowsGetTheWholeDefault() async throws {
        do {
            let old = try store { $0.autoSchema(NULBefore.NoteRecord.self) }
            try await old.storage.save(NULBefore.Note(id: 1))
            try await old.context.close()
        }
        let store = try store { $0.autoSchema(NULNoteRecord.self) }
        #expect(try await store.storage.query(NULNote.self).fetch() == [NULNote(id: 1)])
    }

    @Test func rowsWithNullGetTheWholeDefaultOnceAColumnRefusesIt() async throws {
        let queue = try GRDB.DatabaseQueue(path: folder.file().path)
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE nul_notes (id INTEGER PRIMARY KEY, separator TEXT, other TEXT, mark_sign TEXT, mark_note TEXT,
                        "updatedAt" DATETIME NOT NULL);
                    INSERT INTO nul_notes VALUES (1, NULL, NULL, NULL, NULL, '2026-01-01 00:00:00.000')
                    """)
        }
        try queue.close()
        let store = try store { $0.autoSchema(NULNoteRecord.self) }
        #expect(try await store.storage.query(NULNote.self).fetch() == [NULNote(id: 1, other: nil)])
    }

    private func deleteTheOwnerOfAPet(_ store: TemporaryStore) async throws {
        try await store.storage.save([NULOwner(id: "a"), NULOwner(id: "x\0y")])
        try await store.storage.save(NULPet(id: 1, ownerId: "a"))
        #expect(try await store.storage.query(NULOwner.self).where { $0.id == "a" }.deleteAll() == 1)
    }

    @Test func aReferenceSetsTheWholeDefault() async throws {
        let store = try store { $0.autoSchema(NULOwnerRecord.self, NULPetRecord.self) }
        try await deleteTheOwnerOfAPet(store)
        #expect(try await store.storage.query(NULPet.self).fetch() == [NULPet(id: 1)])
    }

    @Test func soDoesOneThatIsAddedToRows() async throws {
        do {
            let old = try store { $0.autoSchema(NULOwnerRecord.self, NULPetBefore.PetRecord.self) }
            try await old.storage.save(NULOwner(id: "x\0y"))
            try await old.storage.save(NULPetBefore.Pet(id: 2))
            try await old.context.close()
        }
        let store = try store { $0.autoSchema(NULOwnerRecord.self, NULPetRecord.self) }
        try await deleteTheOwnerOfAPet(store)
        #expect(try await store.storage.query(NULPet.self).orderBy(\.id).fetch() == [NULPet(id: 1), NULPet(id: 2)])
    }

    @Test func anIndexOfRowsWithANULIsMadeOnce() async throws {
        func describe(_ schema: inout AppMigrations) {
            schema.autoSchema(NULNoteRecord.self)
            schema.index(NULNoteRecord.self, on: \.separator, unique: true) { $0.other == "a\0b" }
        }
        do {
            let store = try store(describe)
            try await store.storage.save(NULNote(id: 1))
            await #expect(throws: StorageError.self) { try await store.storage.save(NULNote(id: 2)) }
            try await store.storage.save(NULNote(id: 2, other: "a"))
            try await store.context.close()
        }
        var schema = AppMigrations()
        describe(&schema)
        let plan = try schema.plan(on: GRDB.DatabaseQueue(path: folder.file().path))
        #expect(plan.isEmpty, "\(plan)")
    }

    @Test func aSecondStartFindsTheDefaultAsItIs() async throws {
        try await store { $0.autoSchema(NULOwnerRecord.self, NULPetRecord.self) }.context.close()
        var schema = AppMigrations()
        schema.autoSchema(NULOwnerRecord.self, NULPetRecord.self)
        let plan = try schema.plan(on: GRDB.DatabaseQueue(path: folder.file().path))
        #expect(plan.isEmpty, "\(plan)")
    }
}
