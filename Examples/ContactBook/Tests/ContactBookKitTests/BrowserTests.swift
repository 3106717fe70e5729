import ContactBookModel
import StorageKit
import Testing

@testable import ContactBookKit

/// `contactbook browse`: pages through a book that others write to.
@MainActor @Suite struct BrowserTests {
    private let folder: TemporaryFolder
    private let book: ContactBook
    private let path: String

    init() async throws {
        folder = try TemporaryFolder()
        path = folder.path("book.sqlite")
        book = try ContactBook(at: URL(fileURLWithPath: path))
        try await book.storage.save(
            (10..<40).map { number in
                var details = ContactDetails()
                details.name = "Name \(number)"
                return Contact(id: "id\(number)", details: details, createdAt: Date(timeIntervalSince1970: 0))
            })
    }

    private func browser() async throws -> Browser {
        let browser = Browser(book, Listing(), pageSize: 10)
        try await browser.begin()
        return browser
    }

    private func expect(_ browser: Browser, _ numbers: some Sequence<Int>, _ heading: String) {
        #expect(browser.contacts.map(\.name) == numbers.map { "Name \($0)" })
        #expect(browser.heading == heading)
    }

    @Test func linesLeadFromPageToPage() async throws {
        let browser = try await browser()
        expect(browser, 10..<20, "10 contacts ...")
        #expect(try await browser.perform("n") == .page)
        expect(browser, 20..<30, "... 10 contacts ...")
        #expect(try await browser.perform("") == .page)
        expect(browser, 30..<40, "... 10 contacts")
        #expect(try await browser.perform("previous") == .page)
        expect(browser, 20..<30, "... 10 contacts ...")
        #expect(try await browser.perform("s") == .page)
        expect(browser, 10..<20, "10 contacts ...")
        #expect(try await browser.perform("end") == .page)
        expect(browser, 30..<40, "... 10 contacts")
        #expect(try await browser.perform("jump id25") == .page)
        expect(browser, 20..<30, "... 10 contacts ...")
        #expect(try await browser.perform("q") == .end)
    }

    @Test func whatCannotBeDoneIsAnsweredAndLeavesThePage() async throws {
        let browser = try await browser()
        for line in ["fly", "j", "j nobody"] {
            guard case .note = try await browser.perform(line) else {
                Issue.record("\(line)")
                return
            }
        }
        expect(browser, 10..<20, "10 contacts ...")
    }

    @Test func aJumpInAListThatCannotBeReadThrowsTheError() async throws {
        // A window takes no list with a limit.
        let browser = Browser(book, Listing(limit: 5), pageSize: 10)
        await #expect(throws: StorageError.self) { try await browser.perform("jump id25") }
    }

    @Test func whoIsNotInTheListCannotBeJumpedTo() async throws {
        let browser = Browser(book, Listing(favoritesOnly: true), pageSize: 10)
        try await browser.begin()
        #expect(try await browser.perform("jump id25") == .note("The list has no such contact."))
    }

    @Test(.timeLimit(.minutes(10)))
    func eachChangeOfThePageIsTold() async throws {
        let browser = try await browser()
        let (phones, tell) = AsyncStream.makeStream(of: String?.self)
        browser.onChange { tell.yield(browser.contacts.first?.phone) }
        for phone in ["1", "2"] {
            _ = try await book.update(id: "id10") { $0.phone = phone }
            var told: String?
            for await shown in phones where shown == phone {
                told = shown
                break
            }
            #expect(told == phone)
        }
    }

    @Test func whatAnotherProcessWritesIsOnThePage() async throws {
        let browser = try await browser()
        #expect(try await Program.run(["add", "--name", "Name 100", "--file", path]).status == 0)
        #expect(try await Program.run(["delete", "id10", "--file", path]).status == 0)
        #expect(try await browser.perform("start") == .page)
        #expect(browser.contacts.first?.name == "Name 100")
        #expect(browser.contacts.count == 10)
    }

    @Test func theProgramReadsItsLinesAndEndsWithThem() async throws {
        let result = try await Program.run(["browse", "--page-size", "3", "--file", path])
        #expect(result.status == 0)
        #expect(result.output.first == "3 contacts ...")
        #expect(result.output.count == 5)
    }

    @Test func theProgramShowsFavouritesAloneIfItIsAskedTo() async throws {
        let result = try await Program.run(["browse", "--favorites", "--file", path])
        #expect(result.output == ["0 contacts"])
    }
}
