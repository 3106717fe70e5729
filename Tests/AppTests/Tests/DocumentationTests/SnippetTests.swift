import StorageKit
import Testing

/// The Swift blocks of README and articles stand in the tests, or in an example, where the compiler sees them.
@Suite struct SnippetTests {
    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized

    private static func files(in folder: String, endingWith suffix: String) -> [URL] {
        let found = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        let files = (found?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent.hasSuffix(suffix) }
        return files.sorted { $0.path < $1.path }
    }

    private static let articles = [root.appendingPathComponent("README.md")] + files(in: "Sources", endingWith: ".md")

    /// This file aside, whose blocks are no code.
    private static let sources =
        ["Tests/AppTests/Tests/DocumentationTests", "Tests/AppTests/Tests/PersistenceDocumentationTests", "Examples"]
        .flatMap { files(in: $0, endingWith: ".swift") }
        .filter { $0.path != #filePath }
        .compactMap { try? CodeText(String(contentsOf: $0, encoding: .utf8)) }

    @Test func thereAreArticlesAndCode() {
        #expect(Self.articles.count > 5)
        #expect(Self.sources.count > 5)
    }

    @Test(arguments: articles)
    func everySwiftBlockIsCompiled(article: URL) throws {
        let blocks = CodeText.swiftBlocks(of: try String(contentsOf: article, encoding: .utf8))
        for block in blocks where !block.code.isOfAManifest {
            let missing = Self.sources.map { $0.firstLineMissing(from: block.code) }
            let best = missing.compactMap { $0 }.max { $0.index < $1.index }
            #expect(
                missing.contains { $0 == nil },
                "\(article.lastPathComponent):\(block.line): no test has this block; not found: \(best?.line ?? "")")
        }
    }
}

/// The same for the comparison itself: it must find what has drifted.
@Suite struct CodeTextTests {
    private let code = CodeText(
        """
        func run() async throws {
            #expect(try await storage.count(Note.self) == 1)    // one
            let note = try await storage.get(Note.self, id: "1")
        }
        """)

    @Test func linesAreFoundWhateverStandsAroundThem() {
        let block = CodeText(
            """
            try await storage.count(Note.self)        // 1
            // the same again
            let note = try await storage.get(Note.self,  id: "1")
            """)
        #expect(code.firstLineMissing(from: block) == nil)
    }

    @Test func anotherWordIsMissed() {
        let block = CodeText("let note = try await storage.get(Note.self, id: \"2\")")
        #expect(code.firstLineMissing(from: block)?.line == block.lines.first)
    }

    @Test func anotherOrderIsMissed() {
        let block = CodeText("let note = try await storage.get(Note.self, id: \"1\")\nstorage.count(Note.self)")
        #expect(code.firstLineMissing(from: block)?.index == 1)
    }

    @Test func aSlashInATextBeginsNoComment() {
        #expect(CodeText(#"let url = "https://example.com" // where"#).lines == [#"let url = "https://example.com""#])
    }

    @Test func onlySwiftBlocksAreRead() {
        let text = "# Title\n```swift\nlet a = 1\n```\n```\nlet b = 2\n```\n\n```swift\nlet c = 3\n```\n"
        let blocks = CodeText.swiftBlocks(of: text)
        #expect(blocks.map(\.code.lines) == [["let a = 1"], ["let c = 3"]])
        #expect(blocks.map(\.line) == [2, 9])
    }
}
