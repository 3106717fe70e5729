public import StorageKit

/// A line of the call log.
@StorageEntity(indexes: [["contactId", "date"]])
public struct PhoneCall: Hashable {
    /// Who called.
    public enum Direction: String, CaseIterable, Codable, Sendable {
        /// The contact.
        case incoming
        /// The owner of the book.
        case outgoing
        /// The contact, and nobody answered.
        case missed
    }

    /// Given by SQLite.
    public var id: Int64?
    /// With whom.
    @StorageReference(Contact.self, onDelete: .cascade)
    public var contactId: String
    /// When it began.
    public var date: Date
    /// Who called.
    public var direction: Direction
    /// How long it took.
    public var seconds: Int = 0
}
