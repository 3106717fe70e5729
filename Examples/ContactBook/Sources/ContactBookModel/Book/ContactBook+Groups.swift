public import StorageKit

/// A group as a list of groups shows it.
@StorageSelection
public struct GroupRow: Equatable, Sendable {
    /// The group itself.
    public let group: ContactGroup
    /// How many are in it.
    public let contacts: Int
    /// When somebody of it was last spoken with; nil for never.
    public let lastCall: Date?
}

extension ContactBook {
    /// All groups that somebody is in, by name, to be fetched, observed or read in pages.
    public var groups: Selection<ContactGroup, GroupRow> {
        // Whoever deletes the last contact of a group leaves its row.
        storage.query(ContactGroup.self).where { $0.contacts.exists() }.orderBy(\.id).select {
            GroupRow.columns(
                group: $0, contacts: $0.contacts.count(), lastCall: $0.contacts.max { $0.calls.max(\.date) })
        }
    }

    /// The contacts of a group, by name.
    ///
    /// - Parameter name: The group's name; case and accents do not matter.
    /// - Throws: ``BookProblem/noGroup(name:)`` if there is none of that name.
    public func contacts(inGroup name: String) async throws -> [Contact] {
        let id = ContactGroup.id(ofName: name)
        let contacts = try await storage.query(Contact.self).where { $0.groups.exists { $0.id == id } }
            .orderBy(\.nameKey).orderBy(\.id).fetch()
        // One that has lost its last contact is gone.
        if contacts.isEmpty { throw BookProblem.noGroup(name: name) }
        return contacts
    }

    /// Puts contacts into a group, and makes it if there is none of that name. Who is in it already stays so.
    ///
    /// - Parameters:
    ///   - ids: The whole ids of the contacts.
    ///   - name: The group's name.
    /// - Returns: The group.
    /// - Throws: ``BookProblem/notFound(prefix:)`` if there is no such contact; then nothing is changed.
    @discardableResult
    public func put(_ ids: [String], intoGroup name: String) async throws -> ContactGroup {
        let new = ContactGroup(name: name)
        return try await storage.transaction { tx in
            let group = try tx.get(ContactGroup.self, id: new.id) ?? tx.insert(new)
            let members = try storage.query(Membership.self).where { $0.groupId == group.id }
                .select(\.contactId).fetch(in: tx)
            for id in Set(ids).subtracting(members).sorted() {
                _ = try contact(id: id, in: tx)
                _ = try tx.insert(Membership(id: nil, groupId: group.id, contactId: id))
            }
            return group
        }
    }

    /// Takes contacts out of a group. A group without contacts is deleted.
    ///
    /// - Parameters:
    ///   - ids: The whole ids of the contacts.
    ///   - name: The group's name.
    /// - Throws: ``BookProblem/noGroup(name:)`` if there is none of that name.
    public func take(_ ids: [String], outOfGroup name: String) async throws {
        let groupId = ContactGroup.id(ofName: name)
        try await storage.transaction { tx in
            guard try tx.get(ContactGroup.self, id: groupId) != nil else { throw BookProblem.noGroup(name: name) }
            try storage.query(Membership.self).where { $0.groupId == groupId && $0.contactId.in(ids) }
                .deleteAll(in: tx)
            try storage.query(ContactGroup.self).where { $0.contacts.isEmpty }.deleteAll(in: tx)
        }
    }
}
