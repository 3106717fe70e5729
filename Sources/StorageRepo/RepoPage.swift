/// A part of a longer list.
public struct RepoPage<T: Sendable>: Sendable {
    /// The items of this page.
    public let items: [T]
    /// The offset that the next page begins at.
    public let nextOffset: Int
    /// Whether there is at least one item after this page.
    public let hasMore: Bool

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - items: The items of this page.
    ///   - nextOffset: The offset that the next page begins at.
    ///   - hasMore: Whether there is at least one item after this page.
    public init(items: [T], nextOffset: Int, hasMore: Bool) {
        self.items = items
        self.nextOffset = nextOffset
        self.hasMore = hasMore
    }
}

extension RepoPage: Equatable where T: Equatable {}
