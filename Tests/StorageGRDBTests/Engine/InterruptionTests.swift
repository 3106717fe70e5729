import GRDB
import StorageKit
import Testing

@testable import StorageGRDB

/// What SQLite says of a statement that it stopped, since its task was cancelled.
@Suite struct InterruptionTests {
    /// Seen where SQLite was interrupted while it made a virtual table.
    static let words = ["interrupted", "vtable constructor failed: notes_fts"]

    @Test(arguments: [1, 9] as [Int32], words)
    func aStatementThatWasStoppedIsACancellation(_ code: Int32, _ words: String) async {
        #expect(await Self.told(code, words, isCancelled: true) is CancellationError)
    }

    @Test func anErrorOfItsOwnIsNoCancellation() async {
        #expect(await Self.told(1, "no such table: notes", isCancelled: true) is StorageError)
        #expect(await Self.told(19, "interrupted", isCancelled: true) is StorageError)
    }

    @Test(arguments: words) func aStatementThatSomebodyElseStoppedIsAnError(_ words: String) async {
        #expect(await Self.told(1, words, isCancelled: false) is StorageError)
    }

    private static func told(_ code: Int32, _ words: String, isCancelled: Bool) async -> any Error {
        await Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: words)
            return StorageError.from(error, during: .write)
        }.value
    }
}
