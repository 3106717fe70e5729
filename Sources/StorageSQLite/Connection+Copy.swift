import GRDBSQLite

extension Connection {
    /// Copies the database, as it is at one moment, into another one, which nobody else can write from the beginning to the end
    /// and which is as it was if anything goes wrong. Others may write this one meanwhile. Inside of a transaction it is copied as that sees it.
    ///
    /// - Parameters:
    ///   - other: The database to write to. It must not have a transaction open.
    ///   - locked: Called once the other database is locked, before anything is written to it.
    ///   - progress: Called again and again with the number of pages copied and of all pages. What it throws ends the copying.
    /// - Throws: ``SQLiteFailure``, or what a closure throws.
    public func copy(
        to other: Connection, whenLocked locked: () throws -> Void = {},
        progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        // Without a transaction that lasts, others could change the database between two parts.
        let begins = isAutocommit
        if begins { try run("BEGIN") }
        defer { if begins { try? run("ROLLBACK") } }
        _ = try value("SELECT count(*) FROM sqlite_master")
        let copying = try Copying(from: self, to: other)
        var isDone = try copying.step(pages: 0)
        try locked()
        while !isDone {
            let (left, all) = copying.pages
            try progress(all - left, all)
            isDone = try copying.step(pages: Copying.pagesPerStep)
        }
        // Nothing ends what is done.
        try? progress(copying.pages.all, copying.pages.all)
    }
}

/// SQLite's copying of one database into another. What was not copied to its end is undone.
private final class Copying {
    /// A few megabytes.
    static let pagesPerStep: Int32 = 1000

    private var backup: OpaquePointer?
    private let target: Connection

    init(from source: Connection, to target: Connection) throws(SQLiteFailure) {
        self.target = target
        backup = sqlite3_backup_init(target.pointer, "main", source.pointer, "main")
        guard backup != nil else { throw SQLiteFailure(of: target.pointer, SQLITE_ERROR) }
    }

    deinit {
        if backup != nil { sqlite3_backup_finish(backup) }
    }

    /// - Parameter pages: How many to copy; none locks the target.
    /// - Returns: Whether all pages are copied, and committed.
    func step(pages: Int32) throws(SQLiteFailure) -> Bool {
        let code = sqlite3_backup_step(backup, pages)
        guard code != SQLITE_OK else { return false }
        guard code != SQLITE_DONE else { return true }
        // SQLite says in words what went wrong once it is over.
        sqlite3_backup_finish(backup)
        backup = nil
        throw SQLiteFailure(of: target.pointer, code)
    }

    /// How many pages are left, and how many there are.
    var pages: (left: Int, all: Int) {
        (Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
    }
}
