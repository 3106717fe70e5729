import Foundation
import StorageKit

/// The documents as StorageKit keeps and finds them.
extension KitStore {
    /// Opens a file with documents, and indexes them where they are not.
    ///
    /// - Parameter hasTiers: Whether both tiers are on, as in a store that is opened as the documents show it.
    static func documents(_ url: URL, indexed: Bool, hasTiers: Bool = false) throws -> KitStore {
        let bare = StorageKit.StartOptions(memoryCapacity: 0, usesDiskCache: false)
        let options = hasTiers ? StorageKit.StartOptions() : bare
        let context = try StorageKit.start(at: url, options: options) { schema in
            if hasTiers { schema.addKVCache() }
            schema.autoSchema(DocumentRecord.self)
            if indexed {
                schema.addFullTextSearch(
                    table: "documents", columns: Document.searchedColumns, tokenizer: Document.tokenizer)
            }
        }
        return KitStore(context)
    }

    /// Finds the best documents for each search, with their ranks.
    func search(_ searches: [String], limit: Int) async throws -> Int {
        var sum = 0
        for search in searches {
            for hit in try await storage.search(Document.self, query: search, limit: limit) {
                sum &+= Document.checksum(hit.entity, hit.rank, "")
            }
        }
        return sum
    }

    /// The same with a passage of each text.
    func searchWithSnippets(_ searches: [String], limit: Int) async throws -> Int {
        var sum = 0
        for search in searches {
            let hits = try await storage.searchWithSnippets(
                Document.self, query: search, snippetColumn: 1, limit: limit)
            for hit in hits { sum &+= Document.checksum(hit.entity, hit.rank, hit.snippet ?? "") }
        }
        return sum
    }
}
