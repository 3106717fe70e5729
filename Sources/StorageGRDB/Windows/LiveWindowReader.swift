import GRDB
import Synchronization

/// What a window shows.
package struct WindowContent<Item: Sendable>: Sendable {
    package let items: [Item]
    package let hasMoreBefore: Bool
    package let hasMoreAfter: Bool

    fileprivate init(_ window: ListWindow<Item>) {
        items = window.items
        hasMoreBefore = !window[.start].isOpen
        hasMoreAfter = !window[.end].isOpen
    }
}

/// Reads a part of a list, goes where it is asked to, and puts rows that changed in their places.
final class LiveWindowReader<R: StorageKitEntityRecord, Item: Sendable>: LiveReader {
    private let live: LiveTable<R>
    private let question: WindowQuestion<R, Item>
    private let reads: LiveReads
    private let wishes: WindowWishes
    let latest = LatestValue<WindowContent<Item>>()
    private let held = Mutex<Held?>(nil)

    var table: String? { live.table.name }
    var sql: String { (try? question.forward.selectionSQL(alsoSelecting: []).sql) ?? "" }

    private struct Held {
        var window: ListWindow<Item>
        /// How changed rows are put in their places; nil if the window has to be read again.
        let sort: LiveSort?
    }

    init(_ live: LiveTable<R>, _ question: WindowQuestion<R, Item>, _ reads: LiveReads, _ wishes: WindowWishes) {
        self.live = live
        self.question = question
        self.reads = reads
        self.wishes = wishes
    }

    func readNow(_ pending: LivePending) -> LiveOutcome? {
        guard question.mayBeBrief, wishes.waiting.isEmpty, let count = pending.rowCount else { return nil }
        if count == 0 { return .nothing }
        guard count <= LivePending.fewRows, held.withLock({ $0?.window.keepsPlaces }) == true else { return nil }
        reads.stretch?.forget()
        // What cannot be read so is read the other way, where an error is found again.
        let outcome: LiveOutcome? = try? live.db.readSnapshotNow(pending) { db, changes in
            guard case .rows(let tables) = changes, let put = try put(tables, WindowSteps(question: question, db: db))
            else {
                pending.add(changes)
                return nil
            }
            return self.outcome(of: put)
        }
        if outcome != nil { sayStretch() }
        return outcome
    }

    func read(_ pending: LivePending) async throws -> LiveOutcome {
        let asked = wishes.waiting
        if pending.rowCount == 0, asked.isEmpty { return .nothing }
        reads.stretch?.forget()
        let outcome = try await live.db.convertingErrors(during: .read, of: live.table) {
            let schema = live.schema()
            let (outcome, results) = try await live.db.readSnapshot(isShort: false, pending) { [self] db, changes in
                try read(db, schema, changes, asked)
            }
            wishes.finish(asked, results)
            return outcome
        }
        // After a read that fails no change is passed over: what mends it may stand anywhere.
        sayStretch()
        return outcome
    }

    private func read(
        _ db: Database, _ schema: LiveTable<R>.Schema, _ changes: LiveChange, _ asked: [WindowRequest]
    ) throws -> (outcome: LiveOutcome, results: [Result<Void, any Error>?]) {
        let steps = WindowSteps(question: question, db: db)
        var changes = changes
        if asked.isEmpty, case .rows(let tables) = changes {
            if let put = try put(tables, steps) { return (outcome(of: put), []) }
            changes = .anything
        }
        let shape = try live.shape(db, schema, with: reads.others)
        let sort = live.db.changes.canServeCaches ? try question.sort(shape, db) : nil
        var current: ListWindow<Item>?
        var results: [Result<Void, any Error>?] = []
        for request in asked {
            do {
                guard
                    let next = try window(at: request.wish, from: { try current ?? upToDate(changes, steps) }, steps)
                else {
                    results.append(nil)
                    continue
                }
                current = next
                results.append(.success(()))
            } catch  where !error.isOfThisCall {
                // The others go where they can.
                results.append(.failure(StorageError.from(error, during: .read)))
            }
        }
        var next = try current ?? upToDate(changes, steps)
        if let sort { next.keepPlaces(sort.order) }
        held.withLock { [next] in $0 = Held(window: next, sort: sort) }
        return (.all(isNew: become(), next.count), results)
    }

    /// The window where a wish leads; nil for a row that the list does not have.
    private func window(
        at wish: WindowWish, from current: () throws -> ListWindow<Item>, _ steps: WindowSteps<R, Item>
    ) throws -> ListWindow<Item>? {
        switch wish {
        case .nowhere: return try current()
        case .start: return try steps.page(at: .start)
        case .end: return try steps.page(at: .end)
        case .previous: return try steps.extended(current(), at: .start)
        case .next: return try steps.extended(current(), at: .end)
        case .row(let values): return try steps.page(around: values)
        }
    }

    /// What came of rows that were put in their places.
    private func outcome(of put: (isNew: Bool, rowCount: Int)) -> LiveOutcome {
        .some(isNew: put.isNew && become(), put.rowCount, areGroups: question.forward.groupKeys != nil)
    }

    private func sayStretch() {
        guard let stretch = reads.stretch else { return }
        held.withLock { held in
            if let held, let sort = held.sort { held.window.say(sort.order, stretch) }
        }
    }

    private func become() -> Bool {
        held.withLock { $0.map { WindowContent($0.window) } }.map(latest.become) ?? false
    }

    /// The window as it is after the changes.
    private func upToDate(_ changes: LiveChange, _ steps: WindowSteps<R, Item>) throws -> ListWindow<Item> {
        guard let window = held.withLock({ $0?.window }) else { return try steps.page(at: .start) }
        switch changes {
        case .nothing: return window
        case .rows(let tables):
            guard try put(tables, steps) != nil else { return try steps.again(window) }
            return held.withLock { $0?.window } ?? window
        case .anything: return try steps.again(window)
        }
    }

    /// Puts changed rows of the window in their places.
    ///
    /// - Returns: Whether it is another now, and how many rows were read; nil if it has to be read again.
    private func put(
        _ tables: [String: ChangedRows], _ steps: WindowSteps<R, Item>
    ) throws -> (isNew: Bool, rowCount: Int)? {
        guard let sort = held.withLock({ $0?.window.keepsPlaces == true ? $0?.sort : nil }),
            let concerned = try sort.concerned(steps.db, by: tables)
        else { return nil }
        if concerned.isEmpty { return (false, 0) }
        guard let found = try sort.rows(of: concerned, question.table, steps.db, question.selected.read) else {
            return nil
        }
        let (ids, order) = (concerned.ids, sort.order)
        let outcome: LiveRows<Item>.Outcome? = held.withLock { held in
            held?.window.isSettled(after: ids, found, question.size) == true
                ? held?.window.apply(ids, found, order) : nil
        }
        if let outcome { return outcome == .incomplete ? nil : (outcome == .changed, found.count) }
        // More is to be read, which may fail: the window stays as it is until that is done.
        guard let before = held.withLock({ $0?.window }) else { return nil }
        var next = before
        guard next.apply(ids, found, order) != .incomplete else { return nil }
        try steps.settle(&next, since: before, doubtful: before.doubtfulSides(ids))
        next.keepPlaces(order)
        held.withLock { [next] in $0?.window = next }
        return (true, found.count)
    }
}
