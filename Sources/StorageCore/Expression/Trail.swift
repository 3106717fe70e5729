/// The way on which a change of a row is traced back to the rows of a plan that it may concern.
///
/// It begins with the ids of the changed rows. Each leg asks one table which rows hold one of the values found so far, and goes
/// on with another column of those rows; the last values are those of ``end``.
package struct Trail: Sendable {
    /// The table of the changed rows.
    package let table: SourceTable
    /// The foreign key of the changed rows. Whoever they belonged to before the change is concerned too, so its former values join
    /// what the first leg finds. Nil where the changed rows are reached by their id alone.
    package let formerColumn: String?
    package let legs: [Leg]
    /// What a row of the plan that is concerned holds one of the values in.
    package let end: ExpressionNode

    /// Those rows of a plan's table that hold one of some values, and what is taken of them.
    package final class Leg: Sendable {
        package let plan: QueryPlan
        package let given: ExpressionNode
        package let taken: ExpressionNode

        init(plan: QueryPlan, given: ExpressionNode, taken: ExpressionNode) {
            self.plan = plan
            self.given = given
            self.taken = taken
        }

        package func query(_ values: [StoredValue]) throws -> LoweredQuery {
            try plan.query(for: [taken], where: given, isIn: values)
        }
    }
}

/// What the rows of a plan depend on, table by table.
package struct Trails: Sendable {
    /// One for each way that leads to another table, or to other rows of the plan's own.
    package fileprivate(set) var all: [Trail] = []
    /// The tables of which any change may concern any row.
    package fileprivate(set) var untraced = TablesRead()
    /// The columns that are read of each table, by its lowercased name.
    package fileprivate(set) var columns: [String: Set<String>] = [:]
    /// Whether other columns may be read too, by SQL of the app's.
    package fileprivate(set) var mayReadOtherColumns = false

    package func trails(of table: String) -> [Trail] {
        all.filter { $0.table.name.asciiLowercased == table }
    }
}

extension QueryPlan {
    /// How changes of other rows concern those of the plan.
    package var trails: Trails {
        guard joins.isEmpty, search == nil, parents == nil, table.rows == nil else {
            var trails = Trails()
            trails.untraced = tablesRead
            trails.mayReadOtherColumns = true
            return trails
        }
        var finder = TrailFinder(self)
        for expression in expressions { finder.visit(expression) }
        return finder.trails
    }

    /// What is taken of the rows that hold one of some values in a column, without the plan's conditions.
    package func query(
        for taken: [ExpressionNode], where given: ExpressionNode, isIn values: [StoredValue]
    ) throws -> LoweredQuery {
        var plan = QueryPlan(table, standingFor: sources, search: nil)
        plan.selection = taken
        plan.isDistinct = true
        plan.add(.isIn(given, values.filter { $0 != .null }, nil, orNull: false))
        return try plan.selectionSQL()
    }
}

/// Walks through a plan and the queries inside it.
private struct TrailFinder {
    var trails = Trails()
    /// The queries around what is being looked at, the plan itself first.
    private var scopes: [Scope]
    /// The ways that were found.
    private var found: Set<String> = []

    private struct Scope {
        let plan: QueryPlan
        /// Nil for the plan itself.
        let way: Way?
    }

    /// How the rows of a query inside belong to rows of a query around it.
    private struct Way {
        /// What is taken of the rows.
        let taken: ExpressionNode
        /// The rows of a link between.
        let link: Trail.Leg?
        /// Where the rows are that they belong to, and what these hold.
        let outer: Int
        let owner: ExpressionNode
    }

    init(_ plan: QueryPlan) {
        scopes = [Scope(plan: plan, way: nil)]
        read(plan.table.idColumn, of: plan.table)
        if plan.selection == nil {
            for column in plan.table.columns { read(column.name, of: plan.table) }
        }
    }

    mutating func visit(_ node: ExpressionNode) {
        switch node {
        case .column(let name, let source):
            read(name, of: source?.table ?? scopes[scopes.count - 1].plan.table)
            followPath(to: source)
        case .exists(let inner), .scalar(let inner), .isInQuery(_, let inner): enter(inner)
        case .isAmong(let inner): addUntraced(inner)
        case .isHit: trails.untraced.add(scopes[scopes.count - 1].plan.table)
        case .sql(let pieces, _):
            if pieces.mayReadTables || pieces.looksAtOtherRows { trails.untraced.add(TablesRead(mayBeMore: true)) }
            trails.mayReadOtherColumns = true
        // However long a chain is.
        case .and: return node.operands(\.conjuncts).forEach { visit($0) }
        case .or: return node.operands(\.disjuncts).forEach { visit($0) }
        default: break
        }
        node.forEachPart { visit($0) }
    }

    private mutating func read(_ column: String, of table: SourceTable) {
        trails.columns[table.name.asciiLowercased, default: []].insert(column)
    }

    /// Each row on a path is reached by its id, which another row holds.
    private mutating func followPath(to source: Source?) {
        var source = source
        while let here = source, let path = here.path {
            read(path.step.key, of: path.from?.table ?? scopes[scopes.count - 1].plan.table)
            read(here.table.idColumn, of: here.table)
            if let scope = scope(of: here.root) {
                add(here.table, legs: [], scope: scope, given: .column(path.step.key, of: path.from))
            } else {
                trails.untraced.add(here.table)
            }
            source = path.from
        }
    }

    /// - Returns: Nil for a source that stands for nothing here.
    private func scope(of root: Source?) -> Int? {
        guard let root else { return scopes.count - 1 }
        return scopes.lastIndex { $0.plan.standsFor(root) }
    }

    /// A query inside is traced where its rows belong to a row outside by a key.
    private mutating func enter(_ inner: QueryPlan) {
        guard inner.joins.isEmpty, inner.search == nil, inner.parents == nil, inner.table.rows == nil,
            let way = way(of: inner)
        else { return addUntraced(inner) }
        if let link = way.link {
            // Rows of the link that hold the id belong to the outer row, be the row there or not.
            add(inner.table, legs: [link], scope: way.outer, given: way.owner)
        }
        // A way that begins at a row finds it by its id, and one may get another before that is asked.
        read(inner.table.idColumn, of: inner.table)
        scopes.append(Scope(plan: inner, way: way))
        if way.link == nil {
            add(inner.table, former: way.taken.columnName, legs: [], scope: scopes.count - 1, given: inner.id)
        }
        for expression in inner.expressions { visit(expression) }
        scopes.removeLast()
    }

    /// A query inside that is not traced may use columns of the rows around it, which are.
    private mutating func addUntraced(_ inner: QueryPlan) {
        trails.untraced.add(inner.tablesRead)
        var waiting = inner.expressions
        while let node = waiting.popLast() {
            switch node {
            case .column(_, let source?):
                if let root = source.root, scope(of: root) != nil { visit(node) }
            case .sql: trails.mayReadOtherColumns = true
            case .exists(let plan), .scalar(let plan), .isInQuery(_, let plan), .isAmong(let plan):
                waiting += plan.expressions
            default: break
            }
            node.forEachPart { waiting.append($0) }
        }
    }

    private func way(of inner: QueryPlan) -> Way? {
        for condition in inner.filter?.operands(\.conjuncts) ?? [] {
            switch condition {
            case .isKey(let key, let owner):
                if let outer = outer(key, owner, of: inner) {
                    return Way(taken: key, link: nil, outer: outer, owner: owner)
                }
            case .isInQuery(let id, let links):
                guard inner.ownColumn(id) == inner.table.idColumn, let taken = links.selection?.first,
                    links.ownColumn(taken) != nil, links.joins.isEmpty,
                    case .isKey(let key, let owner)? = links.filter?.operands(\.conjuncts).first,
                    let outer = outer(key, owner, of: links)
                else { continue }
                let link = Trail.Leg(plan: links, given: taken, taken: key)
                return Way(taken: id, link: link, outer: outer, owner: owner)
            default: continue
            }
        }
        return nil
    }

    /// Where the owner is, if a column of a query inside refers to it.
    private func outer(_ key: ExpressionNode, _ owner: ExpressionNode, of inner: QueryPlan) -> Int? {
        guard inner.ownColumn(key) != nil, case .column(_, let source?) = owner, let root = source.root,
            !inner.standsFor(root)
        else { return nil }
        return scopes.lastIndex { $0.plan.standsFor(root) }
    }

    /// Adds a way that comes to rows of a scope which hold one of the values found so far.
    ///
    /// - Parameters:
    ///   - table: Where the way begins.
    ///   - former: The column of that table whose former values go on behind the first leg.
    ///   - legs: The way up to the scope.
    ///   - scope: Where it goes on.
    ///   - given: What the rows of the scope hold.
    private mutating func add(
        _ table: SourceTable, former: String? = nil, legs: [Trail.Leg], scope: Int, given: ExpressionNode
    ) {
        var (legs, scope, given) = (legs, scope, given)
        while let way = scopes[scope].way {
            legs.append(Trail.Leg(plan: scopes[scope].plan, given: given, taken: way.taken))
            if let link = way.link { legs.append(link) }
            (scope, given) = (way.outer, way.owner)
        }
        let steps = legs.map { "\($0.plan.table.name) \(text($0.given)) \(text($0.taken))" }
        guard found.insert("\(table.name) \(former ?? "") \(steps) \(text(given))").inserted else { return }
        trails.all.append(Trail(table: table, formerColumn: former, legs: legs, end: given))
    }

    /// A column with the keys and the tables that lead to it: one key may lead to rows of several.
    private func text(_ node: ExpressionNode) -> String {
        guard case .column(let name, var source) = node else { return "" }
        var names = [name]
        while let here = source, let path = here.path {
            names += [here.table.name, path.step.key]
            source = path.from
        }
        return names.reversed().joined(separator: ".")
    }
}

extension QueryPlan {
    /// Whether a source stands for the plan's rows.
    func standsFor(_ source: Source) -> Bool { sources.contains(source) }
}
