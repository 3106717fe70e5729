import StorageKit
import StorageTestSupport
import Testing

@Suite struct DebianCatalogueTests {
    private static let searches = [
        "library", "python AND web", "\"command line\"", "program OR programs", "game NOT data", "comp*",
        "summary:editor", "id : lib* AND details : games", "NEAR(fast small, 5)", "nothingofthiskind", "^the", "c",
    ]

    private func store() async throws -> TemporaryStore {
        let store = try TemporaryStore { schema in
            schema.autoSchema(DebianCatalogue.PackageRecord.self)
            schema.addFullTextSearch(
                table: "packages", columns: ["id", "summary", "details"], tokenizer: "porter unicode61")
        }
        try await store.storage.save(DebianCatalogue.packages(programCount(quick: 5_000, full: .max)))
        return store
    }

    @Test(.enabled(if: DebianCatalogue.isThere, "there are no lists of Debian packages here: run apt-get update"))
    func theCatalogueIsSearchedAsAnotherProgramDoes() async throws {
        let store = try await store()
        let query = store.storage.query(DebianCatalogue.Package.self)
        #expect(try await query.count() >= 1_000)
        var counts: [Int] = []
        for search in Self.searches {
            let hits = try await query.matching(search).hits(.highlight(column: 1))
            #expect(hits.map(\.rank) == hits.map(\.rank).sorted())
            #expect(Set(hits.map(\.entity.id)).count == hits.count)
            #expect(try await query.matching(search).count() == hits.count)
            counts.append(hits.count)
        }
        #expect(counts.filter { $0 > 0 }.count > 6)
        #expect(try await store.context.checkIntegrity().isIntact)
        guard ShellSQLite.isThere else { return }
        #expect(try ShellSQLite.counts(Self.searches, in: store.url) == counts)
    }

    @Test(.enabled(if: DebianCatalogue.isThere, "there are no lists of Debian packages here: run apt-get update"))
    func aPackageIsFoundWhileItsNameIsTyped() async throws {
        let store = try await store()
        let package = try #require(
            try await store.storage.query(DebianCatalogue.Package.self).where { $0.id.hasPrefix("a") }.fetchOne())
        let query = store.storage.query(DebianCatalogue.Package.self).where { $0.id == package.id }
        for length in 1...package.id.count {
            #expect(try await query.matchingText(String(package.id.prefix(length)), weights: [10, 2, 1]).exists())
        }
    }
}

/// The command-line tool of SQLite.
private enum ShellSQLite {
    /// Whether it is there, and knows FTS5.
    static var isThere: Bool {
        let trial = try? ShellCommand.run(["sqlite3", ":memory:", "CREATE VIRTUAL TABLE t USING fts5(x)"])
        return trial?.succeeded == true
    }

    /// How many rows each search finds in an index that the tool makes of the table itself.
    static func counts(_ searches: [String], in file: URL) throws -> [Int] {
        let sql = """
            CREATE VIRTUAL TABLE temp.t USING fts5(id, summary, details, tokenize='porter unicode61');
            INSERT INTO t SELECT id, summary, details FROM packages;
            """
        let counts = searches.map { "SELECT COUNT(*) FROM t WHERE t MATCH '\($0)';" }
        let (_, output) = try ShellCommand.run(["sqlite3", "-readonly", file.path, sql + counts.joined()])
        let own = searches.map { "SELECT COUNT(*) FROM packages_fts WHERE packages_fts MATCH '\($0)';" }
        let (_, ownOutput) = try ShellCommand.run(["sqlite3", "-readonly", file.path, own.joined()])
        #expect(output == ownOutput)
        return output.split(separator: "\n").compactMap { Int($0) }
    }
}
