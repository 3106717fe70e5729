import Foundation
import StorageSQLite

extension SchemaFacts {
    /// What a database has, or one that a file of SQL makes.
    init(ofFile path: String) throws {
        guard path.lowercased().hasSuffix(".sql") else {
            self = try DatabaseFile(path).read { try SchemaFacts($0) }
            return
        }
        let sql = try SchemaFacts.text(path)
        let database = try Connection(":memory:", .create)
        // It makes what is in it in memory, and no files.
        database.authorize { if case .attachment = $0 { .refuse } else { .allow } }
        do {
            try database.runAll(sql)
            try self.init(database)
        } catch let failure as SQLiteFailure {
            throw ToolError(.badData, "\(path): \(failure.message)")
        }
    }

    private static func text(_ path: String) throws -> String {
        _ = try FileState(path)
        guard let bytes = FileManager.default.contents(atPath: path) else { throw ToolError.system(errno, path: path) }
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw ToolError(.badData, "\(path) is no UTF-8 text")
        }
        return text
    }
}
