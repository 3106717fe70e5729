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
        way.tablesRead(plan)
    }

    func load(
        into owners: inout [Owner], _ plan: QueryPlan?, _ others: LoadedPaths, _ db: Database, _ coders: JSONCoders
    ) throws {
        let ownerTable = RecordTable(Owner.Record.self, coders: coders)
        let keys = DistinctKeys(owners.map { ownerTable.storedId($0.id) })
        let table = RecordTable(Child.Record.self, coders: coders)
        let lists = try db.children(
            of: try way.parents(keys.values, ownerTable.source, db), plan, table, others)
        for (position, key) in keys.positions.enumerated() {
            owners[position][keyPath: path] = key.map { lists[$0] } ?? []
        }
    }
}

extension ToMany.Way {
    /// How the rows of some owners are found.
    ///
    /// - Parameters:
    ///   - keys: The ids of the owners.
    ///   - owner: Their table.
    func parents(_ keys: [StoredValue], _ owner: SourceTable, _ db: Database) throws -> ParentRows {
        let child = RecordTable(E.Record.self).source
        func collation(of side: SourceTable, unlikeThatOf key: String, in table: SourceTable) -> String? {
            let collation = db.collation(of: side.idColumn, in: side.name)
            return collation == db.collation(of: key, in: table.name) ? nil : collation
        }
        switch self {
        case .key(let column):
            return ParentRows(keys, column: column, collation: collation(of: owner, unlikeThatOf: column, in: child))
        case .link(let link):
            do {
                let columns = try link.columns(from: owner, to: child)
                return ParentRows(
                    keys, column: child.idColumn, link: (link.table, columns.from, columns.to),
                    collation: collation(of: owner, unlikeThatOf: columns.from, in: link.table),
                    childCollation: collation(of: child, unlikeThatOf: columns.to, in: link.table))
            } catch {
                throw StorageError.invalidQuery(error.reason)
            }
        }
    }

    /// The tables that are read to find the rows that a plan asks for; nil asks for all.
    func tablesRead(_ plan: QueryPlan?) -> TablesRead {
        var tables = (plan ?? QueryPlan(RecordTable(E.Record.self).source)).tablesRead
        if case .link(let link) = self { tables.add(link.table) }
        return tables
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
        for (position, key) in keys.positions.enumerated() {
            owners[position][keyPath: path] = key.flatMap { found[$0].last }
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
        let values = try EntityCodec.values(
            of: entity, as: R.self, columns, now: .distantPast, coders, wanted: index)
        return values[index]
    }
}

extension Database {
    /// For each key the related entities that belong to it, in order.
    func children<R: StorageKitEntityRecord>(
        of parents: ParentRows, _ plan: QueryPlan?, _ table: RecordTable<R>, _ others: LoadedPaths = LoadedPaths()
    ) throws -> [[R.E]] where R.E: RegisteredEntity {
        var lists = [[R.E]](repeating: [], count: parents.keys.count)
        try table.check()
        let query = try (plan ?? QueryPlan(table.source)).childrenSQL(of: parents)
        if lists.isEmpty {
            // What is wrong with it is told all the same.
            _ = try boundStatement(query)
        } else {
            let place = Int32(table.columns.count)
            try withRows(of: query, coders: table.coders) { row in
                try EntityCodec.namingColumn(of: R.self, &row) {
                    try R._decodeLists(&$0, numberedBy: place, into: &lists)
                }
            }
        }
        guard !others.isEmpty else { return lists }
        var entities = Array(lists.joined())
        try others.load(into: &entities, self, table.coders)
        var start = 0
        return lists.map { list in
            defer { start += list.count }
            return Array(entities[start..<start + list.count])
        }
    }
}
