#if canImport(SwiftUI)
public import ContactBookModel
import StorageKit
public import SwiftUI

/// The groups of a book, with how many are in each. Never run so far: see ``ContactListView``.
public struct GroupListView: View {
    @State private var groups: LiveQuery<[GroupRow]>

    /// A view of a book.
    ///
    /// - Parameter book: The open book.
    public init(book: ContactBook) {
        _groups = State(initialValue: LiveQuery(book.groups))
    }

    /// A line for each group.
    public var body: some View {
        List(groups.value, id: \.group.id) { row in
            LabeledContent(row.group.name, value: "\(row.contacts)")
        }
        .navigationTitle("Groups")
    }
}
#endif
