import StorageKit
import StorageTestSupport
import Testing

/// Random work on a store against what a search finds if one looks at the entities themselves.
@Suite struct SearchProgramTests {
    @Test func everyWordFindsTheEntitiesThatHaveItWhateverWasDone() async throws {
        var random = SeededGenerator()
        for _ in 0..<programCount(short: 8, quick: 25, full: 5_000) {
            let seed = random.next()
            var program = try Program(seed: seed)
            if let problem = try await program.problem() {
                Issue.record("STORAGEKIT_SEED=\(random.seed) (program \(seed)): \(problem)")
                return
            }
        }
    }
}

private let words = ["ant", "bee", "cat", "dog", "elk"]

/// A store, and the articles and notes that must be in it.
private struct Program {
    private var random: SeededGenerator
    private var store: TemporaryStore
    private var articles: [String: Article] = [:]
    private var notes: [Int: Note] = [:]
    private var done: [String] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        store = try Program.start(in: nil)
    }

    private static func start(in folder: TemporaryFolder?) throws -> TemporaryStore {
        let options: (inout StorageKit.StartOptions) -> Void = { options in
            options.pool.configure = { configuration in
                configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
            }
        }
        return try TemporaryStore(folder: folder, options: options) { schema in
            schema.autoSchema(Archive.ArticleRecord.self, Archive.NoteRecord.self)
            schema.addFullTextSearch(table: "articles", columns: ["title", "body"])
            schema.addFullTextSearch(table: "notes", columns: ["title", "body"], tokenizer: "trigram")
        }
    }

    /// What is wrong after some steps, or nil.
    mutating func problem() async throws -> String? {
        for _ in 0..<Int.random(in: 1...15, using: &random) { try await step() }
        guard let problem = try await wrongHits() else { return nil }
        return "\(problem)\n\(done.joined(separator: "\n"))"
    }

    private mutating func step() async throws {
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1, 2: try await save(article())
        case 3, 4: try await save(note())
        case 5, 6: try await saveBatch()
        case 7, 8: try await delete()
        case 9: try await update()
        case 10: try await deleteHits()
        case 11: try await writeSQL()
        case 12: try await rollBack()
        case 13:
            done.append("vacuum")
            try await store.context.vacuum()
        case 14: try await restore()
        default: if Int.random(in: 0..<4, using: &random) == 0 { try await deleteEverything() }
        }
    }

    // MARK: - Steps

    private mutating func text() -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
            .joined(separator: " ")
    }

    private mutating func article() -> Article {
        Article(
            id: "k\(Int.random(in: 1...6, using: &random))", title: text(),
            body: Bool.random(using: &random) ? text() : nil,
            year: Int.random(in: 1...3, using: &random))
    }

    private mutating func note() -> Note {
        Note(
            id: Int.random(in: -3...3, using: &random), title: text(), body: Bool.random(using: &random) ? text() : nil)
    }

    private mutating func save(_ article: Article) async throws {
        done.append("save \(article)")
        try await store.storage.save(article)
        articles[article.id] = article
    }

    private mutating func save(_ note: Note) async throws {
        done.append("save \(note)")
        try await store.storage.save(note)
        notes[note.id] = note
    }

    private mutating func saveBatch() async throws {
        let batch = (0..<Int.random(in: 0...5, using: &random)).map { _ in article() }
        done.append("save \(batch)")
        try await store.storage.save(batch)
        for article in batch { articles[article.id] = article }
    }

    private mutating func delete() async throws {
        let (article, note) = (article(), note())
        done.append("delete \(article.id), \(note.id)")
        try await store.storage.delete(Article.self, id: article.id)
        try await store.storage.delete(note)
        articles[article.id] = nil
        notes[note.id] = nil
    }

    private mutating func update() async throws {
        let (text, year) = (text(), Int.random(in: 1...3, using: &random))
        done.append("set body '\(text)' where year is \(year)")
        try await store.storage.query(Article.self).where { $0.year == year }.updateAll { [$0.body.set(to: text)] }
        for (id, article) in articles where article.year == year { articles[id]?.body = text }
    }

    private mutating func deleteHits() async throws {
        guard let word = words.randomElement(using: &random) else { return }
        let year = Int.random(in: 1...3, using: &random)
        done.append("delete hits of '\(word)' with year \(year)")
        let query = store.storage.query(Article.self).matching(word).where { $0.year == year }
        try await query.deleteAll()
        articles = articles.filter { !($0.value.has(word) && $0.value.year == year) }
    }

    private mutating func writeSQL() async throws {
        let article = article()
        done.append("SQL \(article)")
        try await store.db.write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO articles (id, title, body, author, year, code, updatedAt)
                    VALUES (?, ?, ?, ?, ?, NULL, '2020-01-01 00:00:00.000')
                    """,
                arguments: [article.id, article.title, article.body, article.author, article.year])
        }
        articles[article.id] = article
    }

    private mutating func rollBack() async throws {
        done.append("roll back")
        struct Undone: Error {}
        do {
            try await store.db.write { db in
                try db.execute(sql: "UPDATE articles SET title = 'ant'; DELETE FROM notes")
                throw Undone()
            }
        } catch is Undone {}
    }

    private mutating func deleteEverything() async throws {
        done.append("delete everything")
        try await store.storage.deleteAll(Article.self)
        try await store.db.write { try $0.execute(sql: "DELETE FROM notes") }
        articles = [:]
        notes = [:]
    }

    /// Goes on with a copy of the file.
    private mutating func restore() async throws {
        done.append("restore")
        let folder = try TemporaryFolder()
        try await store.context.backup(to: folder.file())
        store = try Program.start(in: folder)
    }

    // MARK: - The promise

    private func wrongHits() async throws -> String? {
        for word in words {
            let found = try await store.storage.search(Article.self, query: word).map(\.entity)
            let expected = articles.values.filter { $0.has(word) }
            if Set(found) != Set(expected) || found.count != expected.count { return "'\(word)' finds \(found)" }
            let inBody = try await store.storage.query(Article.self).matching("body:\(word)").orderBy(\.id).fetch()
            let bodies = articles.values.filter { $0.body.has(word) }.sorted { $0.id < $1.id }
            if inBody != bodies { return "'\(word)' finds \(inBody) by body" }
            let titled = try await store.storage.query(Note.self).matchingText(word).orderBy(\.id).fetch()
            let expectedNotes = notes.values.filter { $0.title.has(word) || $0.body.has(word) }.sorted { $0.id < $1.id }
            if titled != expectedNotes { return "'\(word)' finds \(titled)" }
        }
        let report = try await store.context.checkIntegrity()
        return report.isIntact ? nil : "\(report)"
    }
}

extension Article {
    fileprivate func has(_ word: String) -> Bool { title.has(word) || body.has(word) }
}

extension String {
    fileprivate func has(_ word: String) -> Bool { split(separator: " ").contains(Substring(word)) }
}

extension String? {
    fileprivate func has(_ word: String) -> Bool { self?.has(word) == true }
}
