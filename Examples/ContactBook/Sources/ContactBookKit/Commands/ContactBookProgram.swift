import ArgumentParser
import ContactBookModel
import StorageKit

/// The program `contactbook`.
public enum ContactBookProgram {
    /// Runs the command that the arguments name, and ends the process: with 0, with 1 if the command failed,
    /// or with 2 if there is no such command.
    public static func main() async -> Never {
        do {
            var command = try ContactBookCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch {
            exit(code(of: error))
        }
    }

    private static func code(of error: any Error) -> Int32 {
        switch ContactBookCommand.exitCode(for: error) {
        case .success:
            StandardOutput.write(line: ContactBookCommand.fullMessage(for: error))
            return 0
        case .validationFailure:
            StandardOutput.writeError(ContactBookCommand.fullMessage(for: error) + "\n")
            return 2
        default:
            // It may tell what stands in a file.
            StandardOutput.writeError(Printable.lines(message(of: error)) + "\n")
            return 1
        }
    }

    private static func message(of error: any Error) -> String {
        switch error {
        // Begins with file and line, for editors that jump there.
        case let problem as CSVProblem: return problem.localizedDescription
        case StorageError.conflict(_, let id, let expected, let found?):
            let name = id.prefix(12)
            return """
                contactbook: contact \(name) has version \(found) and no longer \(expected): somebody changed it \
                meanwhile, and nothing was saved; 'contactbook show \(name)' shows it
                """
        case let stopped as StoppedImport:
            let kept = stopped.committed
            let rest =
                kept == 0
                ? "Nothing was imported."
                : "The \(kept) contacts imported before stay; correct the file and import it again."
            return "\(message(of: stopped.cause))\n\(rest)"
        default:
            let text = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
            return "contactbook: \(text)"
        }
    }
}

struct ContactBookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contactbook",
        abstract: "An address book in an SQLite file.",
        discussion: """
            Example:
              contactbook import contacts.csv
              contactbook list --sort company
              contactbook search ada

            Exit codes: 0 done, 1 failed, 2 the command line is not understood.
            """,
        subcommands: [
            ImportCommand.self, AddCommand.self, EditCommand.self, ShowCommand.self, ListCommand.self,
            SearchCommand.self, FavoriteCommand.self, DeleteCommand.self, GroupCommand.self, GroupsCommand.self,
            CallCommand.self, CallsCommand.self, BirthdaysCommand.self, StatsCommand.self, WatchCommand.self,
            BrowseCommand.self,
            GenerateCommand.self,
        ])

    @OptionGroup var location: BookLocation
}

/// The option that every command with a book has.
struct BookLocation: ParsableArguments {
    @Option(
        name: .long, help: "The database file, created if missing. Default: contactbook.sqlite in your data folder.")
    var file: String?

    /// Opens the book.
    func open() throws -> ContactBook {
        if let file, file.isEmpty { throw ValidationError("The path after --file is empty.") }
        return try ContactBook(at: file.map { URL(fileURLWithPath: $0) } ?? ContactBook.defaultURL())
    }
}
