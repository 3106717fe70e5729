import ArgumentParser
import Foundation

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what is wrong with a file, and say what to do.",
        discussion: """
            Checks the structure of the file, CHECK constraints, foreign keys, indexes for full-text search, the size \
            of the write-ahead log, foreign keys without an index, and free space. The file is only read; full-text \
            indexes and CHECKs are looked at on a private copy, which takes the room of the file in the temporary folder.

            Ends with 1 if there are problems, with 0 if there are none.

            Examples:
              storagekit doctor app.sqlite
              storagekit doctor app.sqlite --json > report.json || echo "see report.json"
            """)

    @OptionGroup var source: FileArgument

    @Flag(help: "Print JSON: an array of objects with check, problem and advice.")
    var json = false

    func run() throws {
        let file = try DatabaseFile(source.file)
        let findings = try file.read(mayBeDamaged: true) { try Examination(of: file, $0).findings() }
        try Output.standard.write(lines: json ? [JSONText.indented(findings)] : lines(findings))
        if !findings.isEmpty { throw ExitStatus.problemsFound }
    }

    private func lines(_ findings: [Finding]) -> [String] {
        // In a file with a damaged structure the other checks are not made.
        let isDamaged = findings.contains { $0.check == .integrity }
        return Finding.Check.allCases.flatMap { check -> [String] in
            let found = findings.filter { $0.check == check }
            let title = TextWidth.padded(check.rawValue + ":", to: 18)
            if found.isEmpty {
                let isChecked = !isDamaged || check == .log
                return [title + (isChecked ? Terminal.green("ok") : "not checked")]
            }
            let number = found.count == 1 ? "1 problem" : "\(found.count) problems"
            return [title + Terminal.red(number)]
                + found.flatMap { ["  - " + Printable.line($0.problem), "    " + Printable.line($0.advice)] }
        }
    }
}
