import Foundation

extension Workload {
    static let search = Workload("W10", "search: the best 50, with ranks", per: "search", goal: 1.05, grows: []) {
        world in
        let stores = try searchedStores(world)
        return [
            .baseline(searches.count) { _ in { try stores.raw.search(searches, limit: 50) } },
            .storageKit(searches.count) { _ in { try await stores.kit.search(searches, limit: 50) } },
        ]
    }

    static let briefSearch = Workload(
        "W10t", "search: two words that few documents have", per: "search", goal: 1.4, grows: []
    ) {
        world in
        let stores = try searchedStores(world, hasTiers: true)
        let thread = DispatchQueue(label: "searches")
        return [
            .baseline(briefSearches.count) { _ in { try stores.raw.search(briefSearches, limit: 10) } },
            .peer("raw SQLite, on a thread of its own", briefSearches.count) { _ in
                { try await stores.raw.search(briefSearches, limit: 10, on: thread) }
            },
            .storageKit(briefSearches.count) { _ in { try await stores.kit.search(briefSearches, limit: 10) } },
        ]
    }

    static let searchWithSnippets = Workload(
        "W10s", "search: the best 50, with snippets", per: "search", goal: 1.05, grows: []
    ) { world in
        let stores = try searchedStores(world)
        let snippet = "snippet(raw_index, 1, '<b>', '</b>', '...', 32)"
        return [
            .baseline(searches.count) { _ in { try stores.raw.search(searches, limit: 50, passage: snippet) } },
            .storageKit(searches.count) { _ in { try await stores.kit.searchWithSnippets(searches, limit: 50) } },
        ]
    }

    /// StorageKit's side starts the store with an index that the file has not; the baseline is FTS5's own rebuild.
    static let indexing = Workload("W10b", "index the rows that are there", per: "row", goal: 1.1, grows: []) { world in
        let file = try documentFile(world)
        return [
            .baseline(world.documents) { _ in
                let store = try RawStore(try world.workspace.copy(file, for: "raw index"))
                return {
                    try store.indexDocuments(); return 0
                }
            },
            .storageKit(world.documents) { _ in
                let copy = try world.workspace.copy(file, for: "index")
                return {
                    _ = try KitStore.documents(copy, indexed: true); return 0
                }
            },
        ]
    }

    /// Searches for words that are in many documents and in few, for several at once, and for beginnings.
    private static let searches: [String] = (0..<40).map { number in
        switch number % 4 {
        case 0: "word\(number * 3)"
        case 1: "word\(number) word\(number + 1)"
        case 2: "word\(number) OR word\(2000 + number)"
        default: "word\(400 + number)*"
        }
    }

    private static let briefSearches: [String] = (0..<1000).map { "word\(4000 + $0) word\(3000 + $0)" }

    private static func searchedStores(_ world: World, hasTiers: Bool = false) throws -> (raw: RawStore, kit: KitStore)
    {
        let file = try documentFile(world)
        let raw = try RawStore(try world.workspace.copy(file, for: "raw search"))
        try raw.indexDocuments()
        let kit = try KitStore.documents(
            try world.workspace.copy(file, for: "search"), indexed: true, hasTiers: hasTiers)
        return (raw, kit)
    }

    /// A file with documents and without an index.
    private static func documentFile(_ world: World) throws -> URL {
        let file = world.workspace.newFile()
        _ = try KitStore.documents(file, indexed: false)
        try RawStore(file).fill(Document.documents(world.documents))
        return file
    }
}
