public import StorageKit

/// The contacts of one database file.
public struct ContactBook: Sendable {
    /// The open store.
    package let context: StorageKit.Context

    /// Save, get, query and observe.
    public var storage: Storage { context.facade }

    /// Opens the file, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - monitor: Hears of slow statements, migrations and errors that nobody was thrown; nil for nobody.
    /// - Throws: `StorageError` saying why it cannot be opened.
    public init(at url: URL, monitor: (any StorageMonitor)? = nil) throws {
        // A new version of the program can be undone: what there was lies beside the file.
        let options = StartOptions(safety: .backup(keeping: 2), monitor: monitor)
        context = try StorageKit.start(at: url, options: options, schema: ContactBook.describe)
    }

    /// Describes what is in the file, to the book and to the tests of its migrations.
    public static func describe(_ schema: inout AppMigrations) {
        schema.autoSchema(ContactRecord.self, ContactGroupRecord.self, MembershipRecord.self, PhoneCallRecord.self)
        schema.migration("2026-01_sorting") { db in
            for column in ContactOrder.allCases.map(\.column) {
                try db.execute(sql: "CREATE INDEX IF NOT EXISTS contacts_\(column) ON contacts (\(column))")
            }
        }
    }

    /// The file that is used when the user names none.
    public static func defaultURL() throws -> URL {
        try StorageKit.defaultDatabaseURL(fileName: "contactbook.sqlite")
    }

    /// Closes the file. Calls made afterwards throw, those of the book's copies too.
    ///
    /// - Throws: `StorageError` if the file is in use at this moment.
    public func close() async throws {
        try await context.close()
    }
}

// MARK: - One contact

extension ContactBook {
    /// Adds a contact. Looking for it and writing it are one transaction: of two who add the same contact at one time,
    /// one succeeds.
    ///
    /// - Parameters:
    ///   - details: What is known about it.
    ///   - isFavorite: Whether it is a favourite.
    ///   - now: When it came into the book.
    /// - Returns: The contact, with the id that it has from now on.
    /// - Throws: ``BookProblem/alreadyThere(_:)`` if a contact that was added with that name and address is in the book, whatever
    ///   it is called now.
    public func add(_ details: ContactDetails, isFavorite: Bool, now: Date = Date()) async throws -> Contact {
        var contact = Contact(id: ContactIdentity.id(for: details), details: details, createdAt: now)
        contact.isFavorite = isFavorite
        let added = contact
        return try await storage.transaction { tx in
            if let existing = try tx.get(Contact.self, id: added.id) { throw BookProblem.alreadyThere(existing) }
            return try tx.insert(added)
        }
    }

    /// The one contact whose id begins with the prefix, as with git's commits.
    ///
    /// - Throws: ``BookProblem`` if there is none or more than one, or the prefix is empty.
    package func contact(idPrefix: String) async throws -> Contact {
        // It begins every id.
        guard !idPrefix.isEmpty else { throw BookProblem.notFound(prefix: idPrefix) }
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
    /// the contact was found, such as an import, is not undone. What stays as it was is not written.
    ///
    /// - Parameters:
    ///   - id: The whole id.
    ///   - version: The version that the change was made for; nil for whichever there is.
    ///   - change: Changes properties; those that serve sorting and searching follow. What it throws leaves the
    ///     contact as it was.
    /// - Returns: The contact as it is now.
    /// - Throws: ``BookProblem/notFound(prefix:)`` if there is no such contact, `StorageError.conflict` if it has
    ///   another version, and what `change` throws.
    public func update(
        id: String, ifVersion version: Int? = nil, _ change: @escaping @Sendable (inout Contact) throws -> Void
    ) async throws -> Contact {
        try await storage.transaction { tx in
            let current = try contact(id: id, in: tx)
            var changed = current
            // The store compares it with the row's. A stale one differs from the current, and so is never passed over.
            changed.version = version ?? current.version
            try change(&changed)
            changed.refreshKeys()
            return changed == current ? current : try tx.update(changed)
        }
    }

    /// Makes a contact a favourite, or no longer.
    ///
    /// - Parameters:
    ///   - id: The whole id.
    ///   - isFavorite: Whether it is to be one.
    /// - Returns: The contact as it is now.
    /// - Throws: ``BookProblem/notFound(prefix:)`` if there is no such contact.
    package func setFavorite(id: String, _ isFavorite: Bool) async throws -> Contact {
        guard let contact = try await storage.modify(Contact.self, id: id, { $0.isFavorite = isFavorite }) else {
            throw BookProblem.notFound(prefix: id)
        }
        return contact
    }

    /// Deletes a contact.
    ///
    /// - Parameters:
    ///   - id: The whole id.
    ///   - version: The version that is to be deleted; nil for whichever there is.
    /// - Throws: ``BookProblem/notFound(prefix:)`` if there is no such contact, `StorageError.conflict` if it has
    ///   another version.
    public func delete(id: String, ifVersion version: Int? = nil) async throws {
        try await storage.transaction { tx in
            var contact = try contact(id: id, in: tx)
            contact.version = version ?? contact.version
            try tx.delete(contact)
        }
    }

    func contact(id: String, in tx: StorageTransaction) throws -> Contact {
        guard let contact = try tx.get(Contact.self, id: id) else { throw BookProblem.notFound(prefix: id) }
        return contact
    }
}

// MARK: - Many contacts

extension ContactBook {
    /// Deletes the contacts of these ids: all, or none if one of the ids is wrong.
    package func delete(idPrefixes: [String]) async throws -> [Contact] {
        var contacts: [Contact] = []
        for prefix in idPrefixes {
            let contact = try await contact(idPrefix: prefix)
            if !contacts.contains(contact) { contacts.append(contact) }
        }
        let ids = contacts.map(\.id)
        try await storage.query(Contact.self).where { $0.id.in(ids) }.deleteAll()
        return contacts
    }

    /// The contacts as one query, for pages behind a cursor and for live lists. Those without a value to sort by stand
    /// behind the others, in both directions.
    ///
    /// - Parameter listing: Which contacts, in which order.
    public func query(_ listing: Listing) -> Query<Contact> {
        var query = storage.query(Contact.self)
        if listing.favoritesOnly { query = query.where { $0.isFavorite } }
        for word in listing.searchWords {
            query = query.where { $0.searchText.contains(word) }
        }
        let direction = listing.descending ? SortOrder.descending : .ascending
        // Only where there may be NULLs: without them SQLite can walk an index from a cursor on.
        query =
            listing.order.isOptional
            ? query.orderBy(listing.order.column, direction, nulls: .last)
            : query.orderBy(listing.order.column, direction)
        if listing.order != .name { query = query.orderBy("nameKey") }
        query = query.orderBy("id")
        return listing.limit.map { query.limit($0) } ?? query
    }

    /// The contacts of ``query(_:)``.
    package func list(_ listing: Listing) async throws -> [Contact] {
        try await query(listing).fetch()
    }
}

/// What the user asked for that the book cannot do.
public enum BookProblem: Error {
    /// No contact has that id, or an id that begins so.
    case notFound(prefix: String)
    /// The ids of these contacts begin so.
    case ambiguous(prefix: String, [Contact])
    /// This contact is in the book already.
    case alreadyThere(Contact)
    /// No group has that name.
    case noGroup(name: String)
}
