import StorageSQLite
import Testing

@testable import StorageStudio

@Suite struct StudioErrorTests {
    /// What SQLite says where it is stopped while it makes a virtual table, and where that is broken.
    private static let vtable = SQLiteFailure(code: 1, message: "vtable constructor failed: notes_fts", sql: "SELECT 1")

    @Test func aStatementThatWasStoppedWhileAVirtualTableIsMadeTookTooLong() {
        #expect(StudioError(Self.vtable, stopped: .deadline, path: "x").kind == .tookTooLong)
        let departed = StudioError(Self.vtable, stopped: .cancelled, path: "x")
        #expect(departed == StudioError(.tookTooLong, "nobody waits for it any more"))
    }

    @Test func aBrokenVirtualTableIsNamedWhereNothingWasStopped() {
        let error = StudioError(Self.vtable, stopped: nil, path: "x")
        #expect(error.kind == .invalid)
        #expect(error.message.contains("vtable constructor failed: notes_fts"))
    }

    @Test func aValueThatIsTooLongIsToldWithTheLimit() {
        let failure = SQLiteFailure(code: 18, message: "string or blob too big", sql: "SELECT 1")
        #expect(StudioError(failure, stopped: nil, path: "x").message.contains("64 MiB"))
    }

    @Test func aStatementThatIsTooLongIsToldWithTheLimit() {
        let sql = "SELECT 1 -- " + String(repeating: "x", count: 1 << 20)
        let failure = SQLiteFailure(code: 18, message: "string or blob too big", sql: sql)
        #expect(StudioError(failure, stopped: nil, path: "x").message == "a statement has 1 MiB at the most")
    }

    @Test func anErrorOfTheStatementItselfIsNoStop() {
        let failure = SQLiteFailure(code: 1, message: "no such table: x", sql: "SELECT 1")
        #expect(StudioError(failure, stopped: .deadline, path: "x").kind == .invalid)
    }
}
