import GRDB

/// Finds out which rows of a plan, or which of its groups, changes of rows may concern.
final class LiveTraces: Sendable {
    private let plan: QueryPlan
    private let trails: Trails
    /// Of groups: where to learn what each key was.
    private let histories: [[KeyHistory]]?
    /// The lowercased names of the tables whose changes cannot be traced.
    private let untraced: Set<String>

    /// - Returns: Nil if changes of the plan's own rows cannot be traced.
    init?(_ plan: QueryPlan, _ trails: Trails, _ db: Database) throws {
        let own = plan.table.name.asciiLowercased
        guard !trails.untraced.mayRead(own) else { return nil }
        self.plan = plan
        self.trails = trails
        histories = plan.keyHistories
        if let keys = plan.groupKeys {
            guard histories != nil, try keys.allSatisfy({ try db.keeps($0, in: plan.table) }) else { return nil }
        }
        untraced = Set(
            try trails.all.filter { try !db.canFollow($0, in: plan.table) }.map { $0.table.name.asciiLowercased })
        if untraced.contains(own) { return nil }
    }

    /// Nil if they are too many, or if it is not known which they are.
    func concerned(_ db: Database, by changes: [String: ChangedRows]) throws -> ConcernedRows? {
        var ends: [(given: ExpressionNode, values: Set<StoredValue>)] = []
        for (table, changed) in changes {
            guard !untraced.contains(table) else { return nil }
            if table == plan.table.name.asciiLowercased {
                ends.append((.column(plan.table.idColumn, of: nil), changed.ids))
            }
            for trail in trails.trails(of: table) {
                guard let values = try follow(trail, changed, db) else { return nil }
                ends.append((trail.end, values))
            }
        }
        return try plan.groupKeys == nil ? rows(at: ends, db) : groups(at: ends, changes, db)
    }

    /// What the rows at the end of a trail hold.
    private func follow(_ trail: Trail, _ changed: ChangedRows, _ db: Database) throws -> Set<StoredValue>? {
        var values = changed.ids
        for (position, leg) in trail.legs.enumerated() {
            guard let found = try db.someValues(leg.query(Array(values))) else { return nil }
            values = found
            if position == 0, let column = trail.formerColumn {
                guard let former = changed.values.columns[column]?.former else { return nil }
                values.formUnion(former)
            }
            guard values.count <= LivePending.mostRows else { return nil }
        }
        return values
    }

    private func rows(
        at ends: [(given: ExpressionNode, values: Set<StoredValue>)], _ db: Database
    ) throws -> ConcernedRows? {
        let id = ExpressionNode.column(plan.table.idColumn, of: nil)
        var ids: Set<StoredValue> = []
        for (given, values) in ends where !values.isEmpty {
            if plan.ownColumn(given) == plan.table.idColumn {
                // Nobody's parent has no id.
                ids.formUnion(values.filter { $0 != .null })
            } else {
                guard let found = try db.someValues(plan.query(for: [id], where: given, isIn: Array(values))) else {
                    return nil
                }
                ids.formUnion(found)
            }
            guard ids.count <= LivePending.mostRows else { return nil }
        }
        return ConcernedRows(ids: ids, keys: [(id, ids)])
    }

    /// The groups that concerned rows belong to now, and those that they belonged to.
    private func groups(
        at ends: [(given: ExpressionNode, values: Set<StoredValue>)], _ changes: [String: ChangedRows], _ db: Database
    ) throws -> ConcernedRows? {
        guard let keys = plan.groupKeys, let histories else { return nil }
        var values: [Set<StoredValue>] = []
        for history in histories {
            guard let former = try former(history, changes, db) else { return nil }
            values.append(former)
        }
        for (given, found) in ends where !found.isEmpty {
            // One key at a time: a row whose parent is gone is in no group any more, and has its other keys still.
            for (place, key) in keys.enumerated() {
                let query = try plan.query(for: [key], where: given, isIn: Array(found))
                guard let found = try db.someValues(query) else { return nil }
                values[place].formUnion(found)
            }
        }
        // Of several keys all pairs are read, of which some may have no rows.
        var ids: [[StoredValue]] = [[]]
        for values in values {
            guard ids.count * values.count <= LivePending.mostRows else { return nil }
            ids = ids.flatMap { id in values.map { id + [$0] } }
        }
        return ConcernedRows(
            ids: Set(ids.map { StoredValue.together($0) }), keys: Array(zip(keys, values)))
    }

    /// What a key was for rows that have changed; nil if that is not known.
    private func former(
        _ histories: [KeyHistory], _ changes: [String: ChangedRows], _ db: Database
    ) throws -> Set<StoredValue>? {
        var values: Set<StoredValue> = []
        for history in histories {
            guard let changed = changes[history.table] else { continue }
            guard let former = changed.values.columns[history.column]?.former else { return nil }
            // Where it leads from there is not known any more, if what it led to has got another key.
            if let leg = history.leg, !former.isEmpty, mayHaveMoved(leg, from: former, changes) { return nil }
            guard let found = try history.leg.map({ try db.someValues($0.query(Array(former))) }) ?? former else {
                return nil
            }
            values.formUnion(found)
            // A row that was not there led nowhere.
            if history.mayBeNull, !former.isEmpty || changed.values.addsRows { values.insert(.null) }
        }
        return values
    }

    private func mayHaveMoved(
        _ leg: Trail.Leg, from former: Set<StoredValue>, _ changes: [String: ChangedRows]
    ) -> Bool {
        guard case .column(let key, _) = leg.given, let changed = changes[leg.plan.table.name.asciiLowercased] else {
            return false
        }
        return changed.values.columns[key]?.former?.isDisjoint(with: former) != true
    }
}

/// The rows, or the groups, of a list that a change may concern.
struct ConcernedRows {
    /// What tells them apart.
    let ids: Set<StoredValue>
    /// What they hold in each of the columns that tell them apart.
    private let keys: [(column: ExpressionNode, values: Set<StoredValue>)]

    fileprivate init(ids: Set<StoredValue>, keys: [(ExpressionNode, Set<StoredValue>)]) {
        self.ids = ids
        self.keys = keys
    }

    var isEmpty: Bool { ids.isEmpty }

    /// A date is found in other spellings too, which are ids of other rows.
    func contains(_ id: StoredValue) -> Bool { ids.contains(id) }

    /// The column that tells the one row, or group, from others, and what it holds there; nil if they are more, or the columns are.
    var one: (column: ExpressionNode, value: StoredValue)? {
        guard keys.count == 1, keys[0].values.count == 1, let value = keys[0].values.first else { return nil }
        return (keys[0].column, value)
    }

    /// The condition that finds them.
    var condition: ExpressionNode {
        let each = keys.map { column, values in
            ExpressionNode.isIn(column, values.filter { $0 != .null }, nil, orNull: values.contains(.null))
        }
        return each.dropFirst().reduce(each.first ?? .never) { .and($0, $1) }
    }
}

extension StoredValue {
    /// Several values as one, for telling groups of several keys apart; a single one as it is.
    static func together(_ values: [StoredValue]) -> StoredValue {
        if values.count == 1 { return values[0] }
        return .text(values.map { value in "\(value.tagged.utf8.count):\(value.tagged)" }.joined())
    }
}

extension Database {
    /// What a query finds, and some more where it is more than can be followed; nil if there is a text that is not UTF-8.
    fileprivate func someValues(_ query: LoweredQuery) throws -> Set<StoredValue>? {
        var query = query
        query.append(" LIMIT \(LivePending.mostRows + 1)")
        var values: Set<StoredValue>? = []
        try forEachRow(query, coders: .standard) { row in
            if let value = row.exactValue(at: 0) { values?.insert(value) } else { values = nil }
        }
        return values
    }

    /// Whether equal values of a column are one stored value.
    fileprivate func keeps(_ node: ExpressionNode, in table: SourceTable) throws -> Bool {
        guard case .column(let name, let source) = node else { return false }
        let table = source?.table ?? table
        switch try table.column(name).form.type {
        case .text, .integer, .boolean, .blob: return try comparesBytes(name, of: table.name) && hasTypes(of: table)
        default: return false
        }
    }

    /// Whether the file's columns have the types of the model's.
    private func hasTypes(of table: SourceTable) throws -> Bool {
        let schema = TableSchema(name: table.name, columns: table.columns.map(\.schema))
        return try diff(schema).retypedColumns.isEmpty
    }

    /// Whether the values on a trail are found where SQLite's own comparison would find them.
    fileprivate func canFollow(_ trail: Trail, in root: SourceTable) throws -> Bool {
        let id = ExpressionNode.column(trail.table.idColumn, of: nil)
        guard try keeps(id, in: trail.table) else { return false }
        var type = try trail.table.column(trail.table.idColumn).form.type
        for leg in trail.legs {
            guard try hasType(type, leg.given, in: leg.plan.table), try keeps(leg.taken, in: leg.plan.table) else {
                return false
            }
            type = try leg.plan.form(of: leg.taken).type
        }
        return try hasType(type, trail.end, in: root)
    }

    private func hasType(_ type: StorageCore.ColumnType?, _ node: ExpressionNode, in table: SourceTable) throws -> Bool
    {
        guard case .column(let name, let source) = node, try keeps(node, in: table) else { return false }
        return try (source?.table ?? table).column(name).form.type == type
    }
}
