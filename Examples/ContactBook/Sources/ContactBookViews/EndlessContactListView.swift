#if canImport(SwiftUI)
public import ContactBookModel
import StorageKit
public import SwiftUI

/// A list of contacts that loads as it scrolls, for books of any size: three pages are in memory at most.
///
/// Written on Linux, where there is no SwiftUI: type-checked against stubs of it, and never run so far.
public struct EndlessContactListView: View {
    private let book: ContactBook
    @State private var window: LiveWindow<Contact>

    /// A view of a book.
    ///
    /// - Parameters:
    ///   - book: The open book.
    ///   - listing: Which contacts, in which order. It has no limit.
    public init(book: ContactBook, listing: Listing = Listing(search: "")) {
        self.book = book
        _window = State(initialValue: LiveWindow(book.query(listing), pageSize: 100))
    }

    /// The list, whose first and last rows ask for more when they appear.
    public var body: some View {
        NavigationStack {
            List(window.items, id: \.id) { contact in
                NavigationLink(value: contact.id) { ContactRow(contact: contact) }
                    .task {
                        if contact.id == window.items.last?.id { await window.loadNext() }
                        if contact.id == window.items.first?.id { await window.loadPrevious() }
                    }
            }
            .overlay { emptiness }
            .navigationTitle("Contacts")
            .navigationDestination(for: String.self) { id in ContactDetailView(book: book, id: id) }
        }
    }

    @ViewBuilder private var emptiness: some View {
        if let error = window.error {
            ContentUnavailableView(
                "Cannot be read", systemImage: "exclamationmark.triangle", description: Text(error.localizedDescription)
            )
        } else if window.items.isEmpty, case .ready = window.phase {
            ContentUnavailableView("No contacts", systemImage: "person.crop.circle")
        }
    }
}
#endif
