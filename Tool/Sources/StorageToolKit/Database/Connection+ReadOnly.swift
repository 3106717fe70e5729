import GRDBSQLite

extension Connection {
    /// From now on takes no statement that reaches another file, ends the transaction or changes a setting. What writes
    /// to this file has to be told by ``Statement/isReadOnly``: SQLite asks for leave to make a table even to connect to
    /// a virtual one.
    func allowReadingOnly() {
        sqlite3_set_authorizer(
            handle,
            { _, action, first, second, _, _ in
                let isAllowed =
                    switch action {
                    case SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT: false
                    case SQLITE_PRAGMA: ReadingPragma.isAllowed(first, argument: second)
                    default: true
                    }
                return isAllowed ? SQLITE_OK : SQLITE_DENY
            }, nil)
    }
}

/// The pragmas that only tell something.
private enum ReadingPragma {
    private static let withoutArgument: Set<String> = [
        "application_id", "auto_vacuum", "collation_list", "compile_options", "data_version", "database_list",
        "encoding", "freelist_count", "function_list", "journal_mode", "module_list", "page_count", "page_size",
        "pragma_list", "schema_version", "user_version",
    ]
    private static let withArgument: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    static func isAllowed(_ name: UnsafePointer<CChar>?, argument: UnsafePointer<CChar>?) -> Bool {
        guard let name else { return false }
        let folded = String(cString: name).folded
        return withArgument.contains(folded) || argument == nil && withoutArgument.contains(folded)
    }
}
