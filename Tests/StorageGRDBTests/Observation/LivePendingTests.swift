import StorageKit
import Testing

@testable import StorageGRDB

/// Changes that wait for a reader.
@Suite struct LivePendingTests {
    private func pending(rows count: Int, of tables: String...) -> LivePending {
        let pending = LivePending()
        _ = pending.take()
        for table in tables {
            for id in 0..<count { pending.add(.rows([table: ChangedRows(ids: [.integer(Int64(id))])])) }
        }
        return pending
    }

    @Test func rowsAreCollectedUpToWhatAReaderAsksFor() {
        #expect(pending(rows: LivePending.mostRows, of: "a", "b").rowCount == 2 * LivePending.mostRows)
    }

    @Test func moreRowsThanAReaderAsksForAreNotCollected() {
        let pending = pending(rows: LivePending.mostRows + 1, of: "a")
        #expect(pending.rowCount == nil)
        #expect(pending.take() == .anything)
    }

    @Test func thatThereAreNewRowsIsKnownWhenOthersChangeAfterThem() {
        let pending = LivePending()
        _ = pending.take()
        for addsRows in [true, false] {
            pending.add(.rows(["a": ChangedRows(ids: [.integer(1)], values: ChangedValues(addsRows: addsRows))]))
        }
        let values = ChangedValues(addsRows: true)
        #expect(pending.take() == .rows(["a": ChangedRows(ids: [.integer(1)], values: values)]))
    }

    @Test func soItIsOfWhatARowHeldThatChangesAgainAndAgain() {
        let pending = LivePending()
        _ = pending.take()
        for value in 0...LivePending.mostRows {
            var values = ChangedValues()
            values.columns["key"] = .init(differs: true, former: [.integer(Int64(value))])
            pending.add(.rows(["a": ChangedRows(ids: [.integer(1)], values: values)]))
        }
        #expect(pending.take() == .anything)
    }
}
