import Synchronization

/// The list that a reader was given last. A stream hands out one list after the other, so that nobody else looks at it meanwhile.
final class LastList<Item: Sendable, Key: Hashable & Sendable>: Sendable {
    private let state = Mutex<(items: [Item], keys: [Key])?>(nil)

    /// - Parameters:
    ///   - items: The list as it is now.
    ///   - keys: What its elements are known by.
    ///   - isSame: Whether nothing about an element has changed.
    /// - Returns: The difference from the list before; nil if there is none. The first list is all new, be it empty.
    func become(_ items: [Item], _ keys: [Key], _ isSame: (Item, Item) -> Bool) -> ListDifference? {
        let last = state.withLock { state in
            defer { state = (items, keys) }
            return state
        }
        let old = last?.items ?? []
        let difference = ListDifference(from: last?.keys ?? [], to: keys) { isSame(old[$0], items[$1]) }
        return last != nil && difference.isEmpty ? nil : difference
    }
}
