import Dispatch
import GRDB
import StorageKit
import StorageTestSupport
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

    /// A statement that was stepped past GRDB, which knows of the cancellation but not of the statement.
    @Test(arguments: ["read", "write"]) func anAppsOwnClosureThatWasStoppedIsACancellation(kind: String) async throws {
        let store = try TemporaryStore { _ in }
        let (began, hasBegun) = AsyncStream<Void>.makeStream()
        let isCancelled = DispatchSemaphore(value: 0)
        let stop: @Sendable (Database) throws -> Void = { _ in
            hasBegun.yield()
            #expect(isCancelled.wait(timeout: .now() + 600) == .success)
            throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted")
        }
        let task = Task {
            if kind == "read" { try await store.db.read(stop) } else { try await store.db.write(stop) }
        }
        for await _ in began { break }
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: ["snapshot", "transaction"])
    func soIsThatOfASnapshotOrATransaction(kind: String) async throws {
        let store = try TemporaryStore { _ in }
        let (began, hasBegun) = AsyncStream<Void>.makeStream()
        let isCancelled = DispatchSemaphore(value: 0)
        let stop: @Sendable () throws -> Void = {
            hasBegun.yield()
            #expect(isCancelled.wait(timeout: .now() + 600) == .success)
            throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted")
        }
        let task = Task {
            defer { hasBegun.finish() }
            if kind == "snapshot" {
                try await store.storage.snapshot { _ in try stop() }
            } else {
                try await store.storage.transaction { _ in try stop() }
            }
        }
        for await _ in began { break }
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private static func told(_ code: Int32, _ words: String, isCancelled: Bool) async -> any Error {
        await Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: words)
            return StorageError.from(error, during: .write)
        }.value
    }
}
