import Foundation
import GRDBSQLite

extension Connection {
    /// What a statement asks leave for while it is compiled.
    public enum Action {
        /// To open or leave another file, by `ATTACH` or `DETACH`.
        case attachment
        /// To begin or end a transaction or savepoint.
        case transactionControl
        /// To carry out a pragma, with an argument if it has one.
        case pragma(String, argument: String?)
        /// To select rows.
        case selection
        /// To read a column of a table; the column is empty where only rows are counted.
        case reading(table: String, column: String)
        /// To select rows recursively.
        case recursion
        /// To call a function.
        case function(String)
        /// To insert into a table, the schema's own too. SQLite asks so as well to connect to a virtual table, and writes nothing.
        case insertion(String)
        /// To update a column of a table, the schema's own too; as with ``insertion(_:)``.
        case update(table: String, column: String)
        /// To delete from a table, the schema's own too.
        case deletion(String)
        /// Anything else.
        case other
    }

    /// What it is answered.
    public enum Answer: Int32 {
        /// It may: `SQLITE_OK`.
        case allow = 0
        /// That is an error, `SQLITE_AUTH`: `SQLITE_DENY`.
        case refuse = 1
        /// It is compiled without that, a pragma to do nothing: `SQLITE_IGNORE`.
        case ignore = 2
    }

    /// Has SQLite ask before each thing that a statement would do, while it compiles the statement.
    ///
    /// - Parameter answer: Must not use the connection.
    public func authorize(_ answer: @escaping (Action) -> Answer) {
        authorizer = answer
        sqlite3_set_authorizer(
            pointer,
            { connection, code, first, second, _, _ in
                let answer = Connection.at(connection)?.authorizer?(Action(code, first, second)) ?? .allow
                return answer.rawValue
            }, unretained)
    }

    /// Has SQLite ask a running statement now and then whether to stop, which is the error `SQLITE_INTERRUPT`.
    ///
    /// - Parameter condition: Called on the thread that runs the statement, each ``stepsPerInterruption`` of SQLite's machine. Must
    ///   not use the connection.
    public func interrupt(when condition: @escaping () -> Bool) {
        interrupter = condition
        sqlite3_progress_handler(
            pointer, Int32(Connection.stepsPerInterruption),
            { connection in Connection.at(connection)?.interrupter?() == true ? 1 : 0 }, unretained)
    }

    /// Has statements wait for the locks of other connections in steps of some milliseconds, as a busy timeout has, and asks before
    /// each whether to go on.
    ///
    /// - Parameters:
    ///   - timeout: How long a statement waits before it fails with `SQLITE_BUSY`, in milliseconds.
    ///   - condition: Whether to fail at once. Called on the thread that runs the statement; must not use the connection.
    public func waitForLocks(_ timeout: Int32, unless condition: @escaping () -> Bool) {
        var end = ContinuousClock.now
        patience = { waits in
            if waits == 0 { end = .now + .milliseconds(Int(timeout)) }
            guard .now < end, !condition() else { return false }
            usleep(min(UInt32(waits) + 1, 20) * 1000)
            return true
        }
        sqlite3_busy_handler(
            pointer, { connection, waits in Connection.at(connection)?.patience?(waits) == true ? 1 : 0 }, unretained)
    }

    /// How many steps of SQLite's machine lie between two questions whether to stop.
    public static let stepsPerInterruption = 1000

    /// Makes `"x"` a name in every statement, and never a text.
    package func disableDoubleQuotedStringLiterals() {
        _disableDoubleQuotedStringLiterals(pointer)
    }

    /// Called before the connection goes.
    func removeHooks() {
        if authorizer != nil { sqlite3_set_authorizer(pointer, nil, nil) }
        if interrupter != nil { sqlite3_progress_handler(pointer, 0, nil, nil) }
        if patience != nil { sqlite3_busy_handler(pointer, nil, nil) }
    }

    // SQLite has no hook for longer than the connection lives, since that removes them at its end.
    private var unretained: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Connection? {
        context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Connection.Action {
    fileprivate init(_ code: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
        let text = { (pointer: UnsafePointer<CChar>?) in pointer.map { String(cString: $0) } }
        self =
            switch code {
            case SQLITE_ATTACH, SQLITE_DETACH: .attachment
            case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: .transactionControl
            case SQLITE_PRAGMA: .pragma(text(first) ?? "", argument: text(second))
            case SQLITE_SELECT: .selection
            case SQLITE_READ: .reading(table: text(first) ?? "", column: text(second) ?? "")
            case SQLITE_RECURSIVE: .recursion
            case SQLITE_FUNCTION: .function(text(second) ?? "")
            case SQLITE_INSERT: .insertion(text(first) ?? "")
            case SQLITE_UPDATE: .update(table: text(first) ?? "", column: text(second) ?? "")
            case SQLITE_DELETE: .deletion(text(first) ?? "")
            default: .other
            }
    }
}
