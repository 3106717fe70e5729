import ArgumentParser
import Foundation
import GRDB
import StorageKit

/// How many entities a store has that is started.
enum StartedModel: String, ExpressibleByArgument, CaseIterable {
    case few, many

    var entityCount: Int { self == .few ? 3 : 50 }

    /// A file with the schema and one row.
    func makeFile(in workspace: Workspace) async throws -> URL {
        let file = workspace.newFile()
        let thing = Thing00(
            id: "1", title: "A thing", count: 7, score: 0.5, isDone: false, dueAt: nil, note: nil, image: nil)
        try await context(file).facade.save(thing)
        // The second start finds nothing to do.
        _ = try await start(file)
        _ = try await startPlain(file, isMigrated: true)
        return file
    }

    /// Starts a store and reads its first row.
    func start(_ file: URL) async throws -> Int {
        try await context(file).facade.get(Thing00.self, id: "1")?.count ?? 0
    }

    /// Opens GRDB's pool and reads its first row.
    ///
    /// - Parameter isMigrated: Whether GRDB's migrator looks whether anything is due.
    func startPlain(_ file: URL, isMigrated: Bool) async throws -> Int {
        var configuration = GRDB.Configuration()
        // The store before may still be closing.
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        if isMigrated {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("first") { _ in }
            try migrator.migrate(pool)
        }
        return try await pool.read { try PlainThing.fetchOne($0, key: "1")?.count ?? 0 }
    }

    private func context(_ file: URL) throws -> StorageKit.Context {
        try StorageKit.start(at: file) { schema in
            switch self {
            case .few: schema.describeFew()
            case .many: schema.describeMany()
            }
        }
    }
}

/// The first of the entities, as GRDB's side reads it.
private struct PlainThing: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "thing00s"

    var id: String
    var title: String
    var count: Int
    var score: Double
    var isDone: Bool
    var dueAt: Date?
    var note: String?
    var image: Data?
}
