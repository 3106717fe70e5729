import StorageKit

/// The contacts of one database file.
struct ContactBook: Sendable {
    /// The open store.
    let context: StorageKit.Context

    /// Save, get, query and observe.
    var storage: Storage { context.facade }

    /// Opens the file, and creates it if there is none.
    ///
    /// - Throws: `StorageError` saying why it cannot be opened.
    init(at url: URL) throws {
        context = try StorageKit.start(at: url) { schema in
            schema.autoSchema(ContactRecord.self)
            schema.migration("2026-01_sorting") { db in
                for column in ContactOrder.allCases.map(\.column) {
                    try db.execute(sql: "CREATE INDEX IF NOT EXISTS contacts_\(column) ON contacts (\(column))")
                }
            }
        }
    }

    /// The file that is used when the user names none.
    static func defaultURL() throws -> URL {
        try StorageKit.defaultDatabaseURL(fileName: "contactbook.sqlite")
    }
}

// MARK: - One contact

extension ContactBook {
    /// Adds a contact.
    ///
    /// - Throws: ``BookProblem/alreadyThere(_:)`` if a contact of that name and address is in the book.
    func add(_ details: ContactDetails, isFavorite: Bool, now: Date = Date()) async throws -> Contact {
        let id = ContactIdentity.id(for: details)
        if let existing = try await storage.get(Contact.self, id: id) {
            throw BookProblem.alreadyThere(existing)
        }
        var contact = Contact(id: id, details: details, createdAt: now)
        contact.isFavorite = isFavorite
        try await storage.save(contact)
        return contact
    }

    /// The one contact whose id begins with the prefix, as with git's commits.
    ///
    /// - Throws: ``BookProblem`` if there is none or more than one.
    func contact(idPrefix: String) async throws -> Contact {
        let prefix = idPrefix.lowercased()
        if let exact = try await storage.get(Contact.self, id: prefix) { return exact }
        let matches = try await storage.query(Contact.self)
            .where { $0.id.hasPrefix(prefix) }
            .orderBy("id").limit(6)
            .fetch()
        guard let first = matches.first else { throw BookProblem.notFound(prefix: idPrefix) }
        guard matches.count == 1 else { throw BookProblem.ambiguous(prefix: idPrefix, matches) }
        return first
    }

    /// Changes a contact and saves it. Reading and writing are one transaction: what another process wrote since
    /// the contact was found, such as an import, is not undone.
    ///
    /// - Throws: ``BookProblem/notFound(prefix:)`` if the contact was deleted meanwhile.
    func update(_ contact: Contact, _ change: @escaping @Sendable (inout Contact) -> Void) async throws -> Contact {
        let id = contact.id
        return try await context.storage.dbActor.write { db in
            guard let current = try ContactRecord.fetchOne(db, key: id)?.asEntity() else {
                throw BookProblem.notFound(prefix: id)
            }
            var changed = current
            change(&changed)
            changed.refreshKeys()
            if changed != current { try ContactRecord.from(changed, now: Date()).update(db) }
            return changed
        }
    }
}

// MARK: - Many contacts

extension ContactBook {
    /// Deletes the contacts of these ids: all, or none if one of the ids is wrong.
    func delete(idPrefixes: [String]) async throws -> [Contact] {
        var contacts: [Contact] = []
        for prefix in idPrefixes {
            let contact = try await contact(idPrefix: prefix)
            if !contacts.contains(contact) { contacts.append(contact) }
        }
        let ids = contacts.map(\.id)
        try await storage.query(Contact.self).where { $0.id.in(ids) }.deleteAll()
        return contacts
    }

    /// The contacts in order. Those without a value to sort by stand behind the others, in both directions.
    func list(_ listing: Listing) async throws -> [Contact] {
        var contacts = try await query(listing, hasKey: true).fetch()
        if let rest = listing.limit.map({ $0 - contacts.count }), rest <= 0 { return contacts }
        guard listing.order.isOptional else { return contacts }
        var remaining = listing
        remaining.limit = listing.limit.map { $0 - contacts.count }
        contacts += try await query(remaining, hasKey: false).fetch()
        return contacts
    }

    private func query(_ listing: Listing, hasKey: Bool) -> Query<Contact> {
        var query = storage.query(Contact.self)
        if listing.favoritesOnly { query = query.where { $0.isFavorite } }
        for word in listing.searchWords {
            query = query.where { $0.searchText.contains(word) }
        }
        let order = listing.order
        if order.isOptional {
            query = query.where { hasKey ? order.key($0).isNotNull : order.key($0).isNull }
        }
        if hasKey { query = query.orderBy(order.column, listing.descending ? .descending : .ascending) }
        query = query.orderBy("nameKey").orderBy("id")
        return listing.limit.map { query.limit($0) } ?? query
    }
}

/// What the user asked for that the book cannot do.
enum BookProblem: Error {
    case notFound(prefix: String)
    case ambiguous(prefix: String, [Contact])
    case alreadyThere(Contact)
}

extension BookProblem: LocalizedError {
    /// What is wrong, and what to do about it.
    var errorDescription: String? {
        switch self {
        case .notFound(let prefix):
            return "no contact has an id that begins with '\(prefix)'; 'contactbook list' shows the ids"
        case .ambiguous(let prefix, let matches):
            let shown = matches.prefix(5).map { "\n  \($0.id)  \(Printable.line($0.title))" }.joined()
            let more = matches.count > 5 ? "\n  …" : ""
            return "'\(prefix)' begins the ids of several contacts; type more of one:\(shown)\(more)"
        case .alreadyThere(let contact):
            let title = Printable.line(contact.title)
            return "\(title) is in the book already; change it with 'contactbook edit \(contact.id.prefix(12))'"
        }
    }
}
