import StorageKit
import StorageTestSupport
import Testing

/// What a person types into a search field.
@Suite struct SearchTextTests {
    @Test(arguments: [
        ("swift", ["1", "2"]), ("conc", ["1"]), ("swift conc", ["1"]), ("concurrency swi", ["1"]),
        ("swi concurrency", []), ("  swift\n\tof\u{A0}perf ", ["2"]), ("of swift", ["2"]),
    ])
    func allWordsAreFoundAndTheLastByItsBeginning(text: String, ids: [String]) async throws {
        let store = try await TemporaryStore.holding(
            "Swift concurrency", "The performance of Swift", tokenizer: "unicode61")
        #expect(try await store.storage.foundText(text) == ids)
    }

    @Test(arguments: [
        "swift AND", "swift OR kotlin", "NOT", "title:swift", "swift*", "(swift", "swift\"", "\"swift", "'swift",
        "swift\0kotlin", "*swift", "^swift", "swift + kotlin", "NEAR(swift kotlin)", "-swift", "swift - ", "{swift}",
    ])
    func nothingInATextHasAMeaning(text: String) async throws {
        let words = text.lowercased().split { !$0.isLetter }
        let store = try await TemporaryStore.holding(
            words.joined(separator: " "), "swift", "kotlin", tokenizer: "unicode61")
        #expect(try await store.storage.foundText(text) == (words == ["swift"] ? ["1", "2"] : ["1"]))
    }

    @Test(arguments: ["", " ", "\n", "\0", "\"", "!", "- - -", "\u{301}", "🙂"])
    func aTextWithoutAWordFindsNothing(text: String) async throws {
        let store = try await TemporaryStore.holding("swift", "!")
        #expect(try await store.storage.foundText(text) == [])
    }

    @Test func aWordOfSeveralPartsIsFoundAsOne() async throws {
        let store = try await TemporaryStore.holding("a well-known fact", "known well", tokenizer: "unicode61")
        #expect(try await store.storage.foundText("well-kn") == ["1"])
        #expect(try await store.storage.foundText("well-known fact") == ["1"])
    }

    @Test(arguments: ["swift \"\u{301}x", "swift\"\u{301} x", "swift \0\u{301}x", "swift\0\u{301} x"])
    func aMarkOnASignHidesItNot(text: String) async throws {
        let store = try await TemporaryStore.holding("swift \u{301}x", "swift")
        #expect(try await store.storage.foundText(text) == ["1"])
    }

    @Test func aTextOfThousandsOfWordsIsASearch() async throws {
        let words = (0..<5_000).map { "w\($0)" }.joined(separator: " ")
        let store = try await TemporaryStore.holding(words, "w1 w2")
        #expect(try await store.storage.foundText(words) == ["1"])
        #expect(try await store.storage.foundText(String(repeating: "w1 ", count: 5_000)) == ["1", "2"])
    }
}
