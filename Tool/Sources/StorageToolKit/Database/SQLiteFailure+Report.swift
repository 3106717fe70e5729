import StorageSQLite

extension SQLiteFailure {
    /// `SQLITE_READONLY_RECOVERY` and `SQLITE_READONLY_ROLLBACK`: what a crash left has to be mended by a writer first.
    private static let unfinished = [Kind.readOnly.rawValue | 1 << 8, Kind.readOnly.rawValue | 3 << 8]

    /// Whether a write was not brought to its end. So it looks, too, while another connection rolls one back.
    var isOfUnfinishedWrite: Bool { SQLiteFailure.unfinished.contains(code) }

    /// The same as an error of the program.
    ///
    /// - Parameter path: The file it is about.
    func forUser(path: String) -> ToolError {
        switch kind {
        case .noDatabase:
            ToolError(.badData, "\(path) is no SQLite database, or it is encrypted")
        case .corrupt:
            ToolError(.badData, "\(path) is damaged: \(message)")
        case .busy, .locked:
            ToolError(.temporary, "\(path) is locked by another program: \(message)")
        case .refused:
            ToolError(.badData, "only statements that read are allowed here: \(message)")
        case .readOnly where isOfUnfinishedWrite:
            ToolError(
                .temporary,
                "\(path) was left in the middle of a write by a program that crashed: let its own program open it once")
        case .readOnly, .noPermission:
            ToolError(.noPermission, "\(path): \(message)")
        case .cannotOpen:
            // The file is there: it is what SQLite makes beside it that cannot be made.
            ToolError(.noPermission, "\(path): \(message), or a file beside it that it needs cannot be made")
        case .inputOutput, .full:
            ToolError(.inputOutput, "\(path): \(message)")
        case .error, .constraint, .mismatch, .tooBig, .range:
            ToolError(.badData, message)
        default:
            ToolError(.software, "\(path): \(message)")
        }
    }
}
