import GRDBSQLite

/// A prepared statement of a ``Connection``.
public final class Statement {
    /// Its parameters and its row.
    public let handle: StatementHandle

    init(_ pointer: OpaquePointer) {
        handle = StatementHandle(pointer)
    }

    deinit {
        sqlite3_finalize(handle.pointer)
    }

    /// Binds all parameters, and makes the statement ready to run.
    ///
    /// - Throws: ``SQLiteFailure`` for a value that SQLite does not take.
    public func bind(_ values: some Sequence<SQLiteValue>) throws(SQLiteFailure) {
        handle.reset()
        var index: Int32 = 0
        for value in values {
            index += 1
            let code = handle.bind(value, at: index)
            guard code == SQLITE_OK else { throw handle.failure(code) }
        }
    }
}

/// Prepared statements by their SQL, so that SQL that comes again is not compiled again.
///
/// A statement is taken out to be used: two uses of one text at the same time are two statements. SQLite itself prepares a
/// statement anew once the schema is another.
package struct StatementCache<Kept> {
    private static var capacity: Int { 64 }
    // By values, since Swift takes two texts for one key that SQLite does not.
    private var statements: [SQLiteValue: (statement: Kept, lastUse: Int)] = [:]
    private var uses = 0

    /// An empty cache.
    package init() {}

    /// Takes the statement of a text out; nil if there is none.
    package mutating func take(_ sql: String) -> Kept? {
        statements.removeValue(forKey: .text(sql))?.statement
    }

    /// Keeps a statement that was reset. Where there are too many, the one that was not used for longest goes.
    package mutating func keep(_ statement: Kept, for sql: String) {
        uses += 1
        statements[.text(sql)] = (statement, uses)
        if statements.count > Self.capacity,
            let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            statements[oldest] = nil
        }
    }
}
