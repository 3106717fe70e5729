import GRDB
import StorageSQLite

/// An SQL function that makes upper and lower case the same in all of Unicode; SQLite's own `lower` knows ASCII alone.
/// Raw SQL may use it: `storagekit_fold(name)`.
enum CaseFolding {
    static let functionName = "storagekit_fold"

    static func add(to db: Database) {
        db.addFunction(functionName) { value in
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

extension String {
    /// The text without difference of case. Capitals first, which are one where there are two small letters (σ, ς) or
    /// two capitals where there is one small letter (ß).
    var caseFolded: String { uppercased().lowercased() }
}
