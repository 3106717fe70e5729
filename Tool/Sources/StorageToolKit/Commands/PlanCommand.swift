import ArgumentParser
import Foundation
import StorageSQLite

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Print what a start of a newer app would do to a file, how many rows it would touch and how long.",
        discussion: """
            This program does not know the schema that an app describes, so it is shown one: MODEL is a database that \
            the newer app has made from nothing, as one of its tests can. What the file lacks in comparison is made on \
            a private copy, and measured there; the copy takes the room of the file in the temporary folder. Both \
            files are only read.

            Not compared are defaults, computed columns, collations of columns that no index has, what a constraint does \
            on a conflict, and when references are checked. Whether rows fit a table that is made anew is not tried \
            where it gets a column that takes no NULL and has no default: what rows get there, the app knows.

            Of the app's own migrations only the names are known, and of a renamed table or column that one is gone \
            and another has come. The app itself can tell more: AppMigrations.plan(on:).

            Example:
              storagekit plan app.sqlite fresh.sqlite
            """)

    @OptionGroup var source: FileArgument

    @Argument(help: "A database with the schema that the file is to have.", completion: .file())
    var model: String

    func run() throws {
        let model = try DatabaseFile(model).read { try SchemaState($0) }
        let file = try DatabaseFile(source.file)
        let lines = try file.read { connection in
            let comparison = SchemaComparison(try SchemaState(connection), model)
            return try PlanText.lines(comparison, on: connection)
        }
        try Output.standard.write(lines: lines.map(Printable.line))
    }
}
