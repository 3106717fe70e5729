import StorageSQLite

extension Connection {
    /// From now on takes no statement that reaches another file, ends the transaction or changes a setting. What writes
    /// to this file has to be told by ``StatementHandle/isReadOnly``: SQLite asks for leave to make a table even to
    /// connect to a virtual one.
    func allowReadingOnly() {
        authorize { action in
            switch action {
            case .attachment, .transactionControl: .refuse
            case .pragma(let name, let argument):
                ReadingPragma.isAllowed(name, argument: argument) ? .allow : .refuse
            default: .allow
            }
        }
    }
}

/// The pragmas that only tell something.
enum ReadingPragma {
    private static let withoutArgument: Set<String> = [
        "application_id", "auto_vacuum", "collation_list", "compile_options", "data_version", "database_list",
        "encoding", "freelist_count", "function_list", "module_list", "page_count", "page_size", "pragma_list",
        "schema_version", "user_version",
    ]
    private static let withArgument: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    static func isAllowed(_ name: String, argument: String?) -> Bool {
        withArgument.contains(name.folded) || argument == nil && withoutArgument.contains(name.folded)
    }
}
