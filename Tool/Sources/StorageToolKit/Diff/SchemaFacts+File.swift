import Foundation
import StorageSQLite

extension SchemaFacts {
    /// What a database has, or one that a file of SQL makes.
    init(ofFile path: String) throws {
        guard path.lowercased().hasSuffix(".sql") else {
            self = try DatabaseFile(path).read { try SchemaFacts($0) }
            return
        }
        _ = try FileState(path)
        let database = try Connection(path: ":memory:", .create)
        database.addStorageKitSQL()
        // It makes what is in it in memory, and no files.
        database.authorize { if case .attachment = $0 { .refuse } else { .allow } }
        do {
            try database.runAll(String(contentsOfFile: path, encoding: .utf8))
            try self.init(database)
        } catch let failure as SQLiteFailure {
            throw ToolError(.badData, "\(path): \(failure.message)")
        }
    }
}
