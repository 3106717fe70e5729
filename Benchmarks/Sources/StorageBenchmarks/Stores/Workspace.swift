import Foundation
import StorageKit
import Synchronization

/// The folder with the files of a run, which is removed when the run ends.
final class Workspace: Sendable {
    private let folder: URL
    private let number = Atomic(0)
    private let copies = Mutex<[String: URL]>([:])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A new file with the table that StorageKit makes for the users, and those users in it. All sides store in files
    /// like this, so that they have the same schema.
    func store(_ users: [User] = [], indexed column: String? = nil) throws -> URL {
        let url = newFile()
        try makeTable(url)
        let store = try RawStore(url)
        if let column { try store.run("CREATE INDEX users_\(column) ON users(\(column))") }
        let save = try store.prepare(RawUsers.upsertSQL)
        try store.run("BEGIN")
        for user in users { try RawUsers.save(user, save) }
        try store.run("COMMIT")
        try store.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return url
    }

    /// A copy of a file that is open nowhere. The copy made before for the same purpose is removed.
    func copy(_ url: URL, for purpose: String) throws -> URL {
        let copy = newFile()
        try FileManager.default.copyItem(at: url, to: copy)
        if let old = copies.withLock({ $0.updateValue(copy, forKey: purpose) }) { remove(old) }
        return copy
    }

    /// Removes a file, and those that SQLite keeps beside it.
    private func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }

    func newFile() -> URL {
        folder.appendingPathComponent("\(number.add(1, ordering: .relaxed).newValue).sqlite")
    }

    // The store is closed again when its context goes.
    private func makeTable(_ url: URL) throws {
        _ = try KitStore(url)
    }
}
