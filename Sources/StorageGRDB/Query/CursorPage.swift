/// A page of a query's entities, and where the next one begins.
public struct CursorPage<E: Sendable>: Sendable {
    /// The entities, in the query's order.
    public let items: [E]
    /// Hand it to `page(after:limit:)` for the next page; nil if this is the last.
    public let next: PageCursor?
    /// Whether there is another page with at least one item.
    public var hasMore: Bool { next != nil }
}

extension CursorPage: Equatable where E: Equatable {}
