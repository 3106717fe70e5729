package import StorageKit

/// The store that programs of transactions work on. Both the tests and their second process know it.
///
/// Every change of a row is written down in a journal, in the order in which changes came to stay: by triggers of the writing
/// connection alone, which no other connection has and no schema shows.
package enum Bank {
    @StorageEntity(table: "accounts")
    package struct Account: Equatable {
        package var id: String
        package var balance: Int
        /// Unique.
        package var email: String?

        package init(_ id: String, balance: Int, email: String? = nil) {
            self.id = id
            self.balance = balance
            self.email = email
        }
    }

    /// Has a version.
    @StorageEntity(table: "drafts")
    package struct Draft: Equatable {
        package var id: String
        package var text: String
        /// Unique.
        package var slug: String?
        package var version: Int

        package init(_ id: String, text: String, slug: String? = nil, version: Int = 0) {
            self.id = id
            self.text = text
            self.slug = slug
            self.version = version
        }
    }

    /// Goes with its account.
    @StorageEntity(table: "receipts")
    package struct Receipt: Equatable {
        package var id: Int
        package var accountId: String

        package init(_ id: Int, accountId: String) {
            self.id = id
            self.accountId = accountId
        }
    }

    /// A change of a row.
    @StorageEntity(table: "journal")
    package struct Change {
        package var id: Int
    }

    package static let accounts = ["a", "b", "c", "d"]
    package static let drafts = ["x", "y", "z"]

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - hasJournal: Whether changes are written down.
    ///   - onError: Called with what goes wrong in caches and streams.
    package static func start(
        at file: URL, options: StorageKit.StartOptions = .init(), hasJournal: Bool = true, onError: ErrorHandler? = nil
    ) throws -> StorageKit.Context {
        var options = options
        options.pool = .patient
        options.onCacheError = onError
        options.onObservationError = onError
        let context = try StorageKit.start(at: file, options: options) { schema in
            schema.addKVCache()
            schema.migration("bank") { try $0.execute(sql: tables) }
        }
        if hasJournal { try context.storage.pool.write { try $0.execute(sql: triggers) } }
        return context
    }

    private static let tables = """
        CREATE TABLE accounts (id TEXT PRIMARY KEY, balance INTEGER NOT NULL, email TEXT UNIQUE,
            updatedAt DATETIME NOT NULL);
        CREATE TABLE drafts (id TEXT PRIMARY KEY, text TEXT NOT NULL, slug TEXT UNIQUE, version INTEGER NOT NULL,
            updatedAt DATETIME NOT NULL);
        CREATE TABLE receipts (id INTEGER PRIMARY KEY,
            accountId TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, updatedAt DATETIME NOT NULL);
        CREATE INDEX receipts_account ON receipts (accountId);
        CREATE TABLE journal (id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key TEXT NOT NULL, isGone INTEGER NOT NULL,
            number INTEGER, text TEXT, other TEXT);
        """

    private static let triggers: String = [
        ("accounts", "balance, NEW.email, NULL"), ("drafts", "version, NEW.text, NEW.slug"),
        ("receipts", "id, NEW.accountId, NULL"),
    ].map { (table, values) -> String in
        let new =
            "INSERT INTO journal (entity, key, isGone, number, text, other) VALUES ('\(table)', NEW.id, 0, NEW.\(values))"
        return """
            CREATE TEMP TRIGGER \(table)_new AFTER INSERT ON main.\(table) BEGIN \(new); END;
            CREATE TEMP TRIGGER \(table)_changed AFTER UPDATE ON main.\(table) BEGIN \(new); END;
            CREATE TEMP TRIGGER \(table)_gone AFTER DELETE ON main.\(table) BEGIN
                INSERT INTO journal (entity, key, isGone) VALUES ('\(table)', OLD.id, 1); END;

            """
    }.joined()
}

extension Bank.Draft: VersionedEntity {
    package var _version: Int {
        get { version }
        set { version = newValue }
    }
    package static var _versionColumn: String { "version" }
}

extension Bank.Account: CustomStringConvertible {
    package var description: String { "\(id) \(balance) \(email ?? "-")" }
}

extension Bank.Draft: CustomStringConvertible {
    package var description: String { "\(id) \(text) \(slug ?? "-") v\(version)" }
}

extension Bank.Receipt: CustomStringConvertible {
    package var description: String { "\(id) of \(accountId)" }
}
