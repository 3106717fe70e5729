package import StorageKit

/// The pages of a list, from the first to the last. Each cursor is written out and read again, as an app keeps it.
///
/// - Throws: What a page throws, and if a cursor is not read again or the pages have no end.
package func allPages<Row>(
    isolation: isolated (any Actor)? = #isolation, _ page: (PageCursor?) async throws -> CursorPage<Row>
) async throws -> [[Row]] {
    var (pages, cursor) = ([[Row]](), PageCursor?.none)
    while true {
        let found = try await page(cursor)
        pages.append(found.items)
        guard let next = found.next else { return pages }
        guard let read = PageCursor(text: next.text), pages.count < 1000 else { throw WrongCursor(cursor: next) }
        cursor = read
    }
}

private struct WrongCursor: Error {
    let cursor: PageCursor
}
