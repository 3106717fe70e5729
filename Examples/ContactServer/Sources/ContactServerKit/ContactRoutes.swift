import ContactBookModel
import Hummingbird
import StorageKit

/// Lists contacts, shows one, adds, changes and deletes.
struct ContactRoutes: Sendable {
    let book: ContactBook

    /// A page of contacts, and where the next begins.
    @Sendable func list(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Page: Encodable {
            let contacts: [ContactJSON]
            let next: String?
        }
        let parameters = try ListParameters(request)
        let page = try await page(parameters)
        return try JSONReply.response(Page(contacts: page.items.map(ContactJSON.init), next: page.next?.text))
    }

    private func page(_ parameters: ListParameters) async throws -> CursorPage<Contact> {
        do {
            return try await book.query(parameters.listing).page(after: parameters.after, limit: parameters.limit)
        } catch StorageError.queryFailed(_, let underlying) where underlying is InvalidQuery {
            // Every other part of the query is our own.
            throw Problem.badRequest("after", "belongs to a list in another order")
        }
    }

    /// One contact.
    @Sendable func show(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let contact = try await book.storage.get(Contact.self, id: try context.id()) else {
            throw Problem.noContact
        }
        return try JSONReply.response(ContactJSON(contact), headers: VersionTag.headers(contact))
    }

    /// Adds a contact and says where it is.
    @Sendable func add(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let input = try await ContactInput(request)
        guard input.id == nil else { throw Problem.unprocessable("id", "is made from name and address; leave it out") }
        guard input.version == nil else { throw Problem.unprocessable("version", "is counted here; leave it out") }
        let contact = try await book.add(try input.details(), isFavorite: input.isFavorite ?? false)
        var headers = VersionTag.headers(contact)
        headers[.location] = "/contacts/\(contact.id)"
        return try JSONReply.response(ContactJSON(contact), status: .created, headers: headers)
    }

    /// Changes the fields that the body names.
    ///
    /// - Parameter replacing: Whether the others lose their values, or keep them.
    func update(_ request: Request, _ context: BasicRequestContext, replacing: Bool) async throws -> Response {
        let id = try context.id()
        let input = try await ContactInput(request)
        try input.checkId(is: id)
        let version = try VersionTag.wanted(by: request, body: input)
        let contact = try await book.update(id: id, ifVersion: version) {
            try input.apply(to: &$0, replacing: replacing)
        }
        return try JSONReply.response(ContactJSON(contact), headers: VersionTag.headers(contact))
    }

    /// Deletes a contact.
    @Sendable func delete(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let id = try context.id()
        let input = try await ContactInput.ifAny(request)
        try input?.checkId(is: id)
        try await book.delete(id: id, ifVersion: VersionTag.wanted(by: request, body: input))
        return Response(status: .noContent)
    }
}
