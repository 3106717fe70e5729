import GRDB

/// A relation that queries can fill in the entities that they find: one statement for all of them.
package protocol LoadedRelation<Owner>: Sendable {
    /// The entity whose property is filled.
    associatedtype Owner: RegisteredEntity

    /// The property.
    var property: AnyKeyPath { get }
    /// The tables that are read to fill it.
    ///
    /// - Parameter plan: What is asked for of the related rows; nil for all.
    func tablesRead(_ plan: QueryPlan?) -> TablesRead
    /// Fills the property.
    ///
    /// - Parameters:
    ///   - owners: The entities. None is left as it is: without a related row the property is [] or nil.
    ///   - plan: What is asked for of the related rows; nil for all.
    ///   - others: What is filled in the related entities in turn.
    func load(
        into owners: inout [Owner], _ plan: QueryPlan?, _ others: LoadedPaths, _ db: Database, _ coders: JSONCoders
    ) throws
}

/// The rows of another entity that refer to each, or that a link refers to.
struct LoadedToMany<Owner: RegisteredEntity, Child: RegisteredEntity>: LoadedRelation {
    let path: any WritableKeyPath<Owner, [Child]> & Sendable
    let way: ToMany<Child>.Way

    var property: AnyKeyPath { path }

    func tablesRead(_ plan: QueryPlan?) -> TablesRead {
        var tables = (plan ?? QueryPlan(RecordTable(Child.Record.self).source)).tablesRead
        if case .link(let link) = way { tables.add(link.table) }
        return tables
    }

    func load(
        into owners: inout [Owner], _ plan: QueryPlan?, _ others: LoadedPaths, _ db: Database, _ coders: JSONCoders
    ) throws {
        let ownerTable = RecordTable(Owner.Record.self, coders: coders)
        let keys = DistinctKeys(owners.map { ownerTable.storedId($0.id) })
        let table = RecordTable(Child.Record.self, coders: coders)
        let children = try db.children(
            of: try parents(keys.values, ownerTable.source, table.source), plan, table, others)
        var lists = [[Child]](repeating: [], count: keys.values.count)
        for (child, parent) in zip(children.entities, children.parents) { lists[parent].append(child) }
        for (position, key) in keys.positions.enumerated() {
            owners[position][keyPath: path] = key.map { lists[$0] } ?? []
        }
    }

    private func parents(_ keys: [StoredValue], _ owner: SourceTable, _ child: SourceTable) throws -> ParentRows {
        switch way {
        case .key(let column): return ParentRows(keys, column: column)
        case .link(let link):
            do {
                let columns = try link.columns(from: owner, to: child)
                return ParentRows(keys, column: child.idColumn, link: (link.table, columns.from, columns.to))
            } catch {
                throw StorageError.invalidQuery(error.reason)
            }
        }
    }
}

/// The row of another entity that each refers to.
struct LoadedToOne<Owner: RegisteredEntity, Other: RegisteredEntity>: LoadedRelation {
    let path: any WritableKeyPath<Owner, Other?> & Sendable
    /// The column that refers to the other.
    let key: String

    var property: AnyKeyPath { path }

    func tablesRead(_ plan: QueryPlan?) -> TablesRead {
        (plan ?? QueryPlan(RecordTable(Other.Record.self).source)).tablesRead
    }

    func load(
        into owners: inout [Owner], _ plan: QueryPlan?, _ others: LoadedPaths, _ db: Database, _ coders: JSONCoders
    ) throws {
        let ownerTable = RecordTable(Owner.Record.self, coders: coders)
        let keys = DistinctKeys(try owners.map { try ownerTable.value(of: key, in: $0) })
        let table = RecordTable(Other.Record.self, coders: coders)
        let found = try db.children(of: ParentRows(keys.values, column: table.idColumn), plan, table, others)
        var related = [Other?](repeating: nil, count: keys.values.count)
        for (other, position) in zip(found.entities, found.parents) { related[position] = other }
        for (position, key) in keys.positions.enumerated() {
            owners[position][keyPath: path] = key.flatMap { related[$0] }
        }
    }
}

/// Keys, each once, and which of them stands where.
private struct DistinctKeys {
    private(set) var values: [StoredValue] = []
    /// For each place the position of its key; nil where there is none.
    private(set) var positions: [Int?] = []

    init(_ keys: [StoredValue?]) {
        var known: [StoredValue: Int] = [:]
        known.reserveCapacity(keys.count)
        positions.reserveCapacity(keys.count)
        for key in keys {
            guard let key, key != .null else {
                positions.append(nil)
                continue
            }
            let position = known[key] ?? values.count
            if position == values.count {
                known[key] = position
                values.append(key)
            }
            positions.append(position)
        }
    }
}

extension RecordTable {
    /// What an entity's row has in a column.
    fileprivate func value(of column: String, in entity: R.E) throws -> StoredValue? {
        guard let index = columns.firstIndex(where: { $0.name == column }) else {
            _ = try source.column(column)
            return nil
        }
        return try values(of: entity, now: .distantPast)[index]
    }
}

extension Database {
    /// Related entities, in order, each with the position of the key by which it belongs to an owner.
    fileprivate func children<R: StorageKitEntityRecord>(
        of parents: ParentRows, _ plan: QueryPlan?, _ table: RecordTable<R>, _ others: LoadedPaths
    ) throws -> (entities: [R.E], parents: [Int]) where R.E: RegisteredEntity {
        guard !parents.keys.isEmpty else { return ([], []) }
        try table.check()
        var entities: [R.E] = []
        var positions: [Int] = []
        let query = try (plan ?? QueryPlan(table.source)).childrenSQL(of: parents)
        let positionColumn = Int32(table.columns.count)
        try forEachRow(query, coders: table.coders) { row in
            entities.append(try EntityCodec.decode(R.self, &row))
            positions.append(Int(try row.integer(at: positionColumn, as: Int64.self)))
        }
        try others.load(into: &entities, self, table.coders)
        return (entities, positions)
    }
}
