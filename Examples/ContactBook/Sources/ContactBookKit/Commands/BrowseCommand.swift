import ArgumentParser
import ContactBookModel
import StorageKit

struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Go through contacts page by page, however many there are.",
        discussion: """
            Each line of input is a command: \(Browser.help). An empty line shows the next page. The page follows what \
            other programs write.

            Example:
              contactbook browse --sort company
              contactbook browse --page-size 10 --favorites
            """)

    @OptionGroup var location: BookLocation
    @Option(help: "The order.")
    var sort = ContactOrder.name
    @Flag(help: "From the last to the first. Contacts without a value still come last.")
    var descending = false
    @Flag(help: "Show favourites only.")
    var favorites = false
    @Option(help: "How many contacts a page has. Default: as many as the terminal shows.")
    var pageSize: Int?

    func validate() throws {
        if let pageSize, pageSize < 1 { throw ValidationError("--page-size must be 1 or more.") }
    }

    @MainActor func run() async throws {
        let style = TerminalStyle.ofStandardOutput
        // Two lines of heading, one for the help and one for what is typed.
        let size = pageSize ?? style.height.map { max(1, $0 - 5) } ?? 20
        let listing = Listing(order: sort, descending: descending, favoritesOnly: favorites)
        let browser = Browser(try location.open(), listing, pageSize: size)
        let isTerminal = TerminalStyle.isTerminal(STDOUT_FILENO)
        func draw(_ note: String? = nil) {
            let lines =
                [browser.heading] + ContactTable(browser.contacts, style: style).lines + (note.map { [$0] } ?? [])
            guard isTerminal else { return StandardOutput.write(lines: lines) }
            let text = (lines + [Browser.help]).map { $0 + "\u{1B}[K\n" }.joined()
            StandardOutput.write("\u{1B}[H\u{1B}[J\(text)> ")
        }
        try await browser.begin()
        draw()
        if isTerminal { browser.onChange { draw() } }
        for await line in Self.inputLines() {
            switch try await browser.perform(line) {
            case .page: draw()
            case .note(let note): draw(note)
            case .end: return
            }
        }
    }

    /// What is typed, line by line. The reads wait, and so have a thread of their own.
    private static func inputLines() -> AsyncStream<String> {
        let (lines, type) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { type.yield(line) }
            type.finish()
        }
        return lines
    }
}
