import ContactBookModel

/// All there is about one contact, a line each.
enum ContactCard {
    /// The lines; what is empty has none. Groups and calls are those that the contact came with.
    static func lines(_ contact: Contact) -> [String] {
        let groups = contact.groups.map(\.name).joined(separator: ", ")
        let calls = contact.calls.map(CallText.line).joined(separator: "\n")
        let facts: [(title: String, text: String?)] = [
            ("Name", contact.title), ("Favourite", contact.isFavorite ? "yes" : nil),
            ("Email", contact.email), ("Other emails", contact.otherEmails),
            ("Phone", contact.phone), ("Other phones", contact.otherPhones),
            ("Company", contact.company), ("Birthday", contact.birthdayText),
            ("Address", contact.address), ("Website", contact.website), ("Labels", contact.labels),
            ("Groups", groups), ("Last calls", calls), ("Notes", contact.notes),
            ("Added", CallText.time(contact.createdAt)), ("ID", contact.id),
        ]
        return facts.flatMap { title, text -> [String] in
            guard let text, !text.isEmpty else { return [] }
            // Notes and addresses keep their lines, set in under the first.
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
            return lines.enumerated().map { index, line in
                TextWidth.padded(index == 0 ? title + ":" : "", to: 14) + Printable.line(line)
            }
        }
    }
}
