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
    @State private var problem: String?
    @Environment(\.dismiss) private var dismiss
    private let save: @MainActor (ContactDraft) async throws -> Void

    /// A form.
    ///
    /// - Parameters:
    ///   - draft: The texts to begin with.
    ///   - save: Called with the edited texts. The form stays open, and says why, if it throws.
    init(draft: ContactDraft, save: @escaping @MainActor (ContactDraft) async throws -> Void) {
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
                if let problem { Text(verbatim: problem).foregroundStyle(.red) }
            }
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                ToolbarItem(placement: .confirmationAction) {
                    Button("Save") {
                        Task {
                            do {
                                try await save(draft)
                                dismiss()
                            } catch {
                                problem = error.savingProblem
                            }
                        }
                    }
                    .disabled(!draft.isComplete)
                }
            }
        }
    }
}

extension Error {
    /// Why a contact could not be saved, in words for whoever edits it.
    var savingProblem: String {
        switch self as any Error {
        case is BookProblem: "This contact is no longer in the book."
        case StorageError.conflict: "Somebody changed this contact meanwhile, and your changes were not saved."
        default: localizedDescription
        }
    }
}
#endif
