import ArgumentParser
import StorageKit

/// How an import tells how far it is.
enum ProgressStyle: String, CaseIterable, ExpressibleByArgument {
    case auto, bar, plain, none
}

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a CSV file that Google Contacts exported.",
        discussion: """
            Both layouts of Google's export are understood: "Name, Given Name, …" and "First Name, Last Name, …". \
            Columns are found by their names; other columns are left alone. A birthday is 1990-05-17, or --05-17 \
            without a year.

            Contacts are saved in transactions of a few thousand. A wrong row ends the import with its line: \
            nothing of its transaction is written, and the transactions before stay. Correct the file and import \
            it again, as you would after a crash: what is in the book already is not added twice.

            A person is known by name and first email (else phone, else company). Importing an edited file \
            updates contacts; an empty field erases nothing, and favourites stay favourites. Of two rows for one \
            person the later wins.

            Example:
              contactbook import contacts.csv
              contactbook import --progress plain contacts.csv > import.log
            """)

    @OptionGroup var location: BookLocation

    @Argument(help: "The CSV file.", completion: .file(extensions: ["csv"]))
    var csv: String

    @Option(help: "auto: a bar on a terminal. plain: a line 'committed N' after each transaction.")
    var progress = ProgressStyle.auto

    @Flag(name: .shortAndLong, help: "The same as --progress plain.")
    var verbose = false

    func run() async throws {
        let style = verbose ? .plain : progress
        let showsBar = style == .bar || style == .auto && TerminalStyle.isTerminal(STDERR_FILENO)
        // Before the book: a mistyped name should not leave an empty one behind.
        let reader = try CSVChunkReader(csv)
        let book = try location.open()
        var bar = ProgressBar(file: csv)
        let summary: ImportSummary
        do {
            defer { bar.clear() }
            summary = try await ContactImport(book: book).run(reader) { progress in
                if style == .plain { StandardOutput.write(line: "committed \(progress.committed)") }
                if showsBar { bar.show(progress) }
            }
        }
        StandardOutput.write(lines: summary.lines)
    }
}

/// A bar on standard error that grows with the bytes read.
struct ProgressBar {
    private let file: String
    private var isShown = false

    init(file: String) {
        self.file = file
    }

    /// Draws the bar anew.
    mutating func show(_ progress: ImportProgress) {
        let share = progress.byteCount == 0 ? 1 : min(1, Double(progress.bytesRead) / Double(progress.byteCount))
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        let name = TextWidth.truncated(Printable.line(file), to: 24)
        StandardOutput.writeError("\r\u{1B}[K\(name) [\(bar)] \(Int(share * 100))% \(progress.committed)")
        isShown = true
    }

    /// Leaves an empty line behind.
    mutating func clear() {
        if isShown { StandardOutput.writeError("\r\u{1B}[K") }
        isShown = false
    }
}
