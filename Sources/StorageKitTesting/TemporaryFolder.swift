public import StorageKit

/// A folder that is removed when the last reference to it goes.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes a folder among the system's temporary ones.
    ///
    /// - Throws: If it cannot be made.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("StorageKit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The place of a file in the folder. Nothing is made there.
    ///
    /// - Parameter name: The file's name.
    public func file(_ name: String = "store.sqlite") -> URL {
        url.appendingPathComponent(name)
    }
}
