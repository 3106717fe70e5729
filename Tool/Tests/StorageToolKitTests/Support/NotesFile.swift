import StorageKit

/// A file that StorageKit made: a table with rows, a disk cache, a full-text index and a migration of the app's own.
enum NotesFile {
    /// Makes the file, with three notes, and returns its path.
    static func make(in folder: TemporaryFolder, _ name: String = "notes.sqlite") async throws -> String {
        let path = folder.path(name)
        let context = try StorageKit.start(at: URL(fileURLWithPath: path)) { schema in
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
            schema.addFullTextSearch(table: "notes", columns: ["title"])
            schema.migration("notes by date") { db in
                try db.execute(sql: #"CREATE INDEX "notes_written" ON "notes" ("written")"#)
            }
        }
        for (index, title) in ["Water the plants", "Feed the cat", "Call Zoë 🌱"].enumerated() {
            let note = Note(
                id: "n\(index + 1)", title: title, isDone: index == 1, price: Decimal(string: "12.50") ?? 0,
                written: Date(timeIntervalSince1970: 1_700_000_000.5), picture: index == 0 ? Data([0, 255]) : nil)
            try await context.facade.save(note)
        }
        try context.storage.pool.close()
        return path
    }
}

@StorageEntity
struct Note {
    var id: String
    var title: String
    var isDone: Bool
    var price: Decimal
    var written: Date
    var picture: Data?
}

extension NotesFile {
    /// Opens the file as its app would.
    static func reopened(_ path: String) async throws -> StorageKit.Context {
        try StorageKit.start(at: URL(fileURLWithPath: path)) { schema in
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
            schema.addFullTextSearch(table: "notes", columns: ["title"])
        }
    }
}
