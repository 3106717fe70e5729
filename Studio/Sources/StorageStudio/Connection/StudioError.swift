import StorageSQLite
import StudioSQLite

/// What the page is told instead of an answer.
struct StudioError: Error, Equatable {
    /// What kind of trouble it is; the number is that of HTTP.
    enum Kind: Int {
        /// The question is wrong: SQL, a value, a name of a column.
        case invalid = 400
        /// Nobody has shown a token.
        case signedOut = 401
        /// A statement does more than it may, or a request comes from elsewhere.
        case refused = 403
        case notFound = 404
        /// The file is not there any more.
        case gone = 410
        /// The question is too long.
        case tooLong = 413
        /// The file is damaged, or the disk.
        case failed = 500
        /// Somebody has a lock.
        case locked = 503
        /// It took too long.
        case tookTooLong = 504
    }

    let kind: Kind
    let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// For a run that was stopped.
    init(stopped reason: RunLimits.Reason?) {
        self.init(
            .tookTooLong,
            reason == .cancelled
                ? "nobody waits for it any more" : "it took longer than a statement may here, and was stopped")
    }

    /// The same as an error of the studio.
    ///
    /// - Parameters:
    ///   - reason: Why the run was stopped, if it was.
    ///   - path: The file it is about.
    init(_ error: any Error, stopped reason: RunLimits.Reason?, path: String) {
        switch error {
        case let error as StudioError: self = error
        // A virtual table that is broken says what a stopped one does, so that it counts whether the run was stopped.
        case let failure as SQLiteFailure
        where failure.kind == .interrupted || (reason != nil && failure.canBeInterruption):
            self.init(stopped: reason)
        case let failure as SQLiteFailure:
            let kind: Kind =
                switch failure.kind {
                case _ where failure.isRefusal: .refused
                case .readOnly: .refused
                case .busy, .locked: .locked
                case .error, .constraint, .mismatch, .tooBig, .range: .invalid
                default: .failed
                }
            let message =
                switch failure.kind {
                case _ where failure.isRefusal: "this is not allowed here: \(failure.message)"
                case .tooBig where failure.sql?.utf8.count ?? 0 > Int(STUDIO_LONGEST_SQL):
                    "a statement has 1 MiB at the most"
                case .tooBig: "a value, or a row with all its values, is longer than the 64 MiB that the studio reads"
                default: failure.forUser(path: path).message
                }
            self.init(kind, message)
        case let error as ToolError: self.init(error.status == .noInput ? .gone : .failed, error.message)
        default: self.init(.failed, "\(error)")
        }
    }
}

extension SQLiteFailure {
    /// `SQLITE_SCHEMA`.
    private static let otherSchema: Int32 = 17

    /// Whether a ``Permission`` refused it. SQLite says that the schema is another where it has not read it since it changed, or not at
    /// all, and a `CREATE` is refused before it does.
    fileprivate var isRefusal: Bool {
        kind == .refused || primaryCode == SQLiteFailure.otherSchema && message == "not authorized"
    }
}
