import ArgumentParser
import Foundation
import StorageSQLite

/// A form that rows are exported and imported in.
enum ExchangeFormat: String, CaseIterable, ExpressibleByArgument {
    case jsonl, csv

    /// The form that a file's name speaks for.
    init?(path: String) {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "jsonl", "ndjson", "json": self = .jsonl
        case "csv": self = .csv
        default: return nil
        }
    }
}

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Put rows of a JSON lines or CSV file into a table.",
        discussion: """
            All rows go into the table, or none: the first that is wrong ends the import, and is named with line and \
            column. The file is read in pieces and may be of any size. The table has to be there; columns that are \
            not in the file get their defaults. Foreign keys are checked. A deferred one, or any of a table that refers to \
            itself, is checked at the end and told without line and column.

            JSON lines: an object a line, with {"blob": "base64"} for bytes, {"real": "inf"} for infinite numbers; \
            true and false are 1 and 0. CSV: the first line names the columns; a quoted field is text, an empty one \
            NULL, "" the empty text, x'00ff' bytes.

            Examples:
              storagekit import app.sqlite notes notes.jsonl
              storagekit import app.sqlite notes notes.csv --upsert
              gzip -dc notes.csv.gz | storagekit import app.sqlite notes - -f csv
            """)

    @OptionGroup var source: FileArgument

    @Argument(help: "The table.")
    var table: String

    @Argument(help: "The file with the rows, or - for standard input.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: "jsonl or csv. Default: what the name of the file says.")
    var format: ExchangeFormat?

    @Flag(help: "Overwrite the columns of rows that have the same primary key.")
    var upsert = false

    func validate() throws {
        if format == nil, ExchangeFormat(path: input) == nil {
            throw ValidationError("The name of the input does not tell its form; say --format jsonl or --format csv.")
        }
    }

    func run() throws {
        let file = try DatabaseFile(source.file)
        let interrupt = InterruptSignal()
        let check = { try interrupt.check("nothing was imported") }
        let bytes = try ByteSource(path: input, check: check)
        let connection = try file.write()
        let progress = ProgressLine()
        let count: Int
        do {
            defer { progress.clear() }
            count = try file.reporting {
                try rows(from: bytes, connection, interrupt, check: check) { count in
                    try check()
                    progress.show { "\(count) rows, \(Amount.bytes(bytes.bytesRead)) read" }
                }
            }
        } catch let problem as InputProblem {
            let place = "\(input):\(problem.position.line):\(problem.position.column)"
            throw ToolError(.badData, "\(place): \(problem.message); nothing was imported")
        }
        try Output.standard.write(lines: ["\(Amount.of(count, "row")) imported into '\(Printable.line(table))'"])
    }

    private func rows(
        from bytes: ByteSource, _ connection: Connection, _ interrupt: InterruptSignal,
        check: @escaping () throws -> Void, onRow: (Int) throws -> Void
    ) throws -> Int {
        let table = try Catalog(connection).existingTable(self.table)
        var run = try TableImport(connection, into: table, isUpsert: upsert)
        return try connection.stopping(when: { interrupt.hasCome }, check: check) {
            switch format ?? ExchangeFormat(path: input) {
            case .csv: return try run.run(try CSVReader(CSVParser(bytes), into: table), onRow: onRow)
            default: return try run.run(JSONLinesReader(bytes, into: table, check: check), onRow: onRow)
            }
        }
    }
}
