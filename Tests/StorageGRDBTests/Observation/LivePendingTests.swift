import StorageKit
import Testing

@testable import StorageGRDB

/// Changes that wait for a reader.
@Suite struct LivePendingTests {
    private func pending(rows count: Int) -> LivePending {
        let pending = LivePending()
        _ = pending.take()
        for id in 0..<count { pending.add(.rows(["t": ChangedRows(ids: [.integer(Int64(id))])])) }
        return pending
    }

    @Test func rowsAreCollectedUpToWhatAReaderAsksFor() {
        #expect(pending(rows: LivePending.mostRows).rowCount == LivePending.mostRows)
    }

    @Test func moreRowsThanAReaderAsksForAreNotCollected() {
        let pending = pending(rows: LivePending.mostRows + 1)
        #expect(pending.rowCount == nil)
        #expect(pending.take() == .anything)
    }
}
