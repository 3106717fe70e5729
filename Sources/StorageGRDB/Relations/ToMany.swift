/// The rows of another entity that refer to each row, directly or by rows of a link: to be counted, summed up, asked whether there
/// are any.
///
/// ```swift
/// storage.query(RemindersList.self).where { $0.reminders.exists { $0.isFlagged } }
/// storage.query(RemindersList.self).orderBy({ $0.reminders.max(\.dueDate) }, .descending, nulls: .last)
/// storage.query(Reminder.self).where { $0.tags.exists { $0.id == "swim" } }
/// ```
///
/// An index on the foreign key serves them, which ``StorageReference(_:onDelete:onUpdate:as:)`` makes. Through a link each row counts
/// once, however often it is linked.
@dynamicMemberLookup
public struct ToMany<E: RegisteredEntity>: RowSet, ColumnRefMember {
    /// How the rows are found.
    package enum Way: Sendable {
        /// They have the id in this column.
        case key(String)
        /// Rows of a link have both ids.
        case link(RelationLink)
    }

    package let way: Way
    /// Fills the entity's property for the others, where it has one that can be set.
    package let loaded: (any LoadedRelation)?
    /// The rows that are referred to; nil outside of closures.
    package private(set) var from: Source?

    /// The rows that hold the id in a column.
    ///
    /// - Parameter key: The column of the other table.
    public init(key: String) {
        way = .key(key)
        loaded = nil
    }

    /// The rows that hold the id in a column, with the entity's property for them.
    public init<Owner: RegisteredEntity>(key: String, property: any WritableKeyPath<Owner, [E]> & Sendable) {
        way = .key(key)
        loaded = LoadedToMany<Owner, E>(path: property, way: way)
    }

    /// The rows that rows of a link refer to.
    ///
    /// - Parameters:
    ///   - link: The entity of the link.
    ///   - from: The column of the link that refers here; nil for the only one that does.
    ///   - to: The column of the link that refers to the others; nil for the only one that does.
    public init<Link: RegisteredEntity>(through link: Link.Type, from: String? = nil, to: String? = nil) {
        way = .link(RelationLink(link, from: from, to: to))
        loaded = nil
    }

    /// The rows that rows of a link refer to, with the entity's property for them.
    public init<Link: RegisteredEntity, Owner: RegisteredEntity>(
        through link: Link.Type, from: String? = nil, to: String? = nil,
        property: any WritableKeyPath<Owner, [E]> & Sendable
    ) {
        way = .link(RelationLink(link, from: from, to: to))
        loaded = LoadedToMany<Owner, E>(path: property, way: way)
    }

    /// The same relation, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> ToMany<E> {
        var relation = self
        relation.from = from?.rooted(at: place.source) ?? place.source
        return relation
    }
}

// MARK: - The rows

extension ToMany {
    /// A query of the rows, and what stands for one of them.
    ///
    /// - Parameter countsOnce: Whether a row that is linked twice is one row. Those of the link are asked first if not.
    /// - Throws: For a link that does not say what it links.
    package func query(countsOnce: Bool = true) throws(InvalidQuery) -> (plan: QueryPlan, row: ColumnRef<E>) {
        // In the query of the rows, what begins at no row would begin at those.
        guard let from, from.root != nil else { throw InvalidQuery.relationOfNoRow }
        var plan = QueryPlan(RecordTable(E.Record.self).source)
        let row = plan.newSource()
        let parent = ExpressionNode.column(from.table.idColumn, of: from)
        switch way {
        case .key(let key): plan.add(.isKey(.column(key, of: row), of: parent))
        case .link(let link):
            let columns = try link.columns(from: from.table, to: plan.table)
            var links = QueryPlan(link.table)
            let linking = links.newSource()
            links.add(.isKey(.column(columns.from, of: linking), of: parent))
            guard countsOnce else {
                let step = PathStep(name: plan.table.name, key: columns.to, isOptional: false)
                let linked = Source(plan.table, from: linking, step)
                // It has to be there.
                links.add(.isNotNull(.column(plan.table.idColumn, of: linked)))
                return (links, ColumnRef(linked))
            }
            links.selection = [.column(columns.to, of: linking)]
            plan.add(.isInQuery(.column(plan.table.idColumn, of: row), links))
        }
        return (plan, ColumnRef(row))
    }

    /// What a query of the rows is asked.
    private func asking(
        countsOnce: Bool = true, _ question: (inout QueryPlan, ColumnRef<E>) -> ExpressionNode
    ) -> ExpressionNode {
        do {
            var (plan, row) = try query(countsOnce: countsOnce)
            return question(&plan, row)
        } catch {
            return .invalid(error.reason)
        }
    }

    /// What is made of the rows.
    public func _aggregate<T>(_ make: (ColumnRef<E>) -> RowAggregate) -> Column<T> {
        Column(
            asking { plan, row in
                let aggregate = make(row)
                if let condition = aggregate.condition { plan.add(condition) }
                plan.groupKeys = []
                plan.selection = [aggregate.node(of: row.source, isFiltered: true)]
                return .scalar(plan)
            })
    }

    /// There is a row.
    public func _exists(_ condition: ((ColumnRef<E>) -> Predicate)?) -> Predicate {
        var meansInnermostRow = false
        func exists(countsOnce: Bool) -> Predicate {
            Predicate(
                asking(countsOnce: countsOnce) { plan, row in
                    guard let condition = condition?(row).node else { return .exists(plan) }
                    meansInnermostRow = condition.contains { node in
                        switch node {
                        case .sql: true
                        case .column(_, let source): source?.root == nil
                        default: false
                        }
                    }
                    plan.add(condition)
                    return .exists(plan)
                })
        }
        let linked = exists(countsOnce: false)
        // A name in SQL of the app's, and a column that is taken from no row, mean the row, and the link may have one
        // of that name.
        guard meansInnermostRow, case .link = way else { return linked }
        return exists(countsOnce: true)
    }
}

extension ToMany {
    /// Never there: many rows have many values.
    @available(*, unavailable, message: "these are many rows: ask whether one 'exists { }', count them or sum them up")
    public subscript<T>(dynamicMember name: NoColumnOfThisNameAndType) -> Column<T> { Column(.never) }

    /// Never there: many rows have many values.
    @available(*, unavailable, message: "these are many rows: ask whether one 'exists { }', count them or sum them up")
    public subscript(dynamicMember name: NoColumnOfThisNameAndType) -> Column<NoColumn> { Column(.never) }
}

extension InvalidQuery {
    /// The error for a relation that belongs to no row of a closure.
    static var relationOfNoRow: InvalidQuery {
        InvalidQuery(
            reason: "a relation to many rows is taken from no row: take it from that of a closure, or in an extension "
                + "from 'self', and not from 'storageColumns'")
    }
}
