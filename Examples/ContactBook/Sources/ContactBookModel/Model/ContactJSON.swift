import StorageKit

/// A contact as other programs read it: without the columns that serve sorting and searching.
public struct ContactJSON: Encodable, Sendable {
    private let contact: Contact

    /// Wraps a contact to be encoded.
    public init(_ contact: Contact) {
        self.contact = contact
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, email, phone, otherEmails, otherPhones, company, birthday, address, website, labels, notes
        case isFavorite, createdAt, version
    }

    /// Writes every property; those without a value are null, so that each contact has the same keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(contact.id, forKey: .id)
        try container.encode(contact.name, forKey: .name)
        try container.encode(contact.email, forKey: .email)
        try container.encode(contact.phone, forKey: .phone)
        try container.encode(contact.otherEmails, forKey: .otherEmails)
        try container.encode(contact.otherPhones, forKey: .otherPhones)
        try container.encode(contact.company, forKey: .company)
        try container.encode(contact.birthdayText, forKey: .birthday)
        try container.encode(contact.address, forKey: .address)
        try container.encode(contact.website, forKey: .website)
        try container.encode(contact.labels, forKey: .labels)
        try container.encode(contact.notes, forKey: .notes)
        try container.encode(contact.isFavorite, forKey: .isFavorite)
        try container.encode(contact.createdAt, forKey: .createdAt)
        try container.encode(contact.version, forKey: .version)
    }

    /// The contacts as a JSON array, one contact a line.
    package static func lines(_ contacts: [Contact]) throws -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let objects = try contacts.map { String(decoding: try encoder.encode(ContactJSON($0)), as: UTF8.self) }
        guard !objects.isEmpty else { return ["[]"] }
        return ["["] + objects.enumerated().map { "  " + $1 + ($0 == objects.count - 1 ? "" : ",") } + ["]"]
    }
}
