import ArgumentParser
import Foundation
import StorageSQLite

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the rows of a table as JSON lines or CSV.",
        discussion: """
            What is exported can be imported again, and gives an equal table. JSON lines: an object a line, integers \
            with all digits, {"blob": "base64"} for bytes, {"real": "inf"} for infinite numbers, {"text": "base64"} \
            for text that is no UTF-8. CSV: text in quotes, numbers bare, nothing for NULL, "" for the empty text, \
            x'00ff' for bytes, 9e999 for infinity. Computed columns are left out.

            Examples:
              storagekit export app.sqlite notes > notes.jsonl
              storagekit export app.sqlite notes --output notes.csv
            """)

    @OptionGroup var source: FileArgument

    @Argument(help: "The table, or a view.")
    var table: String

    @Option(name: .shortAndLong, help: "jsonl or csv. Default: what the name of the output says, else jsonl.")
    var format: ExchangeFormat?

    @Option(name: .shortAndLong, help: "The file to write; standard output if not given.", completion: .file())
    var output: String?

    @Flag(help: "Replace the output file if it is there.")
    var force = false

    func run() throws {
        guard output != nil else { return try export {} }
        let interrupt = InterruptSignal()
        try export(isInterrupted: { interrupt.hasCome }, check: { try interrupt.check("nothing was exported") })
    }

    /// - Parameters:
    ///   - isInterrupted: Asked while SQLite looks for a row, which may take long.
    ///   - check: Called for each row, and when SQLite was stopped.
    func export(isInterrupted: @escaping () -> Bool = { false }, check: () throws -> Void) throws {
        let file = try DatabaseFile(source.file)
        guard let output else { return try write(file, to: .standard, isInterrupted, check) }
        // Whether the file stayed as it is shows behind its last row.
        try ExportFile(output, of: file, replaces: force).write { try write(file, to: $0, isInterrupted, check) }
    }

    private func write(
        _ file: DatabaseFile, to output: Output, _ isInterrupted: @escaping () -> Bool, _ check: () throws -> Void
    ) throws {
        try file.read { connection in
            let table = try Catalog(connection).existingTable(self.table)
            try connection.stopping(when: isInterrupted, check: check) {
                try write(connection.prepare(ExportCommand.sql(table)), to: output, check: check)
            }
        }
    }

    private func write(_ statement: Statement, to output: Output, check: () throws -> Void) throws {
        let progress = ProgressLine()
        defer { progress.clear() }
        var count = 0
        func onRow() throws {
            count += 1
            try check()
            progress.show { "\(count) rows" }
        }
        switch format ?? self.output.flatMap(ExchangeFormat.init(path:)) ?? .jsonl {
        case .csv:
            let isForTerminal = self.output == nil && Terminal.isTerminal(STDOUT_FILENO)
            try statement.write(with: CSVWriter(isForTerminal: isForTerminal), to: output, onRow: onRow)
        case .jsonl: try statement.write(with: JSONWriter(isLines: true), to: output, onRow: onRow)
        }
    }

    /// All rows, in the order in which they were inserted as far as SQLite knows it.
    static func sql(_ table: Table) throws -> String {
        let columns = table.storedColumns.map(\.name.quotedName)
        guard !columns.isEmpty else {
            throw ToolError(.badData, "the columns of '\(table.name)' cannot be read here")
        }
        let rowid = table.kind == .table ? table.rowidName : nil
        let order = rowid.map { " ORDER BY \($0)" } ?? ""
        return "SELECT \(columns.joined(separator: ", ")) FROM main.\(table.name.quotedName)\(order)"
    }
}
