import StorageKit
import Testing

/// The code of the article on starts that can be trusted, compiled and run.
@Suite struct SafeStartArticleTests {
    @StorageEntity(table: "notes")
    struct Note {
        var id: String
        var title: String
    }

    private func withNotes(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("app.sqlite")
        let context = try StorageKit.start(at: url) { $0.autoSchema(NoteRecord.self) }
        try await context.facade.save(Note(id: "1", title: " Milk "))
        try await body(url)
    }

    @Test func aMigrationIsUndoneByPuttingTheCopyBack() async throws {
        try await withNotes { url in
            let options = StartOptions(safety: .backup(keeping: 2))
            let context = try StorageKit.start(at: url, options: options) { schema in
                schema.autoSchema(NoteRecord.self)
                schema.migration("2026-11-24_trim_titles") { db in
                    try db.execute(sql: "UPDATE notes SET title = trim(title)")
                }
            }
            #expect(try await context.facade.get(Note.self, id: "1")?.title == "Milk")

            for backup in try StorageKit.backups(of: url) {
                print(backup.date, backup.bytes, backup.from, backup.to ?? "kept by a restore")
            }
            let backups = try StorageKit.backups(of: url)
            if let newest = backups.first {
                try await StorageKit.restore(newest)
            }
            #expect(try await context.facade.get(Note.self, id: "1")?.title == " Milk ")

            do {
                _ = try StorageKit.start(at: url, options: options) { schema in
                    schema.autoSchema(NoteRecord.self)
                    schema.migration("2026-11-24_broken") { try $0.execute(sql: "UPDATE notes SET nothing = 1") }
                }
            } catch {
                print(error.localizedDescription)
                print(try StorageKit.backups(of: url).map(\.description))
            }
            #expect(try StorageKit.backups(of: url).count == 2)
        }
    }

    @Test func anOpenStoreTellsHowFarItIs() async throws {
        try await withNotes { url in
            let context = try await StorageKit.open(
                at: url, options: StartOptions(safety: .backup(keeping: 2)),
                progress: { progress in
                    print("\(progress.step): \(Int(progress.fraction * 100)) %")
                }
            ) { schema in
                schema.autoSchema(NoteRecord.self)
            }
            #expect(try await context.facade.count(Note.self) == 1)
        }
    }

    @Test func aPlanTellsRowsAndTime() async throws {
        try await withNotes { url in
            let pool = try StorageKit.start(at: url) { $0.autoSchema(NoteRecord.self) }.storage.pool
            var schema = AppMigrations()
            schema.migration("2026-11-24_trim_titles") { db in
                try db.execute(sql: "UPDATE notes SET title = trim(title)")
            }
            let plan = try schema.plan(on: pool)
            print(plan)
            #expect(plan.costs.map(\.rows) == [1])
        }
    }
}
