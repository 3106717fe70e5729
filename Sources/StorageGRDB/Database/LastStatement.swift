import GRDB
import GRDBSQLite

/// The statement that a connection used last, so that the next use of the same need not look it up by its text and
/// prepare it for arguments again. Used on that connection's thread only.
final class LastStatement: @unchecked Sendable {
    private var sql = ""
    /// GRDB owns it, and drops it when the schema changes.
    private weak var statement: Statement?

    /// A cached statement whose arguments are bound past GRDB.
    func get(_ sql: String, in db: Database) throws -> Statement {
        // An app may have given arguments to the same text, which GRDB would bind again.
        if sql == self.sql, let statement, statement.arguments.isEmpty { return statement }
        let statement = try db.cachedStatement(sql: sql).preparedForBinding()
        (self.sql, self.statement) = (sql, statement)
        return statement
    }

    /// The same with its arguments bound.
    func get(_ sql: String, _ arguments: [StoredValue], in db: Database) throws -> Statement {
        let statement = try get(sql, in: db)
        sqlite3_reset(statement.sqliteStatement)
        try statement.bindPrepared(arguments)
        return statement
    }
}
