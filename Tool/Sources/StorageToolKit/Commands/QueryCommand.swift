import ArgumentParser
import Foundation
import StorageSQLite

/// A form that rows are printed in.
enum RowFormat: String, CaseIterable, ExpressibleByArgument {
    case table, json, jsonl, csv
}

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Run one SELECT and print its rows.",
        discussion: """
            The file is opened for reading, and statements that do more than read are refused, as are several in one \
            call. Rows are printed as SQLite finds them.

            In a table, NULL stands bare; a text that is empty or looks like NULL or bytes is in quotes; bytes are \
            x'00ff'. JSON has integers with all digits, bytes as {"blob": "base64"} and infinite numbers as \
            {"real": "inf"}. CSV is what 'export' writes: text in quotes, nothing for NULL, "" for the empty text.

            Examples:
              storagekit query app.sqlite "SELECT id, title FROM notes ORDER BY title"
              storagekit query app.sqlite "SELECT * FROM notes WHERE id = :id" -p id=42
              storagekit query app.sqlite "SELECT * FROM notes" --format json | jq length
            """)

    @OptionGroup var source: FileArgument

    @Argument(help: "One SQL statement that reads.")
    var sql: String

    @Option(name: .shortAndLong, help: "table, json (one array), jsonl (an object a line) or csv.")
    var format = RowFormat.table

    @Option(
        name: .shortAndLong,
        help: """
            A parameter as NAME=VALUE: --parameter id=42 for :id, @id or $id, --parameter 1=x for ?1. What is written as \
            a number is one, unless it begins with a needless 0; within '' it is a text, in which '' stands for one '.
            """)
    var parameter: [String] = []

    func run() throws {
        let file = try DatabaseFile(source.file)
        try file.read { connection in
            connection.allowReadingOnly()
            let statement = try connection.prepare(sql)
            guard statement.handle.isReadOnly else {
                throw ToolError(.badData, "only statements that read are allowed here")
            }
            try statement.bind(parameters: parameter)
            try format.write(statement, to: .standard)
        }
    }
}

extension RowFormat {
    /// Runs a statement and writes its rows.
    func write(_ statement: Statement, to output: Output) throws {
        let isTerminal = Terminal.isTerminal(STDOUT_FILENO)
        switch self {
        case .table: try statement.write(with: TableWriter(maximumWidth: isTerminal ? 60 : nil), to: output)
        case .json: try statement.write(with: JSONWriter(isLines: false), to: output)
        case .jsonl: try statement.write(with: JSONWriter(isLines: true), to: output)
        case .csv: try statement.write(with: CSVWriter(isForTerminal: isTerminal), to: output)
        }
    }
}

extension Statement {
    /// Binds what the user wrote as NAME=VALUE. A value within '' is a text, as in SQL, and so is what is no number.
    fileprivate func bind(parameters: [String]) throws {
        var bound: Set<Int> = []
        for parameter in parameters {
            guard let sign = parameter.utf8.firstIndex(of: UInt8(ascii: "=")), sign > parameter.startIndex else {
                throw ToolError(.usage, "the parameter '\(parameter)' is not written as NAME=VALUE")
            }
            let name = String(parameter[..<sign])
            guard
                let index = [":", "@", "$", "?"].lazy.compactMap({ self.handle.parameterIndex($0 + name) }).first
                    ?? position(name)
            else { throw ToolError(.usage, "the SQL has no parameter '\(name)'") }
            try bind(try Statement.cell(parameter[parameter.utf8.index(after: sign)...]), at: index)
            bound.insert(index)
        }
        if bound.count < handle.parameterCount {
            throw ToolError(
                .usage,
                "the SQL has \(Amount.of(handle.parameterCount, "parameter")) and \(bound.count) of them got a value; "
                    + "give each one by --parameter NAME=VALUE")
        }
    }

    private static func cell(_ value: Substring) throws -> Cell {
        if let text = String(value).unquotedText { return .text(text) }
        let mark = UInt8(ascii: "'")
        if value.utf8.count > 1, value.utf8.first == mark, value.utf8.last == mark {
            throw ToolError(.usage, "within '' a mark is written twice: \(value)")
        }
        let digits = value.drop { "+-".contains($0) }
        let isCode = digits.first == "0" && digits.dropFirst().first?.isNumber == true
        return isCode ? .text(String(value)) : NumberText.cell(String(value))
    }

    private func position(_ name: String) -> Int? {
        Int(name).flatMap { $0 >= 1 && $0 <= handle.parameterCount ? $0 : nil }
    }
}
