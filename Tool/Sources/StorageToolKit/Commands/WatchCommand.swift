import ArgumentParser
import Foundation

/// A form that changes are printed in.
enum ChangeFormat: String, CaseIterable, ExpressibleByArgument {
    case text, jsonl
}

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print which rows change, as they are committed.",
        discussion: """
            A line for each row that any program inserts, updates or deletes, known by its primary key or rowid. \
            Ctrl-C ends it.

            After a commit the watched tables are read and compared with what they were, so memory and time grow with \
            their rows: name the tables of a large file. What is committed between two looks is seen as one change; a \
            row that came and went between them is not seen. A row whose key changes is deleted and inserted. It ends \
            with 75 when the file is removed or another one is put in its place. In a \
            file with a write-ahead log, the files -wal and -shm are made if they are not there, and stay.

            Examples:
              storagekit watch app.sqlite
              storagekit watch app.sqlite --table notes --format jsonl
            """)

    @OptionGroup var source: FileArgument

    @Option(name: .shortAndLong, help: "A table to watch; may be given several times. Default: all of the app's.")
    var table: [String] = []

    @Option(name: .shortAndLong, help: "text or jsonl (an object a line).")
    var format = ChangeFormat.text

    @Option(help: "Seconds between two looks.")
    var interval = 0.1

    func validate() throws {
        guard (0.01...3600).contains(interval) else { throw ValidationError("--interval is 0.01 to 3600 seconds.") }
    }

    func run() throws {
        let file = try DatabaseFile(source.file)
        let interrupt = InterruptSignal()
        let output = Output.standard
        let check = { if interrupt.hasCome { throw Interrupted() } }
        do {
            try file.reporting {
                var watch = try FileWatch(try file.follow(), tables: table, check: check)
                try Output.error.write(
                    line:
                        "Watching \(Amount.of(watch.tables.count, "table")) of \(Printable.line(file.path)); Ctrl-C ends."
                )
                while !interrupt.wait(seconds: interval) {
                    for event in try watch.poll() { try output.write(line: line(event)) }
                    try output.flush()
                    guard file.isThere else { throw ToolError(.temporary, "\(file.path) was removed or replaced") }
                }
            }
        } catch is Interrupted {
            // While rows are read; it ends as between two looks.
        }
    }

    /// Ctrl-C came.
    private struct Interrupted: Error {}

    private func line(_ event: FileWatch.Event) -> String {
        switch format {
        case .text:
            let key = event.key.map(TableWriter.text).joined(separator: ", ")
            return "\(event.change.rawValue) \(Printable.line(event.table)) \(key)"
        case .jsonl:
            let key = event.key.map(JSONText.of).joined(separator: ",")
            return
                "{\"change\":\"\(event.change.rawValue)\",\"table\":\(JSONText.quoted(event.table)),\"key\":[\(key)]}"
        }
    }
}
