/// A relation that a query can fill in its entities: `\.reminders`, `\.list`, `\.reminders.tags`.
public protocol LoadableRelation<Related>: ColumnRefMember {
    /// The entity that the relation leads to.
    associatedtype Related: RegisteredEntity

    /// The relation, behind those that lead to it.
    func _loaded() throws(InvalidQuery) -> LoadedRelations
}

/// Relations one behind the other, to be filled.
public struct LoadedRelations: Sendable {
    package let relations: [any LoadedRelation]
}

/// A relation of the entities that a relation leads to: `\.reminders.tags`.
@dynamicMemberLookup
public struct RelationPath<Last: LoadableRelation>: LoadableRelation {
    /// The entity that the path leads to.
    public typealias Related = Last.Related

    private let first: any LoadableRelation
    private let last: Last

    init(_ first: any LoadableRelation, _ last: Last) {
        self.first = first
        self.last = last
    }

    /// The same path, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> RelationPath<Last> { RelationPath(first._rooted(at: place), last) }

    /// The relations on the way, and the last.
    public func _loaded() throws(InvalidQuery) -> LoadedRelations {
        LoadedRelations(relations: try first._loaded().relations + last._loaded().relations)
    }

    /// A relation of the entities that the path leads to.
    public subscript<Next: LoadableRelation>(
        dynamicMember relation: KeyPath<ColumnRef<Last.Related>, Next>
    ) -> RelationPath<Next> {
        RelationPath<Next>(self, ColumnRef<Last.Related>()[keyPath: relation])
    }
}

extension ToMany: LoadableRelation {
    /// The entity that the relation leads to.
    public typealias Related = E

    /// A relation of these entities, to be filled: `.including(\.reminders.tags)`.
    public subscript<Next: LoadableRelation>(dynamicMember relation: KeyPath<ColumnRef<E>, Next>) -> RelationPath<Next>
    {
        RelationPath(self, ColumnRef<E>()[keyPath: relation])
    }

    /// The relation, behind those that lead to it.
    public func _loaded() throws(InvalidQuery) -> LoadedRelations { try .init(loaded, to: E.self, behind: from) }
}

extension ToOne: LoadableRelation {
    /// The entity that the relation leads to.
    public typealias Related = P

    /// The relation, behind those that lead to it.
    public func _loaded() throws(InvalidQuery) -> LoadedRelations {
        try .init(way.loaded, to: P.self, behind: way.from)
    }
}

extension OptionalToOne: LoadableRelation {
    /// The entity that the relation leads to.
    public typealias Related = P

    /// The relation, behind those that lead to it.
    public func _loaded() throws(InvalidQuery) -> LoadedRelations {
        try .init(way.loaded, to: P.self, behind: way.from)
    }
}

extension LoadedRelations {
    /// - Throws: For a relation without a property that could be filled.
    fileprivate init(
        _ last: (any LoadedRelation)?, to type: any RegisteredEntity.Type, behind source: Source?
    ) throws(InvalidQuery) {
        var relations = [try LoadedRelations.filling(last, to: "\(type)")]
        var source = source
        while let here = source, let path = here.path {
            relations.append(try LoadedRelations.filling(here.relation as? any LoadedRelation, to: here.table.name))
            source = path.from
        }
        self.relations = relations.reversed()
    }

    private static func filling(_ relation: (any LoadedRelation)?, to name: String) throws(InvalidQuery)
        -> any LoadedRelation
    {
        guard let relation else {
            throw InvalidQuery(
                reason: "the relation to '\(name)' can be included only where the entity has a property 'var' for it: "
                    + "@StorageHasMany or @StorageBelongsTo")
        }
        return relation
    }
}
