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
            return value(of: \.lists, key: try plan.selectSQL(), reading: plan.otherTablesRead) { LiveList($0, plan) }
        } catch {
            return LiveValue(failing: error, onError: onError)
        }
    }

    /// How many rows a plan asks for.
    package func count(_ plan: QueryPlan) -> LiveValue<Int> {
        do {
            let query = try plan.countSQL()
            return value(try table.count(plan), of: query, reading: plan.otherTablesRead, isRepeated: ==)
        } catch {
            return LiveValue(failing: error, onError: onError)
        }
    }

    /// What is read of the table and others, once for all who observe the same. It is read again as a whole.
    ///
    /// - Parameters:
    ///   - read: The read.
    ///   - query: What tells the read from others that give the same type; nil for one that nobody shares.
    ///   - others: The tables that it reads beside this one.
    ///   - isRepeated: Tells a value of which nobody need hear, since it is the one before.
    package func value<Value: Sendable>(
        _ read: TableRead<Value>, of query: LoweredQuery? = nil, reading others: TablesRead,
        isRepeated: (@Sendable (Value, Value) -> Bool)? = nil
    ) -> LiveValue<Value> {
        let key = LiveReadKey(query: query, type: ObjectIdentifier(Value.self), number: query == nil ? UUID() : nil)
        return value(of: \.reads, key: key, reading: others) {
            LiveRead($0, read, reading: others, isRepeated: isRepeated)
        }
    }

    /// Something that cannot be read.
    package func failing<Value: Sendable>(_ error: any Error) -> LiveValue<Value> {
        LiveValue(failing: error, onError: onError)
    }

    /// What a plan selects. Two selections are two things, even of the same SQL: each makes something of its own of the rows.
    package func selection<Row: Sendable>(_ plan: QueryPlan, _ selected: _Selected<Row>) -> LiveValue<[Row]> {
        do {
            return value(
                table.values(try plan.selectionSQL(), reading: selected.read), reading: plan.otherTablesRead)
        } catch {
            return failing(error)
        }
    }

    private func value<Key: Hashable & Sendable, Value>(
        of sources: any WritableKeyPath<LiveTableState, [Key: LiveTableState.Observed]> & Sendable, key: Key,
        reading others: TablesRead = TablesRead(), in rounds: LiveRounds? = nil,
        _ reader: @escaping @Sendable (LiveTable) -> some LiveReader<Value>
    ) -> LiveValue<Value> {
        LiveValue(onError: onError) { [self] receive in
            // Listening comes first, so that no commit falls between it and the first read.
            db.changes.track(table.name, idColumn: table.idColumn)
            db.changes.listen(self, watching: db.watchesOtherProcesses)
            db.changes.catchUp()
            let (source, receiver) = state.withLock { state in
                let source = state[keyPath: sources][key]?.source ?? LiveSource(reader(self), rounds: rounds)
                state[keyPath: sources][key] = LiveTableState.Observed(source: source, others: others)
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
        state.withLock { $0.rows[id] }?.source.offer(saved)
    }

    /// How many different things are observed now.
    package var observedCount: Int {
        state.withLock { $0.rows.count + $0.lists.count + $0.reads.count }
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

    /// The same for a read that looks at other tables too.
    func shape(_ db: Database, _ schema: Schema, with others: TablesRead) throws -> TableShape {
        if !others.isEmpty, state.withLock({ $0.tablesOfRows == nil }) {
            let names = try db.tablesOfRows()
            state.withLock { if $0.schemas == schema.number { $0.tablesOfRows = names } }
        }
        return try shape(db, schema)
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

/// A read that is observed, and the type of what it gives.
private struct LiveReadKey: Hashable, Sendable {
    let query: LoweredQuery?
    let type: ObjectIdentifier
    /// Another for each read that nobody shares.
    let number: UUID?
}

/// What is observed of a table. It does not know types: those of the values are looked up at run time, at each use of them.
private struct LiveTableState {
    var following = Following.everything
    /// One more each time that the table may have become another.
    var schemas = 0
    /// The lowercased names of all tables whose changes SQLite tells of; nil while they are not known.
    var tablesOfRows: Set<String>?
    var rows: [StoredValue: Observed] = [:]
    var lists: [LoweredQuery: Observed] = [:]
    var reads: [LiveReadKey: Observed] = [:]

    /// Which changes concern the live values.
    enum Following {
        /// Any commit: it is not known yet what the table is, or it is a view.
        case everything
        /// Any change of the table, whichever row it is said to be of.
        case table
        /// Those of the rows that are observed.
        case rows
    }

    struct Observed {
        let source: LiveSource
        /// The tables that it reads beside the one that is observed.
        let others: TablesRead
    }

    func markAll() {
        for row in rows.values { row.source.mark(.anything) }
        for list in lists.values { list.source.mark(.anything) }
        for read in reads.values { read.source.mark(.anything) }
    }

    func mark(rows ids: Set<StoredValue>) {
        for id in ids { rows[id]?.source.mark(.rows([id])) }
        for list in lists.values { list.source.mark(.rows(ids)) }
        for read in reads.values { read.source.mark(.rows(ids)) }
    }

    /// Marks what reads other tables, if one of those has changed.
    func markReaders(of tables: Dictionary<String, TableChange>.Keys) {
        for list in lists.values where mayRead(tables, list.others) { list.source.mark(.anything) }
        for read in reads.values where mayRead(tables, read.others) { read.source.mark(.anything) }
    }

    private func mayRead(_ changed: Dictionary<String, TableChange>.Keys, _ others: TablesRead) -> Bool {
        if others.isEmpty { return false }
        // Of views and virtual tables nobody says when they change.
        guard !others.mayBeMore, let tablesOfRows, others.names.isSubset(of: tablesOfRows) else { return true }
        return changed.contains { others.names.contains($0) }
    }
}

extension LiveTable: ChangeListener {
    package func note(_ changes: ChangeSet) {
        state.withLock { state in
            switch (changes, state.following) {
            case (.anything, _):
                state.following = .everything
                state.tablesOfRows = nil
                state.schemas += 1
                state.markAll()
            case (.tables, .everything):
                state.markAll()
            case (.tables(let tables), let following):
                switch tables[name] {
                case .rows(let ids) where following == .rows: state.mark(rows: ids)
                case .some: return state.markAll()
                case nil: break
                }
                state.markReaders(of: tables.keys)
            }
        }
    }
}
