import ArgumentParser
import ContactBookModel
import StorageKit

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show a list that follows every change.",
        discussion: """
            The list is drawn anew when this or another program changes the file; Ctrl-C ends it. Where standard \
            output is no terminal, each list is printed behind the last, headed by the number of contacts.

            Example:
              contactbook watch --favorites
              contactbook watch --sort created --descending --limit 5
            """)

    @OptionGroup var location: BookLocation
    @OptionGroup var options: ListingOptions
    @Option(help: "End after so many lists, the first included.")
    var forChanges: Int?

    func validate() throws {
        if let forChanges, forChanges < 1 { throw ValidationError("--for-changes must be 1 or more.") }
    }

    func run() async throws {
        let book = try location.open()
        let limit = options.limit
        var listing = options.listing
        // The heading counts them all, and the screen may have room for fewer.
        listing.limit = nil
        let count = forChanges ?? .max
        let screen = LiveScreen(isTerminal: TerminalStyle.isTerminal(STDOUT_FILENO))
        let (beginnings, begin) = AsyncStream.makeStream(of: Void.self)
        let watch = Task { [listing] in
            // Whoever has seen a line may interrupt.
            for await _ in beginnings { break }
            var shown = 0
            for try await contacts in book.changes(listing) {
                screen.show(contacts, limit: limit)
                shown += 1
                if shown == count { break }
            }
        }
        let interrupt = await InterruptSignal {
            // A second one: the list goes to a pipe that nobody reads.
            if watch.isCancelled, !screen.isTerminal { _exit(130) }
            watch.cancel()
        }
        defer { interrupt.stop() }
        screen.open()
        defer { screen.close() }
        begin.yield()
        try await watch.value
    }
}

/// Draws lists on a terminal, one over the other, or prints them one behind the other.
struct LiveScreen: Sendable {
    let isTerminal: Bool

    /// Turns to the terminal's second screen, so that the first one is as it was afterwards.
    func open() {
        if isTerminal { StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l") }
    }

    /// Turns back.
    func close() {
        if isTerminal { StandardOutput.write("\u{1B}[?25h\u{1B}[?1049l") }
    }

    /// Shows the first contacts of a list: in one write, so that nobody sees half of it.
    ///
    /// - Parameters:
    ///   - contacts: The whole list, which the heading counts.
    ///   - limit: How many to show at most; nil for as many as there is room for.
    func show(_ contacts: [Contact], limit: Int?) {
        let style = TerminalStyle.ofStandardOutput
        var count = limit ?? contacts.count
        // Two lines of heading, and the cursor's at the end.
        if let height = style.height { count = min(count, max(1, height - 3)) }
        let heading = contacts.count == 1 ? "1 contact" : "\(contacts.count) contacts"
        let table = ContactTable(Array(contacts.prefix(count)), style: style).lines
        guard isTerminal else { return StandardOutput.write(lines: [heading] + table) }
        let text = ([heading + "   (Ctrl-C ends)"] + table).map { $0 + "\u{1B}[K\n" }.joined()
        StandardOutput.write("\u{1B}[H\(text)\u{1B}[J")
    }
}

/// Ctrl-C and the polite `kill`, as a call instead of the end of the process.
struct InterruptSignal {
    private let sources: [any DispatchSourceSignal]

    /// Returns once the signals are heard: one that came before would be lost.
    init(_ handler: @escaping @Sendable () -> Void) async {
        sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: handler)
            return source
        }
        for (number, source) in zip([SIGINT, SIGTERM], sources) {
            signal(number, SIG_IGN)
            await withCheckedContinuation { heard in
                source.setRegistrationHandler { heard.resume() }
                source.resume()
            }
        }
    }

    /// Lets the signals do what they did before.
    func stop() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
