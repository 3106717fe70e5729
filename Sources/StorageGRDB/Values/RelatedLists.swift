/// What was read beside the rows of a query, for their reader: of each relation the entities of each owner.
final class RelatedLists: Sendable {
    private let lists: [ObjectIdentifier: [StoredValue: any Sendable]]

    init(_ lists: [ObjectIdentifier: [StoredValue: any Sendable]]) {
        self.lists = lists
    }

    /// The list of an owner; empty where there is none.
    func list<E>(of relation: ObjectIdentifier, _ owner: StoredValue) -> [E] {
        lists[relation]?[owner] as? [E] ?? []
    }
}
