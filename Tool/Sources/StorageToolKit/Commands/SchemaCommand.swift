import ArgumentParser
import Foundation

/// A form of a schema.
enum SchemaFormat: String, CaseIterable, ExpressibleByArgument {
    case sql, mermaid, svg
}

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the schema of a file, as SQL or as a diagram, or what another file has otherwise.",
        discussion: """
            The SQL makes the same schema in an empty file. A diagram has the tables of the app: not those that keep \
            migrations, caches and full-text indexes. Lines are foreign keys; a dotted one is a guess, from a \
            column such as authorId and a table authors with an id, where no foreign key is declared.

            With --diff, the tables of the app are compared with those of another database, or of a file of SQL: - is \
            only in the first, + only in the other. It ends with 1 if there is any difference, with 0 if there is none. Not \
            compared are comments, checks, collations of columns without an index, the expressions of computed columns and \
            whether they are stored, ON CONFLICT clauses, and whether references are deferred.

            Examples:
              storagekit schema app.sqlite
              storagekit schema app.sqlite --format mermaid > schema.mmd
              storagekit schema app.sqlite --format svg > schema.svg
              storagekit schema app.sqlite --diff Tests/Schemas/1.4.sql
            """)

    @OptionGroup var source: FileArgument

    @Option(name: .shortAndLong, help: "sql, mermaid (an erDiagram) or svg (a picture).")
    var format: SchemaFormat?

    @Option(help: "Another database, or a file of SQL, to compare with.", completion: .file())
    var diff: String?

    func validate() throws {
        if diff != nil, format != nil { throw ValidationError("--format is of what is printed without --diff.") }
    }

    func run() throws {
        if let diff { return try compare(with: diff) }
        let lines = try DatabaseFile(source.file).read { connection in
            let catalog = try Catalog(connection)
            guard let format, format != .sql else { return SchemaText.statements(catalog) }
            let diagram = Diagram(catalog, try StorageKitParts(catalog, connection))
            return format == .svg ? SVGText.lines(diagram) : MermaidText.lines(diagram)
        }
        try Output.standard.write(lines: Terminal.isTerminal(STDOUT_FILENO) ? lines.map(Printable.lines) : lines)
    }

    private func compare(with other: String) throws {
        let theirs = try SchemaFacts(ofFile: other)
        let differences = try DatabaseFile(source.file).read { try SchemaFacts($0) }.differences(from: theirs)
        try Output.standard.write(lines: differences)
        if !differences.isEmpty { throw ExitStatus.problemsFound }
    }
}
