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
    init(_ url: URL, tiers: Tiers = .none, hasCacheTable: Bool = false) throws {
        var options = StorageKit.StartOptions(diskQuotaBytes: 1 << 30, memoryCapacity: 0, usesDiskCache: false)
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
}
