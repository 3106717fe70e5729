import ContactBookModel
import Hummingbird
import StorageKit

/// What stands behind the question mark of a list.
struct ListParameters: Sendable {
    /// How many contacts a page has unless the client says otherwise.
    static let usualLimit = 50
    /// The most that a page may have.
    static let largestLimit = 200

    private(set) var listing: Listing
    private(set) var limit = ListParameters.usualLimit
    private(set) var after: PageCursor?

    /// Reads the parameters.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - takesCursor: Whether `after` has a meaning.
    /// - Throws: ``Problem`` that names the parameter.
    init(_ request: Request, takesCursor: Bool = true) throws {
        var search = ""
        var order = ContactOrder.name
        var descending = false
        var favorites = false
        for (name, value) in try request.parameters() {
            switch name {
            case "limit": limit = try Self.limit(value)
            case "q": search = try Self.search(value)
            case "order": order = try Self.order(value)
            case "descending": descending = try Self.flag(name, value)
            case "favorites": favorites = try Self.flag(name, value)
            case "after" where takesCursor: after = try Self.cursor(value)
            default: throw Problem.unknownParameter(name)
            }
        }
        listing = Listing(search: search, order: order, descending: descending, favoritesOnly: favorites)
    }

    private static func limit(_ text: String) throws -> Int {
        guard let limit = Int(text), (1...largestLimit).contains(limit) else {
            throw Problem.badRequest("limit", "must be a number from 1 to \(largestLimit)")
        }
        return limit
    }

    private static func search(_ text: String) throws -> String {
        guard text.utf8.count <= 200 else { throw Problem.badRequest("q", "may have 200 bytes at most") }
        return text
    }

    private static func order(_ text: String) throws -> ContactOrder {
        guard let order = ContactOrder(rawValue: text) else {
            let names = ContactOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("order", "must be one of \(names)")
        }
        return order
    }

    private static func flag(_ name: String, _ text: String) throws -> Bool {
        guard let flag = Bool(text) else { throw Problem.badRequest(name, "must be true or false") }
        return flag
    }

    private static func cursor(_ text: String) throws -> PageCursor {
        guard let cursor = PageCursor(text: text) else {
            throw Problem.badRequest("after", "must be the 'next' of another page")
        }
        return cursor
    }
}
