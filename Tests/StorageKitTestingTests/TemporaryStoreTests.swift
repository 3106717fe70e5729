import StorageKit
import StorageKitTesting
import Testing

@Suite struct TemporaryStoreTests {
    @Test func theFileGoesWithTheStore() async throws {
        let file = try await {
            let store = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
            try await store.storage.save(Note.numbered(1))
            #expect(FileManager.default.fileExists(atPath: store.url.path))
            return store.url
        }()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func twoStoresInAFolderSeeTheSameRows() async throws {
        let one = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
        let other = try TemporaryStore(folder: one.folder) { $0.autoSchema(NoteRecord.self) }
        try await one.storage.save(Note.numbered(1))
        #expect(try await other.storage.all(Note.self) == [.numbered(1)])
    }

    @Test func aCopyOfAFixtureIsMigratedAndTheFixtureStays() async throws {
        let old = try TemporaryStore { schema in
            schema.migration("1") {
                try $0.execute(sql: "CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT NOT NULL)")
            }
        }
        try await old.db.write { try $0.execute(sql: "INSERT INTO notes VALUES ('1', 'old')") }
        try await old.context.close()
        let before = try Data(contentsOf: old.url)
        let store = try TemporaryStore(copyOf: old.url) { $0.autoSchema(NoteRecord.self) }
        #expect(try await store.storage.all(Note.self) == [Note(id: "1", title: "old", isDone: false)])
        #expect(try Data(contentsOf: old.url) == before)
        let link = old.folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: old.url)
        let copy = try TemporaryStore(copyOf: link) { $0.autoSchema(NoteRecord.self) }
        #expect(try await copy.storage.count(Note.self) == 1)
        #expect(try Data(contentsOf: old.url) == before)
    }

    @Test func whatOnlyTheLogOfAFixtureHasIsCopiedToo() async throws {
        let open = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
        try await open.storage.save(Note.numbered(1))
        let copy = try TemporaryStore(copyOf: open.url) { $0.autoSchema(NoteRecord.self) }
        #expect(try await copy.storage.all(Note.self) == [.numbered(1)])
    }

    @Test func whatACrashLeftHalfWrittenInAFixtureIsUndoneInTheCopy() async throws {
        let folder = try TemporaryFolder()
        let (journal, kept) = (folder.file("store.sqlite-journal"), folder.file("kept"))
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT NOT NULL)")
            // Where nothing waits for the disk, the journal is valid as soon as it is written.
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO notes VALUES ('1', 'new')")
                try FileManager.default.copyItem(at: journal, to: kept)
                return .commit
            }
        }
        try queue.close()
        // As if the process had ended before the commit did.
        try FileManager.default.moveItem(at: kept, to: journal)
        let copy = try TemporaryStore(copyOf: folder.file()) { $0.autoSchema(NoteRecord.self) }
        #expect(try await copy.storage.count(Note.self) == 0)
    }

    @Test func aFixtureThatIsNotThereIsAnError() throws {
        let nowhere = try TemporaryFolder().file("nothing.sqlite")
        #expect(throws: CocoaError.self) { try TemporaryStore(copyOf: nowhere) { _ in } }
    }

    @Test func theClockMovesByHand() async throws {
        let store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
        }
        let notes = store.context.makeRepository(Note.self, record: NoteRecord.self)
        try await notes.put(.numbered(1))
        #expect(try await notes.get(id: "1", policy: .cacheOnly) != nil)
        store.clock.advance(by: 301)
        #expect(try await notes.get(id: "1", policy: .cacheOnly) == nil)
    }
}
