#if canImport(SwiftUI)
import ContactBookModel
import StorageKit
import SwiftUI

/// One contact, kept up to date, and a form to change it. Never run so far: see ``ContactListView``.
struct ContactDetailView: View {
    private let book: ContactBook
    private let id: String
    @Live private var contact: Contact?
    @State private var draft: ContactDraft?
    @State private var problem: String?

    init(book: ContactBook, id: String) {
        self.book = book
        self.id = id
        _contact = Live(id: id, LiveQuery(Contact.self, id: id, in: book.storage))
    }

    var body: some View {
        Form {
            if let contact {
                LabeledContent("Name", value: contact.title)
                LabeledContent("Email", value: contact.email ?? "")
                LabeledContent("Phone", value: contact.phone ?? "")
                LabeledContent("Company", value: contact.company ?? "")
                LabeledContent("Birthday", value: contact.birthdayText ?? "")
                LabeledContent("Notes", value: contact.notes ?? "")
            } else if case .ready = $contact.phase {
                Text("This contact is not in the book.")
            }
            if let problem { Text(verbatim: problem).foregroundStyle(.red) }
        }
        .toolbar {
            if let contact {
                Button("Favourite", systemImage: contact.isFavorite ? "star.fill" : "star") {
                    let isFavorite = !contact.isFavorite
                    change { $0.isFavorite = isFavorite }
                }
                Button("Edit") { draft = ContactDraft(contact) }
            }
        }
        .sheet(item: $draft) { draft in
            ContactEditView(draft: draft) { edited in
                // The form has all texts: saved over another version it would undo what somebody else wrote meanwhile.
                _ = try await book.update(id: id, ifVersion: edited.version) { edited.apply(to: &$0) }
            }
        }
    }

    /// Saves a change. Nothing is shown from here: the live query sees the commit.
    private func change(_ change: @escaping @Sendable (inout Contact) -> Void) {
        Task {
            do {
                _ = try await book.update(id: id, change)
                problem = nil
            } catch {
                problem = error.savingProblem
            }
        }
    }
}
#endif
