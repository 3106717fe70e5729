/// The way from rows to the one row of another table that each refers to.
package struct RelationStep: Sendable {
    /// What the relation is called.
    package let name: String
    /// The column that refers to the other row.
    package let key: String
    /// Whether there may be no such row.
    package let isOptional: Bool
    /// Fills the entity's property for the other, where it has one that can be set.
    package let loaded: (any LoadedRelation)?
    /// The rows that refer; nil for those of the innermost query.
    package private(set) var from: Source?

    init(_ name: String, key: String, isOptional: Bool, loaded: (any LoadedRelation)? = nil) {
        self.name = name
        self.key = key
        self.isOptional = isOptional
        self.loaded = loaded
    }

    /// The rows of the other table that are referred to.
    ///
    /// - Parameter table: The other table.
    func rows(of table: SourceTable) -> Source {
        Source(
            table, from: from,
            PathStep(name: name, key: key, target: table.idColumn, isOptional: isOptional), relation: loaded)
    }

    func rooted(at place: ColumnPlace) -> RelationStep {
        var step = self
        step.from = from?.rooted(at: place.source) ?? place.source
        return step
    }
}
