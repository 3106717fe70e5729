import GRDB

/// A to-many relation in a selection: its entities are read by one more statement for all rows.
struct SelectedRelation: Sendable {
    /// The place of the owner's id among what is selected.
    private(set) var place: Int
    let rows: any SelectedRows

    /// The same behind others.
    func behind(_ count: Int) -> SelectedRelation {
        var relation = self
        relation.place += count
        return relation
    }
}

/// The rows of a relation, whatever their entity is. It is known by its identity.
protocol SelectedRows: AnyObject, Sendable {
    /// The tables that are read for them.
    var tablesRead: TablesRead { get }

    /// The entities of each owner.
    ///
    /// - Parameter keys: The ids of the owners, no two the same.
    func lists(of keys: [StoredValue], _ db: Database, _ coders: JSONCoders) throws -> [any Sendable]

    /// Whether an owner has the same entities in both.
    func areSame(of owner: StoredValue, _ left: RelatedLists?, _ right: RelatedLists?) -> Bool
}

private final class RowsOfToMany<E: RegisteredEntity>: SelectedRows {
    private let way: ToMany<E>.Way
    private let owner: SourceTable

    init(_ way: ToMany<E>.Way, of owner: SourceTable) {
        self.way = way
        self.owner = owner
    }

    var tablesRead: TablesRead { way.tablesRead(nil) }

    func lists(of keys: [StoredValue], _ db: Database, _ coders: JSONCoders) throws -> [any Sendable] {
        let table = RecordTable(E.Record.self, coders: coders)
        return try db.children(of: way.parents(keys, owner, db), nil, table)
    }

    func areSame(of owner: StoredValue, _ left: RelatedLists?, _ right: RelatedLists?) -> Bool {
        func list(_ lists: RelatedLists?) -> [E]? { lists?.list(of: ObjectIdentifier(self), owner) }
        return list(left) == list(right)
    }
}

extension RelatedLists {
    /// Reads the entities that go with rows.
    ///
    /// - Parameters:
    ///   - relations: The relations.
    ///   - rows: What was selected.
    convenience init(
        _ relations: [SelectedRelation], of rows: [[StoredValue]], _ db: Database, _ coders: JSONCoders
    ) throws {
        var all: [ObjectIdentifier: [StoredValue: any Sendable]] = [:]
        for relation in relations {
            let keys = Array(Set(rows.map { $0[relation.place] }).subtracting([.null]))
            let lists = try relation.rows.lists(of: keys, db, coders)
            all[ObjectIdentifier(relation.rows)] = Dictionary(uniqueKeysWithValues: zip(keys, lists))
        }
        self.init(all)
    }
}

extension QueryPlan {
    /// The tables that are read beside the plan's own.
    func otherTablesRead(beside selected: _SelectedNodes) -> TablesRead {
        var tables = otherTablesRead
        for relation in selected.related { tables.add(relation.rows.tablesRead) }
        return tables
    }
}

extension ToMany: Selectable {
    /// The rows.
    public typealias Value = [E]

    /// All columns of all rows, in the order of their ids: one more statement, for however many rows of the query.
    public var _selected: _Selected<[E]> {
        guard let from, from.root != nil else {
            return _Selected([.invalid(InvalidQuery.relationOfNoRow.reason)]) { _ in [] }
        }
        let rows = RowsOfToMany(way, of: from.table)
        var all = _SelectedNodes(nodes: [.column(from.table.idColumn, of: from)])
        all.related = [SelectedRelation(place: 0, rows: rows)]
        let read: @Sendable (inout RowReader) -> [E] = { row in
            defer { row.index += 1 }
            return row.related?.list(of: ObjectIdentifier(rows), row.storedValue(at: row.index)) ?? []
        }
        return _Selected(all, read: read) { row, values in repeat { values.append(read(&row)) } while row.advance() }
    }
}
