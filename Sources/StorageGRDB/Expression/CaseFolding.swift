import GRDB
import StorageSQLite

/// An SQL function that makes upper and lower case the same in all of Unicode; SQLite's own `lower` knows ASCII alone.
/// Raw SQL may use it: `storagekit_fold(name)`.
enum CaseFolding {
    static func add(to db: Database) {
        db.addFunction(FunctionName.caseFolding) { value in
            if case .text(let text) = value { .text(text.caseFolded) } else { .null }
        }
    }
}

extension Database {
    /// Adds an SQL function of one argument, whose result depends on that alone.
    func addFunction(_ name: String, _ function: @escaping @Sendable (StoredValue) -> StoredValue) {
        guard let sqliteConnection else { return }
        Connection(borrowing: sqliteConnection).addFunction(name, function)
    }
}
