import GRDB

/// The relations that a query fills in its entities, and in those that these have.
package struct LoadedPaths: Sendable {
    private var paths: [LoadedPath] = []

    package init() {}

    package var isEmpty: Bool { paths.isEmpty }

    /// The tables that are read to fill them.
    package var tablesRead: TablesRead {
        var tables = TablesRead()
        for path in paths {
            for relation in path.relations.dropLast() { tables.add(relation.tablesRead(nil)) }
            if let last = path.relations.last { tables.add(last.tablesRead(path.plan)) }
        }
        return tables
    }

    /// Fills one more relation.
    ///
    /// - Parameters:
    ///   - relations: The relation, behind those that lead to its owners.
    ///   - plan: What is asked for of the related rows; nil for all.
    ///   - others: What is filled in the related entities.
    /// - Returns: Whether it was not named before.
    package mutating func add(
        _ relations: [any LoadedRelation], _ plan: QueryPlan?, _ others: LoadedPaths = LoadedPaths()
    ) -> Bool {
        let isNew = add(LoadedPath(relations: relations, plan: plan))
        return others.paths.allSatisfy { add(LoadedPath(relations: relations + $0.relations, plan: $0.plan)) } && isNew
    }

    private mutating func add(_ path: LoadedPath) -> Bool {
        let properties = path.properties
        guard !paths.contains(where: { $0.properties == properties }) else { return false }
        paths.append(path)
        return true
    }

    /// Fills them, one statement for each relation.
    package func load<Owner: RegisteredEntity>(
        into owners: inout [Owner], _ db: Database, _ coders: JSONCoders
    ) throws {
        var known: Set<AnyKeyPath> = []
        for path in paths {
            guard let first = path.relations.first, known.insert(first.property).inserted else { continue }
            guard let relation = first as? any LoadedRelation<Owner> else {
                throw StorageError.invalidQuery("\(first.property) is no relation of \(Owner.self)")
            }
            let branch = paths.filter { $0.relations.first?.property == first.property }
            let plan = branch.first { $0.relations.count == 1 }?.plan
            var others = LoadedPaths()
            others.paths = branch.compactMap(\.rest)
            try relation.load(into: &owners, plan, others, db, coders)
        }
    }
}

/// A relation that is filled, behind those that lead to it.
private struct LoadedPath: Sendable {
    let relations: [any LoadedRelation]
    let plan: QueryPlan?

    var properties: [AnyKeyPath] { relations.map(\.property) }

    /// The same for the entities that the first relation gives.
    var rest: LoadedPath? {
        relations.count > 1 ? LoadedPath(relations: Array(relations.dropFirst()), plan: plan) : nil
    }
}
