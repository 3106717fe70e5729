public import StorageKit

/// Contacts that belong together, such as a choir.
@StorageEntity
public struct ContactGroup: Hashable {
    /// The name without case and accents: two groups cannot differ by these alone.
    public var id: String
    /// The name as somebody wrote it first.
    public var name: String
    /// Those who are in it; empty unless a query includes them.
    @StorageHasMany(through: Membership.self)
    public var contacts: [Contact]

    /// A group of that name.
    package init(name: String) {
        id = ContactGroup.id(ofName: name)
        self.name = name
        contacts = []
    }

    /// The id of the group that is called so.
    package static func id(ofName name: String) -> String { TextFolding.fold(name) }
}

/// That a contact is in a group.
@StorageEntity(unique: [["groupId", "contactId"]])
public struct Membership: Hashable {
    /// Given by SQLite.
    public var id: Int64?
    /// The group.
    @StorageReference(ContactGroup.self, onDelete: .cascade)
    public var groupId: String
    /// The contact.
    @StorageReference(Contact.self, onDelete: .cascade)
    public var contactId: String
}
