import GRDB
import StorageSQLite

/// An SQL function that makes upper and lower case the same in all of Unicode; SQLite's own `lower` knows ASCII alone.
/// Raw SQL may use it: `storagekit_fold(name)`.
enum CaseFolding {
    static func add(to db: Database) {
        db.borrowedConnection?.addFunction(FunctionName.caseFolding) { arguments in
            if case .text(let text) = arguments[0].value { .text(text.caseFolded) } else { .null }
        }
    }
}
