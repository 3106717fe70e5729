import Foundation
import StorageSQLite

/// A database in a folder of its own, gone with the last reference.
final class TemporaryFile: Sendable {
    let folder: URL
    var path: String { folder.appendingPathComponent("store.sqlite").path }
    var url: URL { URL(fileURLWithPath: path) }

    /// Makes it by plain SQL.
    init(_ script: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Connection(path: path, .create).runAll(script)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs SQL as another program does.
    func run(_ sql: String) throws {
        try Connection(path: path, .write).runAll(sql)
    }

    /// A value, as another program reads it.
    func value(_ sql: String) throws -> SQLiteValue {
        try Connection(path: path, .read).value(sql)
    }

    /// The names of the files in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }
}
