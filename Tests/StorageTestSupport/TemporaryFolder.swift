package import StorageKit

/// A folder that is removed when the last reference to it goes.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("StorageKit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package func file(_ name: String = "store.sqlite") -> URL {
        url.appendingPathComponent(name)
    }
}
