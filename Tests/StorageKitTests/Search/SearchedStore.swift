import StorageKit
import StorageTestSupport

/// What the search tests look for things in.
enum Archive {
    @StorageEntity
    struct Article: Hashable {
        var id: String
        var title: String
        var body: String?
        var author: String = "ada"
        var year: Int = 2000
        var code: Int? = nil
    }

    /// The same, known by a number.
    @StorageEntity
    struct Note: Hashable {
        var id: Int
        var title: String
        var body: String?
    }

    /// Has no index.
    @StorageEntity
    struct Author: Hashable {
        var id: String
        var rank: Int
    }
}

typealias Article = Archive.Article
typealias Note = Archive.Note

extension TemporaryStore {
    /// A store with articles and notes, both indexed by title and body.
    static func searched(
        folder: TemporaryFolder? = nil, columns: [String] = ["title", "body"], tokenizer: String = "porter"
    ) throws -> TemporaryStore {
        try TemporaryStore(folder: folder) { schema in
            schema.addKVCache()
            schema.autoSchema(Archive.ArticleRecord.self, Archive.NoteRecord.self, Archive.AuthorRecord.self)
            schema.addFullTextSearch(table: "articles", columns: columns, tokenizer: tokenizer)
            schema.addFullTextSearch(table: "notes", columns: columns, tokenizer: tokenizer)
        }
    }

    /// A store with articles of these titles, of ids `1`, `2` and so on.
    static func holding(_ titles: String..., tokenizer: String = "porter") async throws -> TemporaryStore {
        let store = try searched(tokenizer: tokenizer)
        try await store.storage.save(titles.enumerated().map { Article(id: "\($0.offset + 1)", title: $0.element) })
        return store
    }
}

extension Storage {
    /// The ids of the articles that a search finds, sorted.
    func found(_ query: String) async throws -> [String] {
        try await search(Article.self, query: query, limit: 1_000).map(\.entity.id).sorted()
    }

    /// The ids of the articles that have the words of a text, sorted.
    func foundText(_ text: String) async throws -> [String] {
        try await searchText(Article.self, text, limit: 1_000).map(\.entity.id).sorted()
    }
}
