import ArgumentParser
import Foundation

struct EntitiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entities",
        abstract: "Write @StorageEntity structs for the tables of a file.",
        discussion: """
            So that a project can open its database with StorageKit: a struct for each table, under the names that \
            table and columns have. Types follow the declared types and what stands in the rows, which are all read. \
            Comments say what no entity can have: a table without a column id, names that are none in Swift, values \
            of another type than their column.

            Examples:
              storagekit entities app.sqlite
              storagekit entities app.sqlite --output Sources/App/Entities.swift
            """)

    @OptionGroup var source: FileArgument

    @Option(name: .shortAndLong, help: "The file to write; standard output if not given.", completion: .file())
    var output: String?

    @Flag(help: "Replace the output file if it is there.")
    var force = false

    func run() throws {
        let file = try DatabaseFile(source.file)
        let lines = try file.read { connection in
            let text = try EntityText(connection)
            return try text.lines(fileName: URL(fileURLWithPath: file.path).lastPathComponent)
        }
        guard let output else { return try Output.standard.write(lines: lines) }
        try ExportFile(output, of: file, replaces: force).write { try $0.write(lines: lines) }
    }
}
