import ArgumentParser
import Foundation

/// The program `storagekit`.
public enum StorageKitProgram {
    /// Runs the command that the arguments name, and ends the process with one of the statuses that `--help` lists.
    ///
    /// - Parameter arguments: What stands behind the program's name.
    public static func main(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Never {
        occupyClosedDescriptors()
        do {
            var command = try StorageKitCommand.parseAsRoot(arguments)
            try command.run()
            exit(0)
        } catch let error as ToolError {
            tell("storagekit: \(error.message)")
            exit(error.status.rawValue)
        } catch let status as ExitStatus {
            exit(status.rawValue)
        } catch {
            exit(end(with: error))
        }
    }

    /// Has standard input, output and error that are closed stay so for whoever uses them. What the program opens would get their
    /// numbers, and be read and written in their place.
    private static func occupyClosedDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number is given first. To use it the wrong way round is the error that a closed one gives.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    private static func end(with error: any Error) -> Int32 {
        let text = StorageKitCommand.fullMessage(for: error)
        switch StorageKitCommand.exitCode(for: error) {
        case .success:
            // Help and version are asked for, and no error.
            try? Output(descriptor: STDOUT_FILENO, name: "standard output", capacity: 0).write(line: text)
            return 0
        case .validationFailure:
            tell(text)
            return ExitStatus.usage.rawValue
        default:
            tell("storagekit: \(error)")
            return ExitStatus.software.rawValue
        }
    }

    private static func tell(_ text: String) {
        // An error may name what stands in a file.
        try? Output.error.write(line: Printable.lines(text))
    }
}

struct StorageKitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storagekit",
        abstract: "Looks into SQLite files, those of StorageKit and any others.",
        discussion: """
            Examples:
              storagekit inspect app.sqlite
              storagekit query app.sqlite "SELECT * FROM notes LIMIT 10"
              storagekit doctor app.sqlite && echo healthy

            Only 'import' changes a database, and 'studio' the rows that you save there. All other commands open the file for \
            reading, never make one, and run no migration.

            Exit codes: 0 done; 1 'doctor' found problems, or 'schema --diff' a difference; 64 the command line is not \
            understood; 65 a file is no database or damaged, SQL or values are wrong, there is no such table; 66 no such \
            file; 70 what no other code stands for; 73 a file exists already or cannot be made; 74 the disk failed; 75 the \
            file is locked or was changed meanwhile, or the port is taken, try again; 77 not permitted; 130 interrupted.
            """,
        subcommands: [
            InspectCommand.self, QueryCommand.self, SchemaCommand.self, DoctorCommand.self, PlanCommand.self,
            ExportCommand.self,
            ImportCommand.self, EntitiesCommand.self, WatchCommand.self, StudioCommand.self,
        ])
}

/// The argument that every command has.
struct FileArgument: ParsableArguments {
    @Argument(help: "The database file.", completion: .file())
    var file: String
}
