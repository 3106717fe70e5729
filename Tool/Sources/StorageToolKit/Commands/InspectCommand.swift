import ArgumentParser
import Foundation

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what is in a file.",
        discussion: """
            Tables with their rows and sizes, indexes, views, triggers, and what StorageKit keeps: the migrations \
            that were applied, disk caches, indexes for full-text search. All rows are counted, which takes its time \
            in a large file.

            Examples:
              storagekit inspect app.sqlite
              storagekit inspect app.sqlite --json | jq '.tables[] | {name, rows}'
            """)

    @OptionGroup var source: FileArgument

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let file = try DatabaseFile(source.file)
        let summary = try file.read { try FileSummary(of: file, $0) }
        try Output.standard.write(lines: json ? [JSONText.indented(summary)] : summary.lines)
    }
}
