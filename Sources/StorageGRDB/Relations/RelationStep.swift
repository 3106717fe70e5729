/// The way from rows to the one row of another table that each refers to.
package struct RelationStep: Sendable {
    /// What the relation is called.
    package let name: String
    /// The column that refers to the other row.
    package let key: String
    /// Whether there may be no such row.
    package let isOptional: Bool
    /// The entity's property for the other, where it has one that can be set.
    package let property: (any AnyKeyPath & Sendable)?
    /// The rows that refer; nil for those of the innermost query.
    package private(set) var from: Source?

    init(_ name: String, key: String, isOptional: Bool, property: (any AnyKeyPath & Sendable)?) {
        self.name = name
        self.key = key
        self.isOptional = isOptional
        self.property = property
    }

    /// The rows of the other table that are referred to.
    ///
    /// - Parameter table: The other table.
    func rows(of table: SourceTable) -> Source {
        Source(
            table, from: from,
            PathStep(name: name, key: key, target: table.idColumn, isOptional: isOptional))
    }

    func rooted(at place: ColumnPlace) -> RelationStep {
        var step = self
        step.from = from?.rooted(at: place.source) ?? place.source
        return step
    }

    func optional() -> RelationStep {
        var step = RelationStep(name, key: key, isOptional: true, property: property)
        step.from = from
        return step
    }
}
