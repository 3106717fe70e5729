#if canImport(SwiftUI)
public import ContactBookModel
import StorageKit
public import SwiftUI

/// A list of contacts that follows every change of the book, with a field to search it.
///
/// Written on Linux, where there is no SwiftUI: type-checked against stubs of it, and never run so far.
///
/// ```swift
/// @main struct ContactBookApp: App {
///     let book: ContactBook   // ContactBook(at: ContactBook.defaultURL())
///     var body: some Scene {
///         WindowGroup { ContactListView(book: book) }
///     }
/// }
/// ```
public struct ContactListView: View {
    private let book: ContactBook
    @State private var contacts: LiveQuery<[Contact]>?
    @State private var search = ""

    /// A view of a book.
    ///
    /// - Parameter book: The open book.
    public init(book: ContactBook) {
        self.book = book
    }

    /// The list, the contact chosen in it, and the search field.
    public var body: some View {
        NavigationStack {
            List(contacts?.value ?? [], id: \.id) { contact in
                NavigationLink(value: contact.id) { ContactRow(contact: contact) }
            }
            .overlay { emptiness }
            .navigationTitle("Contacts")
            .navigationDestination(for: String.self) { id in ContactDetailView(book: book, id: id) }
            .searchable(text: $search)
            .task(id: search) { await ask() }
        }
    }

    /// Asks for what is searched. The list before stays until the new one is read, and its query ends with its last reference.
    private func ask() async {
        // Whoever goes on typing ends this task.
        if contacts != nil, (try? await Task.sleep(for: .milliseconds(200))) == nil { return }
        let next = LiveQuery(book.query(Listing(search: search)))
        await next.refresh()
        if !Task.isCancelled { contacts = next }
    }

    @ViewBuilder private var emptiness: some View {
        if let error = contacts?.error {
            ContentUnavailableView(
                "Cannot be read", systemImage: "exclamationmark.triangle", description: Text(error.localizedDescription)
            )
        } else if let contacts, contacts.value.isEmpty, case .ready = contacts.phase {
            ContentUnavailableView("No contacts", systemImage: "person.crop.circle")
        }
    }
}

/// One line of the list.
struct ContactRow: View {
    let contact: Contact

    var body: some View {
        VStack(alignment: .leading) {
            HStack {
                Text(verbatim: contact.title)
                if contact.isFavorite { Image(systemName: "star.fill").foregroundStyle(.yellow) }
            }
            if let company = contact.company {
                Text(verbatim: company).font(.subheadline).foregroundStyle(.secondary)
            }
        }
    }
}
#endif
