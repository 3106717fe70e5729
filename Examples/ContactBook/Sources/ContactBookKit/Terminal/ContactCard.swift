import ContactBookModel
import StorageKit

/// All there is about one contact, a line each.
enum ContactCard {
    private static func list(_ texts: [String], _ separator: String) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: separator)
    }

    /// The lines; what is empty has none. Groups and calls are those that the contact came with.
    static func lines(_ contact: Contact) -> [String] {
        let facts: [(title: String, text: String?)] = [
            ("Name", contact.title), ("Favourite", contact.isFavorite ? "yes" : nil),
            ("Email", contact.email), ("Other emails", contact.otherEmails),
            ("Phone", contact.phone), ("Other phones", contact.otherPhones),
            ("Company", contact.company), ("Birthday", contact.birthdayText),
            ("Address", contact.address), ("Website", contact.website), ("Labels", contact.labels),
            ("Groups", ContactCard.list(contact.groups.map(\.name), ", ")),
            ("Last calls", ContactCard.list(contact.calls.map(CallText.line), "\n")), ("Notes", contact.notes),
            ("Added", contact.createdAt.formatted(.iso8601)), ("ID", contact.id),
        ]
        return facts.flatMap { title, text -> [String] in
            guard let text else { return [] }
            // Notes and addresses keep their lines, set in under the first.
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
            return lines.enumerated().map { index, line in
                TextWidth.padded(index == 0 ? title + ":" : "", to: 14) + Printable.line(line)
            }
        }
    }
}
