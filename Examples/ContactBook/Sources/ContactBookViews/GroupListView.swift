#if canImport(SwiftUI)
public import ContactBookModel
import StorageKit
public import SwiftUI

/// The groups of a book, with how many are in each. Never run so far: see ``ContactListView``.
public struct GroupListView: View {
    @Live private var groups: [GroupRow]

    /// A view of a book.
    ///
    /// - Parameter book: The open book.
    public init(book: ContactBook) {
        _groups = Live(LiveQuery(book.groups))
    }

    /// A line for each group.
    public var body: some View {
        List(groups, id: \.group.id) { row in
            LabeledContent(row.group.name, value: "\(row.contacts)")
        }
        .navigationTitle("Groups")
    }
}
#endif
