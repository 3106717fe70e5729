import StorageSQLite

/// What the statements of a connection may do, asked by SQLite while it compiles each.
///
/// Used by the connection's thread alone.
final class Permission {
    /// What a connection is for.
    enum Purpose: Sendable { case look, change }

    private let purpose: Purpose
    /// Whether the statement is the studio's own, that begins or ends a transaction.
    var allowsTransactions = false
    /// Whether a statement asked to change rows, since this was last set.
    var sawChange = false

    init(_ purpose: Purpose) {
        self.purpose = purpose
    }

    func answer(_ action: Connection.Action) -> Connection.Answer {
        isAllowed(action) ? .allow : .refuse
    }

    private func isAllowed(_ action: Connection.Action) -> Bool {
        switch action {
        case .selection, .reading, .recursion: true
        case .function(let name): HarmlessFunctions.names.contains(name.folded)
        case .pragma(let name, let argument): TellingPragma.isAllowed(name, argument: argument)
        case .transactionControl: allowsTransactions
        // To connect to a virtual table asks for these, and writes nothing. SQLite refuses them in SQL by itself.
        case .insertion(let table), .update(let table, _):
            table.folded == "sqlite_master" || isChangeAllowed(table)
        case .deletion(let table): isChangeAllowed(table)
        case .attachment, .other: false
        }
    }
}

extension Permission {
    private func isChangeAllowed(_ table: String) -> Bool {
        guard purpose == .change, !table.folded.hasPrefix("sqlite_") else { return false }
        sawChange = true
        return true
    }
}

/// The pragmas that only tell something, and that are told without reading the whole file.
private enum TellingPragma {
    private static let withoutArgument: Set<String> = [
        "application_id", "auto_vacuum", "collation_list", "compile_options", "data_version", "encoding",
        "foreign_keys", "freelist_count", "function_list", "journal_mode", "module_list", "page_count", "page_size",
        "pragma_list", "schema_version", "user_version",
    ]
    private static let withArgument: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    static func isAllowed(_ name: String, argument: String?) -> Bool {
        withArgument.contains(name.folded) || argument == nil && withoutArgument.contains(name.folded)
    }
}
