/// A statement that is read in pieces.
struct Walk {
    let statement: CompiledStatement
    let sql: String
    /// Whether the last row was read: SQLite would begin anew if it were asked for another.
    var isAtEnd = false
}

extension Turnstile {
    private static let rowsPerPiece = 256
    private static let bytesPerPiece = 256 * 1024

    /// Begins to read when the turn has come. The walk keeps its turn until ``endWalk(_:on:)``.
    func beginWalk(_ sql: String, _ values: [SQLiteValue], on level: Int) async throws -> Turn {
        let turn = try await enter(level)
        do {
            let connection = try held(by: turn, level)
            let walk = Walk(statement: try connection.takeStatement(sql), sql: sql)
            levels[try index(of: level)].walk = walk
            try connection.begin(walk.statement, values)
            // Of a pragma it is known only now.
            guard walk.statement.isReadOnly else { throw SQLiteError.notReadOnly(sql: sql) }
        } catch {
            endWalk(turn, on: level)
            throw error
        }
        return turn
    }

    /// The next rows, at least one; none at the end.
    func nextRows(_ turn: Turn, on level: Int) throws -> [Row] {
        try Task.checkCancellation()
        let connection = try held(by: turn, level)
        let index = try index(of: level)
        guard let walk = levels[index].walk, !walk.isAtEnd else { return [] }
        var rows: [Row] = []
        var bytes = 0
        while rows.count < Turnstile.rowsPerPiece, bytes < Turnstile.bytesPerPiece {
            guard try connection.step(walk.statement) else {
                levels[index].walk?.isAtEnd = true
                break
            }
            let row = walk.statement.row()
            bytes += row.values.reduce(0) { $0 + MemoryLayout<SQLiteValue>.stride + $1.byteCount }
            rows.append(row)
        }
        return rows
    }

    func endWalk(_ turn: Turn, on level: Int) {
        guard let index = try? index(of: level), levels[index].holder === turn else { return }
        if let walk = levels[index].walk { connection?.giveBack(walk.statement, for: walk.sql) }
        levels[index].walk = nil
        leave(turn, level)
    }
}
