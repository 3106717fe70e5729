import GRDB
import Synchronization

/// The live values of one entity type: who observes what, and which of it a commit can have changed.
///
/// All who observe the same row, list or count share one ``LiveSource``.
package final class LiveTable<R: StorageKitEntityRecord>: Sendable {
    let table: RecordTable<R>
    let db: DatabaseActor
    private let name: String
    private let shape: SchemaMemo<TableShape>
    /// The lowercased names of all tables whose changes SQLite tells of.
    private let tablesOfRows = SchemaMemo<Set<String>> { try $0.tablesOfRows() }
    private let onError: ErrorHandler?
    private let state = Mutex(LiveTableState())

    init(_ table: RecordTable<R>, _ shape: SchemaMemo<TableShape>, db: DatabaseActor, onError: ErrorHandler?) {
        self.table = table
        self.shape = shape
        self.db = db
        self.onError = onError
        name = table.name.asciiLowercased
    }

    // MARK: - What is observed

    /// The entity with an id; nil while there is none.
    package func row(_ id: StoredValue) -> LiveValue<R.E?> {
        value(of: .row(id), in: db.rounds) { LiveRow($0, id: id) }
    }

    /// What a plan asks for, in its order.
    package func list(_ plan: QueryPlan) -> LiveValue<[R.E]> {
        unlessItFails {
            let query = try table.selectSQL(of: plan)
            return list(plan, of: query, table.all(query)) { try EntityCodec.decode(R.self, &$0) }
        }
    }

    /// A list that changed rows are put into.
    private func list<Row: Sendable>(
        _ plan: QueryPlan, of query: LoweredQuery?, _ all: TableRead<[Row]>,
        _ read: @escaping @Sendable (inout RowReader) throws -> Row
    ) -> LiveValue<[Row]> {
        let trails = plan.trails
        let reads = LiveReads(plan, trails, hasStretch: plan.limit != nil)
        return value(of: .read(LiveReadKey(query, [Row].self)), reading: reads) {
            LiveList($0, plan, trails, all, reads.stretch, read)
        }
    }

    /// How many rows a plan asks for.
    package func count(_ plan: QueryPlan) -> LiveValue<Int> {
        unlessItFails {
            let query = try plan.countSQL()
            // Of the rows that are counted only the columns of conditions are read.
            var counted = plan
            counted.order = []
            if counted.selection == nil { counted.selection = [] }
            return value(
                table.count(query), of: query, reading: LiveReads(counted, counted.trails), isRepeated: ==)
        }
    }

    /// What is read of the table and others, for one who shares it with nobody. It is read again as a whole.
    package func value<Value: Sendable>(_ read: TableRead<Value>, reading others: TablesRead) -> LiveValue<Value> {
        value(read, of: nil, reading: LiveReads(others))
    }

    /// - Parameter isRepeated: Tells a value of which nobody need hear, since it is the one before.
    private func value<Value: Sendable>(
        _ read: TableRead<Value>, of query: LoweredQuery?, reading reads: LiveReads,
        isRepeated: (@Sendable (Value, Value) -> Bool)? = nil
    ) -> LiveValue<Value> {
        value(of: .read(LiveReadKey(query, Value.self)), reading: reads) {
            LiveRead($0, read, reading: reads.others, isRepeated: isRepeated)
        }
    }

    /// What a reader reads, for one who shares it with nobody.
    func value<Value: Sendable>(_ reader: some LiveReader<Value>, reading reads: LiveReads) -> LiveValue<Value> {
        value(of: .read(LiveReadKey(nil, Value.self)), reading: reads, in: db.rounds) { _ in reader }
    }

    /// - Parameter make: Throws where there is nothing to read; who observes it hears the error.
    package func unlessItFails<Value: Sendable>(_ make: () throws -> LiveValue<Value>) -> LiveValue<Value> {
        do {
            return try make()
        } catch {
            return LiveValue(failing: error, onError: onError)
        }
    }

    /// What a plan selects. Two selections are two things, even of the same SQL: each makes something of its own of the rows.
    package func selection<Row: Sendable>(_ plan: QueryPlan, _ selected: _Selected<Row>) -> LiveValue<[Row]> {
        unlessItFails {
            let plan = try plan.sortingGroups()
            return selection(plan, selected.all, try table.selected(plan, selected), selected.read)
        }
    }

    /// What a plan selects.
    ///
    /// - Parameters:
    ///   - plan: The plan; groups that are alike to its order come by their keys.
    ///   - selected: What it selects of each row.
    ///   - all: All of its rows.
    ///   - read: Makes something of one.
    func selection<Row: Sendable>(
        _ plan: QueryPlan, _ selected: _SelectedNodes, _ all: TableRead<[Row]>,
        _ read: @escaping @Sendable (inout RowReader) throws -> Row
    ) -> LiveValue<[Row]> {
        guard selected.related.isEmpty else { return value(all, reading: plan.otherTablesRead(beside: selected)) }
        return list(plan, of: nil, all, read)
    }

    private func value<Value>(
        of key: LiveKey, reading reads: LiveReads = LiveReads(), in rounds: LiveRounds? = nil,
        _ reader: @escaping @Sendable (LiveTable) -> some LiveReader<Value>
    ) -> LiveValue<Value> {
        LiveValue(onError: onError, isOpen: { [db] in db.isOpen }) { [self] receive in
            // Listening comes first, so that no commit falls between it and the first read.
            db.changes.track(table.name, idColumn: table.idColumn)
            for (table, columns) in reads.tracked {
                db.changes.track(table.name, idColumn: table.idColumn, columns: columns)
            }
            db.changes.listen(self, watching: db.watchesOtherProcesses)
            db.changes.catchUp()
            // The app's monitor is asked outside of the lock.
            let watch = db.streamWatch
            let (source, receiver) = state.withLock { state in
                // Who asks for the same shares a source. While a commit of ours is under way, commits of other processes are not noticed:
                // the shared value may lack them, and is read again.
                let known = state[key, reads.scope]
                if let known, db.changes.knowsStates, !db.changes.isCurrent { known.source.expect(.anything) }
                let observed =
                    known
                    ?? LiveTableState.Observed(
                        source: LiveSource(
                            reader(self), rounds: rounds, workers: db.liveWorkers, watch: watch),
                        reads: reads)
                state[key, reads.scope] = observed
                return (observed.source, observed.source.join(receive))
            }
            return LiveSubscription(refresh: source.refresh) { [self] in
                let left = state.withLock { state in
                    let left = source.leave(receiver)
                    if left.isLast { state[key, reads.scope] = nil }
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
        state.withLock { state in state.rows.count + state.reads.values.reduce(0) { $0 + $1.count } }
    }

    // MARK: - What the table is

    /// Reads the table and others. From then on, only changes that concern them wake anybody.
    func read<T: Sendable>(
        mayBeBrief: Bool = true, with others: TablesRead = TablesRead(),
        _ body: @escaping @Sendable (Database, TableShape) throws -> T
    ) async throws -> T {
        let schema = schema()
        return try await db.convertingErrors(during: .read, of: table) {
            try await db.readRows(mayBeBrief: mayBeBrief) { [self] db in
                try body(db, shape(db, schema, with: others))
            }
        }
    }

    /// To be called before a read begins, and handed to ``shape(_:_:with:)`` in it.
    func schema() -> Schema {
        Schema(number: state.withLock { $0.schemas }, epoch: db.changes.epoch)
    }

    struct Schema: Sendable {
        fileprivate let number: Int
        fileprivate let epoch: Int
    }

    /// What the table is to a read, which may look at others too. From then on, only changes that concern them wake anybody.
    func shape(_ db: Database, _ schema: Schema, with others: TablesRead) throws -> TableShape {
        let tables = try others.isEmpty ? nil : tablesOfRows.value(db, epoch: schema.epoch)
        let shape = try shape.value(db, epoch: schema.epoch)
        follow(shape, tables, schema)
        return shape
    }

    /// The same without asking the database.
    ///
    /// - Returns: Whether that was possible.
    func knowsShape(_ schema: Schema) -> Bool {
        guard let shape = shape.known(epoch: schema.epoch) else { return false }
        follow(shape, nil, schema)
        return true
    }

    /// - Parameter tables: The tables whose changes SQLite tells of; nil for a read that has not looked.
    private func follow(_ shape: TableShape, _ tables: Set<String>?, _ schema: Schema) {
        state.withLock { state in
            guard state.schemas == schema.number else { return }
            if let tables { state.tablesOfRows = tables }
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

    init(_ query: LoweredQuery?, _ type: any Any.Type) {
        self.query = query
        self.type = ObjectIdentifier(type)
        number = query == nil ? UUID() : nil
    }
}

/// What is observed: a row, or what a read gives.
private enum LiveKey: Sendable {
    case row(StoredValue)
    case read(LiveReadKey)
}

/// What is observed of a table. Not generic on purpose: generic code that is not specialised looks up the type of its values at each
/// use.
private struct LiveTableState {
    var following = Following.everything
    /// One more each time that the table may have become another.
    var schemas = 0
    /// The lowercased names of all tables whose changes SQLite tells of; nil while they are not known.
    var tablesOfRows: Set<String>?
    var rows: [StoredValue: Observed] = [:]
    /// By their scopes, since a commit concerns all of one or none.
    var reads: [LiveScope: [LiveReadKey: Observed]] = [:]

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
        let reads: LiveReads
    }

    subscript(key: LiveKey, scope: LiveScope) -> Observed? {
        get {
            switch key {
            case .row(let id): rows[id]
            case .read(let key): reads[scope]?[key]
            }
        }
        set {
            switch key {
            case .row(let id): rows[id] = newValue
            case .read(let key):
                reads[scope, default: [:]][key] = newValue
                if reads[scope]?.isEmpty == true { reads[scope] = nil }
            }
        }
    }

    func markAll() {
        for row in rows.values { row.source.mark(.anything) }
        for read in reads.values.joined() { read.value.source.mark(.anything) }
    }

    /// Marks what a commit may concern.
    ///
    /// - Parameter own: The lowercased name of the table that is observed.
    func mark(_ tables: [String: TableChange], of own: String) {
        if !rows.isEmpty { markRows(tables[own], of: own) }
        for (scope, observed) in reads {
            let change = scope.change(
                in: tables, of: own, knowsRows: following == .rows, tablesOfRows: tablesOfRows)
            guard change != .nothing else { continue }
            for read in observed.values {
                let narrowed = read.reads.narrowed(change, of: own)
                if narrowed != .nothing { read.source.mark(narrowed) }
            }
        }
    }

    private func markRows(_ change: TableChange?, of own: String) {
        switch change {
        case .rows(let ids, _) where following == .rows:
            for id in ids { rows[id]?.source.mark(.rows([own: ChangedRows(ids: [id])])) }
        case .some: for row in rows.values { row.source.mark(.anything) }
        case nil: break
        }
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
            case (.tables(let tables), _): state.mark(tables, of: name)
            }
        }
    }
}
