import ContactBookModel
import Observation
import StorageKit

/// A page of the contacts, and the way from one to the next by short commands. The book may have any number of contacts: one page is in
/// memory, and follows what others write.
@MainActor final class Browser {
    /// What comes of a command.
    enum Answer: Equatable {
        case page
        /// Something that the user should read.
        case note(String)
        case end
    }

    nonisolated static let help = "n(ext), p(revious), s(tart), e(nd), j(ump) ID, q(uit)"

    private let book: ContactBook
    private let window: LiveWindow<Contact>

    /// - Parameters:
    ///   - book: The book.
    ///   - listing: Which contacts, in which order.
    ///   - pageSize: How many contacts a page has.
    init(_ book: ContactBook, _ listing: Listing, pageSize: Int) {
        self.book = book
        window = LiveWindow(book.query(listing), pageSize: pageSize, maximumPages: 1)
    }

    /// The contacts of the page.
    var contacts: [Contact] { window.items }

    /// Where the page stands, in a line.
    var heading: String {
        let count = contacts.count == 1 ? "1 contact" : "\(contacts.count) contacts"
        return (window.hasMoreBefore ? "... " : "") + count + (window.hasMoreAfter ? " ..." : "")
    }

    /// Reads the first page.
    func begin() async throws { try await go { await window.jumpToStart() } }

    /// Does what a line says. An empty line goes on to the next page.
    func perform(_ line: String) async throws -> Answer {
        let words = line.split(separator: " ")
        switch words.first?.lowercased() {
        case nil, "n", "next": try await go { await window.loadNext() }
        case "p", "previous": try await go { await window.loadPrevious() }
        case "s", "start": try await go { await window.jumpToStart() }
        case "e", "end": try await go { await window.jumpToEnd() }
        case "j", "jump":
            guard words.count == 2 else { return .note("Jump where? The id, or its first digits.") }
            do {
                let contact = try await book.contact(idPrefix: String(words[1]))
                guard await window.jump(to: contact.id) else {
                    if let error = window.error { throw error }
                    return .note("The list has no such contact.")
                }
            } catch let problem as BookProblem {
                return .note(problem.localizedDescription)
            }
        case "q", "quit": return .end
        default: return .note(Browser.help)
        }
        return .page
    }

    private func go(_ step: () async -> Void) async throws {
        await step()
        if let error = window.error { throw error }
    }

    /// Calls back at each change of the page, from whomever it came.
    func onChange(_ draw: @escaping @MainActor () -> Void) {
        withObservationTracking {
            _ = (window.items, window.hasMoreBefore, window.hasMoreAfter)
        } onChange: { [weak self] in
            // Told of before the change; what is drawn is there a moment later.
            Task { @MainActor in
                draw()
                self?.onChange(draw)
            }
        }
    }
}
