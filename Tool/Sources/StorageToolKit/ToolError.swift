import Foundation

/// How the program ends; the numbers are those of the system's `sysexits.h`, the same for all commands.
/// Thrown by itself, it ends a command that has already said what it found.
enum ExitStatus: Int32, Error {
    /// `doctor` found something, or `schema --diff` a difference.
    case problemsFound = 1
    /// The command line is not understood.
    case usage = 64
    /// A file is no database or is damaged, SQL or values are wrong, a table does not exist.
    case badData = 65
    /// A file is not there.
    case noInput = 66
    /// What no file and no argument explains.
    case software = 70
    /// A file to be written exists already, or cannot be made.
    case cannotCreate = 73
    /// A disk failed or is full.
    case inputOutput = 74
    /// Somebody else holds a lock or the port, or changed the file: try again.
    case temporary = 75
    /// The system does not let this user read or write the file.
    case noPermission = 77
    /// Ctrl-C ended it before it was done.
    case interrupted = 130
}

/// What ends a command: a sentence for the user and a status for scripts.
struct ToolError: Error, Equatable {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What a failed call of the system says of a file.
    ///
    /// - Parameters:
    ///   - number: The system's error number.
    ///   - path: The file.
    static func system(_ number: Int32, path: String) -> ToolError {
        let status: ExitStatus =
            switch number {
            case ENOENT, ENOTDIR: .noInput
            case EACCES, EPERM, EROFS: .noPermission
            case EEXIST, EISDIR: .cannotCreate
            default: .inputOutput
            }
        return ToolError(status, "\(path): \(String(cString: strerror(number)))")
    }
}
