import GRDB
import Synchronization

/// The live values of one entity type: who observes what, and which of it a commit can have changed.
///
/// All who observe the same row, list or count share one ``LiveSource``.
package final class LiveTable<R: StorageKitEntityRecord>: Sendable {
    let table: RecordTable<R>
    let db: DatabaseActor
    private let name: String
    private let shape: TableShapeMemo<R>
    private let onError: ErrorHandler?
    private let state = Mutex(LiveTableState())

    init(_ table: RecordTable<R>, db: DatabaseActor, onError: ErrorHandler?) {
        self.table = table
        self.db = db
        self.onError = onError
        name = table.name.asciiLowercased
        shape = TableShapeMemo(table)
    }

    // MARK: - What is observed

    /// The entity with an id; nil while there is none.
    package func row(_ id: StoredValue) -> LiveValue<R.E?> {
        value(of: \.rows, key: id, in: db.rounds) { LiveRow($0, id: id) }
    }

    /// What a plan asks for, in its order.
    package func list(_ plan: QueryPlan) -> LiveValue<[R.E]> {
        do {
            return value(of: \.lists, key: try plan.selectSQL()) { LiveList($0, plan) }
        } catch {
            return LiveValue(failing: error, onError: onError)
        }
    }

    /// How many rows a plan asks for.
    package func count(_ plan: QueryPlan) -> LiveValue<Int> {
        do {
            let query = try plan.countSQL()
            return value(of: \.counts, key: query) { LiveCount($0, query) }
        } catch {
            return LiveValue(failing: error, onError: onError)
        }
    }

    private func value<Key: Hashable & Sendable, Value>(
        of sources: any WritableKeyPath<LiveTableState, [Key: LiveSource]> & Sendable, key: Key,
        in rounds: LiveRounds? = nil, _ reader: @escaping @Sendable (LiveTable) -> some LiveReader<Value>
    ) -> LiveValue<Value> {
        LiveValue(onError: onError) { [self] receive in
            // Listening comes first, so that no commit falls between it and the first read.
            db.changes.track(table.name, idColumn: table.idColumn)
            db.changes.listen(self, watching: db.watchesOtherProcesses)
            db.changes.catchUp()
            let (source, receiver) = state.withLock { state in
                let source = state[keyPath: sources][key] ?? LiveSource(reader(self), rounds: rounds)
                state[keyPath: sources][key] = source
                return (source, source.join(receive))
            }
            return LiveSubscription(refresh: source.refresh) { [self] in
                let left = state.withLock { state in
                    let left = source.leave(receiver)
                    if left.isLast { state[keyPath: sources][key] = nil }
                    return left
                }
                db.changes.stop(self, watching: db.watchesOtherProcesses)
                withExtendedLifetime(left) {}
            }
        }
    }

    /// Whether somebody observes any entity by its id.
    var observesRows: Bool { state.withLock { !$0.rows.isEmpty } }

    /// Whether somebody observes the entity with an id.
    func observes(_ id: StoredValue) -> Bool {
        state.withLock { $0.rows[id] != nil }
    }

    /// Says what a commit, which was noted just before, left in a row. Called inside the hub's lock, as ``note(_:)`` is.
    func offer(_ saved: SavedEntity<R.E>, for id: StoredValue) {
        state.withLock { $0.rows[id] }?.offer(saved)
    }

    /// How many different things are observed now.
    package var observedCount: Int {
        state.withLock { $0.rows.count + $0.lists.count + $0.counts.count }
    }

    // MARK: - What the table is

    /// To be called before a read begins, and handed to ``shape(_:_:)`` in it.
    func schema() -> Schema {
        Schema(number: state.withLock { $0.schemas }, epoch: db.changes.epoch)
    }

    struct Schema: Sendable {
        fileprivate let number: Int
        fileprivate let epoch: Int
    }

    /// What the table is to a read. From then on, only changes that concern the table wake anybody.
    func shape(_ db: Database, _ schema: Schema) throws -> TableShape {
        let shape = try shape.value(db, epoch: schema.epoch)
        follow(shape, schema)
        return shape
    }

    /// The same without asking the database.
    ///
    /// - Returns: Whether that was possible.
    func knowsShape(_ schema: Schema) -> Bool {
        guard let shape = shape.known(epoch: schema.epoch) else { return false }
        follow(shape, schema)
        return true
    }

    private func follow(_ shape: TableShape, _ schema: Schema) {
        state.withLock { state in
            guard state.schemas == schema.number else { return }
            state.following = shape.hasKnownRows ? .rows : shape.isTable ? .table : .everything
        }
    }
}

/// What is observed of a table. It does not know types: those of the values are looked up at run time, at each use of them.
private struct LiveTableState {
    var following = Following.everything
    /// One more each time that the table may have become another.
    var schemas = 0
    var rows: [StoredValue: LiveSource] = [:]
    var lists: [LoweredQuery: LiveSource] = [:]
    var counts: [LoweredQuery: LiveSource] = [:]

    /// Which changes concern the live values.
    enum Following {
        /// Any commit: it is not known yet what the table is, or it is a view.
        case everything
        /// Any change of the table, whichever row it is said to be of.
        case table
        /// Those of the rows that are observed.
        case rows
    }

    func markAll() {
        for row in rows.values { row.mark(.anything) }
        for list in lists.values { list.mark(.anything) }
        for count in counts.values { count.mark(.anything) }
    }

    func mark(rows ids: Set<StoredValue>) {
        for id in ids { rows[id]?.mark(.rows([id])) }
        for list in lists.values { list.mark(.rows(ids)) }
        for count in counts.values { count.mark(.rows(ids)) }
    }
}

extension LiveTable: ChangeListener {
    package func note(_ changes: ChangeSet) {
        state.withLock { state in
            switch (changes, state.following) {
            case (.anything, _):
                state.following = .everything
                state.schemas += 1
                state.markAll()
            case (.tables, .everything):
                state.markAll()
            case (.tables(let tables), let following):
                switch tables[name] {
                case .rows(let ids) where following == .rows: state.mark(rows: ids)
                case .some: state.markAll()
                case nil: break
                }
            }
        }
    }
}
