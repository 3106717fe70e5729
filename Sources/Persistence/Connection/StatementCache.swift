/// Compiled statements by their SQL, so that SQL that comes again is not compiled again.
///
/// A statement is taken out to be used: two uses of one text at the same time are two statements.
struct StatementCache {
    private static let capacity = 64
    private var statements: [ByteText: (statement: CompiledStatement, lastUse: Int)] = [:]
    private var uses = 0

    mutating func take(_ sql: String) -> CompiledStatement? {
        statements.removeValue(forKey: ByteText(sql))?.statement
    }

    /// Keeps a statement, unless it has to be compiled each time. Where there are too many, the one that was not used for
    /// longest goes.
    mutating func keep(_ statement: CompiledStatement, for sql: String) {
        guard !statement.isPragma else { return }
        uses += 1
        statements[ByteText(sql)] = (statement, uses)
        if statements.count > StatementCache.capacity,
            let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            statements[oldest] = nil
        }
    }

    mutating func removeAll() {
        statements = [:]
    }
}
