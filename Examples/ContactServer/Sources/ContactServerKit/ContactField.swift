import ContactBookModel
import StorageKit

/// A text of a contact that a client may set. The raw value is its name in JSON.
enum ContactField: String, CaseIterable, Sendable {
    case name, email, phone, otherEmails, otherPhones, company, birthday, address, website, labels, notes

    /// How many bytes the text may have.
    private var largestLength: Int { self == .notes ? 20_000 : 1_000 }

    /// Makes a text fit to be stored: without outer spaces, nil if there is nothing else.
    ///
    /// - Throws: ``Problem`` that names the field.
    func value(of text: String) throws -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty { return nil }
        guard text.utf8.count <= largestLength else {
            throw Problem.unprocessable(rawValue, "may have \(largestLength) bytes at most")
        }
        switch self {
        case .email where !ContactField.isAddress(text):
            throw Problem.unprocessable(rawValue, "must look like ada@example.com")
        case .birthday where Birthday(text) == nil:
            throw Problem.unprocessable(rawValue, "must be a day such as 1990-05-17, or --05-17 without a year")
        default: return text
        }
    }

    /// Something on both sides of one `@`. More only the one who delivers the mail can tell.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) }
    }

    /// Sets the property of a contact.
    func set(_ value: String?, of contact: inout Contact) {
        switch self {
        case .name: contact.name = value ?? ""
        case .email: contact.email = value
        case .phone: contact.phone = value
        case .otherEmails: contact.otherEmails = value
        case .otherPhones: contact.otherPhones = value
        case .company: contact.company = value
        case .birthday: contact.birthdayText = value
        case .address: contact.address = value
        case .website: contact.website = value
        case .labels: contact.labels = value
        case .notes: contact.notes = value
        }
    }
}
