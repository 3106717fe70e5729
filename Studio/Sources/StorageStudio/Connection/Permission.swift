import StorageSQLite

/// SQLite's authorizer for one connection: what its statements may do.
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
        case .pragma(let name, let argument): Permission.isAllowed(pragma: name.folded, argument)
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
    /// As in the tool, but the paths of files are not told, and whether references are checked is.
    private static func isAllowed(pragma name: String, _ argument: String?) -> Bool {
        if name == "foreign_keys" { return argument == nil }
        return name != "database_list" && ReadingPragma.isAllowed(name, argument: argument)
    }

    private func isChangeAllowed(_ table: String) -> Bool {
        switch purpose {
        case .look: return Permission.isPartOfRTree(table)
        case .change:
            guard !table.folded.hasPrefix("sqlite_") else { return false }
            sawChange = true
            return true
        }
    }

    /// An R-tree compiles what writes the tables behind it when it connects. A table of another kind may have such
    /// a name, and is not written either: the file is open for reading alone, with `query_only`.
    private static func isPartOfRTree(_ table: String) -> Bool {
        let name = table.folded
        return ["_node", "_rowid", "_parent"].contains { name.hasSuffix($0) }
    }
}
