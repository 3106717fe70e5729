#if canImport(SwiftUI)
public import ContactBookModel
import StorageKit
public import SwiftUI

/// A list of contacts that loads as it scrolls, for books of any size: three pages are in memory at most.
///
/// Written on Linux, where there is no SwiftUI: type-checked against stubs of it, and never run so far.
public struct EndlessContactListView: View {
    private let book: ContactBook
    private let listing: Listing
    @State private var window: LiveWindow<Contact>?

    /// A view of a book.
    ///
    /// - Parameters:
    ///   - book: The open book.
    ///   - listing: Which contacts, in which order. It has no limit.
    public init(book: ContactBook, listing: Listing = Listing(search: "")) {
        self.book = book
        self.listing = listing
    }

    /// The list, whose first and last rows ask for more.
    public var body: some View {
        NavigationStack {
            List(window?.items ?? [], id: \.id) { contact in row(contact) }
                .overlay { emptiness }
                // Made here, once: what `init` makes is made anew whenever the view around this one is drawn.
                .task { if window == nil { window = LiveWindow(book.query(listing), pageSize: 100) } }
                .navigationTitle("Contacts")
                .navigationDestination(for: String.self) { id in ContactDetailView(book: book, id: id) }
        }
    }

    /// Asks for more when it is at an end of the list, or comes to stand there while it is in sight.
    @ViewBuilder private func row(_ contact: Contact) -> some View {
        let asksNext = window?.hasMoreAfter == true && contact.id == window?.items.last?.id
        let asksPrevious = window?.hasMoreBefore == true && contact.id == window?.items.first?.id
        NavigationLink(value: contact.id) { ContactRow(contact: contact) }
            .task(id: asksNext) { if asksNext { await window?.loadNext() } }
            .task(id: asksPrevious) { if asksPrevious { await window?.loadPrevious() } }
    }

    @ViewBuilder private var emptiness: some View {
        if let error = window?.error {
            ContentUnavailableView(
                "Cannot be read", systemImage: "exclamationmark.triangle", description: Text(error.localizedDescription)
            )
        } else if let window, window.items.isEmpty, case .ready = window.phase {
            ContentUnavailableView("No contacts", systemImage: "person.crop.circle")
        }
    }
}
#endif
