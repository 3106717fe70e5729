#if canImport(SwiftUI)
import ContactBookModel
import StorageKit
import SwiftUI

/// The texts of a contact while they are being edited.
struct ContactDraft: Identifiable, Sendable {
    let id: String
    /// What it was made from.
    let version: Int
    var name: String
    var email: String
    var phone: String
    var company: String
    var birthday: String
    var notes: String

    init(_ contact: Contact) {
        id = contact.id
        version = contact.version
        name = contact.name
        email = contact.email ?? ""
        phone = contact.phone ?? ""
        company = contact.company ?? ""
        birthday = contact.birthdayText ?? ""
        notes = contact.notes ?? ""
    }

    /// Whether it can be saved: somebody must have a name, an email or a phone, and a birthday must be a day.
    var isComplete: Bool {
        let isSomebody = [name, email, phone].contains { ContactDraft.text($0) != nil }
        return isSomebody && (ContactDraft.text(birthday) == nil || Birthday(birthday) != nil)
    }

    /// Writes the texts into a contact; empty ones become nil.
    func apply(to contact: inout Contact) {
        contact.name = ContactDraft.text(name) ?? ""
        contact.email = ContactDraft.text(email)
        contact.phone = ContactDraft.text(phone)
        contact.company = ContactDraft.text(company)
        contact.birthday = ContactDraft.text(birthday).flatMap(Birthday.init)
        contact.notes = ContactDraft.text(notes)
    }

    private static func text(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}

/// A form for a draft. Never run so far: see ``ContactListView``.
struct ContactEditView: View {
    @State private var draft: ContactDraft
    @Environment(\.dismiss) private var dismiss
    private let save: (ContactDraft) -> Void

    /// A form.
    ///
    /// - Parameters:
    ///   - draft: The texts to begin with.
    ///   - save: Called with the edited texts.
    init(draft: ContactDraft, save: @escaping (ContactDraft) -> Void) {
        _draft = State(initialValue: draft)
        self.save = save
    }

    var body: some View {
        NavigationStack {
            Form {
                TextField("Name", text: $draft.name)
                TextField("Email", text: $draft.email)
                TextField("Phone", text: $draft.phone)
                TextField("Company", text: $draft.company)
                TextField("Birthday, as 1990-05-17", text: $draft.birthday)
                TextField("Notes", text: $draft.notes, axis: .vertical)
            }
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                ToolbarItem(placement: .confirmationAction) {
                    Button("Save") {
                        save(draft)
                        dismiss()
                    }
                    .disabled(!draft.isComplete)
                }
            }
        }
    }
}
#endif
