import StorageKit
import Testing

/// The code of the article on performance, compiled and run.
enum Archive {
    @StorageEntity
    struct Folder {
        var id: String
        var name: String
    }

    @StorageEntity(indexes: [["folderId", "due"]])
    struct Note {
        var id: String
        var folderId: String
        var due: Date?
    }
}

@Suite struct PerformanceArticleTests {
    typealias FolderRecord = Archive.FolderRecord
    typealias NoteRecord = Archive.NoteRecord

    @Test func theArticleDoesWhatItShows() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        let options = StartOptions(pool: PoolOptions(configure: { $0.maximumReaderCount = 10 }))
        let context = try StorageKit.start(at: place.appendingPathComponent("a.sqlite"), options: options) { schema in
            schema.autoSchema(FolderRecord.self, NoteRecord.self)
        }
        let storage = context.facade
        let folder = Archive.Folder(id: "1", name: "Inbox")
        let notes = (1...3).map { Archive.Note(id: "\($0)", folderId: "1") }

        try await storage.save(notes)
        for note in notes {
            try await storage.save(note)
        }
        try await storage.deleteAll(Archive.Note.self)

        try await storage.transaction { tx in
            try tx.save(folder)
            try tx.save(notes)
        }
        #expect(try await storage.all(Archive.Folder.self) == [folder])
        #expect(try await storage.all(Archive.Note.self) == notes)

        let plan = try await context.storage.dbActor.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT * FROM notes WHERE folderId = '1' ORDER BY due")
                .map(\.description)
        }
        #expect(plan.contains { $0.contains("USING INDEX") || $0.contains("USING COVERING INDEX") })
    }
}
