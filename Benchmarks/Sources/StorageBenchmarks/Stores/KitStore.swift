import Foundation
import StorageKit

/// A file as StorageKit opens it.
struct KitStore: Sendable {
    /// Where entities are kept beside the table.
    enum Tiers {
        case none
        /// In memory, so many of them.
        case memory(Int)
        /// In memory, so many of them, and in the disk cache.
        case memoryAndDisk(Int)
    }

    let context: StorageKit.Context
    var storage: Storage { context.facade }

    init(_ context: StorageKit.Context) {
        self.context = context
    }

    /// - Parameters:
    ///   - url: The file.
    ///   - tiers: Where entities are kept beside the table; not at all, where the table itself is to be measured.
    ///   - hasCacheTable: Whether the schema has a disk cache for the program's own values.
    ///   - isSynchronous: Whether a commit waits for the disk.
    init(_ url: URL, tiers: Tiers = .none, hasCacheTable: Bool = false, isSynchronous: Bool = false) throws {
        var options = StorageKit.StartOptions(diskQuotaBytes: 1 << 30, memoryCapacity: 0, usesDiskCache: false)
        if isSynchronous { options.pool.preset.pragmas.append("PRAGMA synchronous = FULL") }
        var needsTable = hasCacheTable
        switch tiers {
        case .none: break
        case .memory(let capacity): options.memoryCapacity = capacity
        case .memoryAndDisk(let capacity):
            options.memoryCapacity = capacity
            options.usesDiskCache = true
            needsTable = true
        }
        context = try StorageKit.start(at: url, options: options) { schema in
            if needsTable { schema.addKVCache() }
            schema.autoSchema(UserRecord.self)
        }
    }

    /// Opens a file as the documents show it: with a disk cache in the schema and all settings as they are by default, so that
    /// both tiers are on.
    ///
    /// - Parameter isSynchronous: Whether a commit waits for the disk.
    init(documented url: URL, isSynchronous: Bool = false) throws {
        var options = StorageKit.StartOptions()
        if isSynchronous { options.pool.preset.pragmas.append("PRAGMA synchronous = FULL") }
        context = try StorageKit.start(at: url, options: options) { schema in
            schema.addKVCache()
            schema.autoSchema(UserRecord.self)
        }
    }
}
