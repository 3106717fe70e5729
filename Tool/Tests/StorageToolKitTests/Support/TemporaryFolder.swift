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

    /// The bytes of a file.
    func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: url.appendingPathComponent(name))
    }
}
