import GRDB
import Synchronization

/// Whether a statement may fail and leave what it did before, found out once for each schema.
final class HalfwayMemo: Sendable {
    private let known = Mutex<(epoch: Int, mayFail: Bool)?>(nil)

    /// - Parameter epoch: The hub's, from before the state that `db` sees.
    func mayFail(_ db: Database, epoch: Int) throws -> Bool {
        if let known = known.withLock({ $0 }), known.epoch == epoch { return known.mayFail }
        let mayFail = try db.mayFailHalfway()
        known.withLock { $0 = (epoch, mayFail) }
        return mayFail
    }
}

extension DatabaseActor {
    var halfway: HalfwayMemo { parts.value(of: HalfwayMemo.self) { HalfwayMemo() } }
}

extension Database {
    /// Whether a statement of one row may fail and leave what it did before. SQLite undoes it, unless it was told to `FAIL`: by
    /// `RAISE(FAIL)` or `OR FAIL` in a trigger, or by a table's `ON CONFLICT FAIL` after a trigger has run.
    fileprivate func mayFailHalfway() throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE sql LIKE '%fail%')"
        return try firstRow(sql, []) { try $0.next() as Bool } ?? true
    }
}
