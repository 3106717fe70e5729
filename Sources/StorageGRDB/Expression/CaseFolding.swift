import GRDB
import GRDBSQLite

/// An SQL function that makes upper and lower case the same in all of Unicode; SQLite's own `lower` knows ASCII alone.
/// Raw SQL may use it: `storagekit_fold(name)`.
enum CaseFolding {
    static let functionName = "storagekit_fold"

    static func add(to db: Database) {
        SQLFunction.add(functionName, to: db.sqliteConnection) { context, _, values in
            guard let value = values?[0], sqlite3_value_type(value) == SQLITE_TEXT,
                let text = SQLFunction.text(of: value)
            else { return sqlite3_result_null(context) }
            SQLFunction.give(text.caseFolded, context)
        }
    }
}

extension String {
    /// The text without difference of case. Capitals first, which are one where there are two small letters (σ, ς) or
    /// two capitals where there is one small letter (ß).
    var caseFolded: String { uppercased().lowercased() }
}
