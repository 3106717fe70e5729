import Synchronization

/// A list that changed, and what makes it of the one before: what `observeChanges` gives.
///
/// A table view wants to know which rows come, go and move. Applied to the list before in this order, the places make the list:
/// those that are removed and those that something moves from, beginning with the last; those that are inserted and those that something
/// moves to, beginning with the first; and then those that are updated.
public struct ListChange<Element: Sendable>: Sendable {
    /// The list as it is now.
    public let list: [Element]
    /// The places of what is new, in ``list``.
    public var inserted: [Int] { difference.inserted }
    /// The places of what is gone, in the list before.
    public var removed: [Int] { difference.removed }
    /// What stands somewhere else among those that stayed. Those that are not named here have kept their order, and are as many as can be.
    public var moved: [ListMove] { difference.moved }
    /// The places of what has changed, in ``list``. What has moved as well is in both.
    public var updated: [Int] { difference.updated }
    private let difference: ListDifference

    init(_ list: [Element], _ difference: ListDifference) {
        self.list = list
        self.difference = difference
    }
}

extension ListChange: Equatable where Element: Equatable {}

/// The way of an element from one place of a list to another.
public struct ListMove: Hashable, Sendable {
    /// The place in the list before.
    public let from: Int
    /// The place in the list as it is now.
    public let to: Int

    /// Names two places.
    ///
    /// - Parameters:
    ///   - from: The place in the list before.
    ///   - to: The place in the list as it is now.
    public init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }
}

extension AsyncStream where Element: Sendable {
    /// The lists, each with what makes it of the one that was taken before. A list that nothing has changed in is left out, but for the
    /// first.
    ///
    /// - Parameters:
    ///   - key: What an element is known by.
    ///   - isSame: Whether nothing about an element has changed.
    ///   - output: What a list is to the reader.
    func changes<Item: Sendable, Key: Hashable & Sendable, Output: Sendable>(
        key: @escaping @Sendable (Item) -> Key, isSame: @escaping @Sendable (Item, Item) -> Bool,
        _ output: @escaping @Sendable ([Item]) -> [Output]
    ) -> AsyncStream<ListChange<Output>> where Element == [Item] {
        let last = Mutex<(items: [Item], keys: [Key])?>(nil)
        return AsyncStream<ListChange<Output>> {
            var lists = makeAsyncIterator()
            while let items = await lists.next() {
                let keys = items.map(key)
                let before = last.withLock { last in
                    defer { last = (items, keys) }
                    return last
                }
                let old = before?.items ?? []
                let difference = ListDifference(from: before?.keys ?? [], to: keys) { isSame(old[$0], items[$1]) }
                // The first list is all new, be it empty.
                if before == nil || !difference.isEmpty { return ListChange(output(items), difference) }
            }
            return nil
        }
    }
}
