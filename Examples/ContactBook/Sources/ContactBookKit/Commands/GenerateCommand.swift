import ArgumentParser
import StorageKit

struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write a CSV file of made-up contacts.",
        discussion: """
            The same seed gives the same file. Names are of many languages; fields have quotes, commas and line \
            ends in them.

            Example:
              contactbook generate 1000 sample.csv --seed 7
            """)

    @Argument(help: "How many contacts.")
    var count: Int
    @Argument(help: "The file to write.", completion: .file(extensions: ["csv"]))
    var csv: String
    @Option(help: "What the contacts are made from.")
    var seed: UInt64 = 1
    @Flag(help: "Replace a file that is there.")
    var force = false

    func validate() throws {
        if count < 0 { throw ValidationError("The count must not be negative.") }
    }

    func run() async throws {
        if !force, FileManager.default.fileExists(atPath: csv) {
            throw CSVProblem(file: csv, reason: "the file is there already; --force replaces it")
        }
        try SampleContacts.write(count: count, to: csv, seed: seed)
        StandardOutput.write(line: "Wrote \(count) contacts to \(csv)")
    }
}
