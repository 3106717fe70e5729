import Foundation
import StorageSQLite

@testable import StorageToolKit

/// A folder of its own for each test, gone with the last reference.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("storagekit-tool-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// The names of the files in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        try file(name, bytes: Array(text.utf8))
    }

    /// Writes a file and returns its path.
    func file(_ name: String, bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// Makes a database by plain SQL, as a program without StorageKit does, and returns its path.
    func database(_ name: String = "plain.sqlite", _ statements: String...) throws -> String {
        let connection = try Connection(path(name), .create)
        for statement in statements { try connection.run(statement) }
        return path(name)
    }

    /// Makes a database with a table `people` that has a column of a name in Latin-1, and returns its path.
    func latin1Database() throws -> String {
        try database(
            "latin1.sqlite", "CREATE TABLE people (id INTEGER PRIMARY KEY, g__Y TEXT)",
            "INSERT INTO people VALUES (1, 'Ada')", "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, '__', CAST(x'E9E8' AS TEXT))")
    }

    /// Fills the table `t` of a database, begins to change it, and copies the file and its journal as a crash would leave them. The
    /// database itself gets the change undone.
    func copyWrite(to path: String, as name: String) throws {
        let writer = try Connection(path, .write)
        // So small a cache that changes reach the file before the commit, and the journal has to undo them.
        for sql in [
            "INSERT INTO t SELECT randomblob(1000) FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9))",
            "PRAGMA cache_size = 1", "BEGIN", "UPDATE t SET a = zeroblob(900)", "UPDATE t SET a = zeroblob(800)",
        ] {
            try writer.run(sql)
        }
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: self.path(name) + suffix)
        }
    }

    /// Has a file be changed last long ago. The system's clock may stand still between two changes that follow each other at once.
    func makeOld(_ name: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path(name))
    }

    /// The bytes of a file.
    func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: url.appendingPathComponent(name))
    }
}
