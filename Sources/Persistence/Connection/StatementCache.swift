/// Compiled statements by their SQL, so that SQL that comes again is not compiled again.
///
/// A statement is taken out to be used: two uses of one text at the same time are two statements. SQLite itself compiles a
/// statement anew once the schema is another.
struct StatementCache {
    private static let capacity = 64
    // By values, since Swift takes two texts for one key that SQLite does not.
    private var statements: [SQLiteValue: (statement: CompiledStatement, lastUse: Int)] = [:]
    private var uses = 0

    /// Takes the statement of a text out; nil if there is none.
    mutating func take(_ sql: String) -> CompiledStatement? {
        statements.removeValue(forKey: .text(sql))?.statement
    }

    /// Keeps a statement that was reset. Where there are too many, the one that was not used for longest goes.
    mutating func keep(_ statement: CompiledStatement, for sql: String) {
        uses += 1
        statements[.text(sql)] = (statement, uses)
        if statements.count > StatementCache.capacity,
            let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            statements[oldest] = nil
        }
    }
}
