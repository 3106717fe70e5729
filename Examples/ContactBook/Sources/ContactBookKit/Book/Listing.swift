import ArgumentParser
import StorageKit

/// What a list is sorted by.
enum ContactOrder: String, CaseIterable, Sendable, ExpressibleByArgument {
    case name, email, company, birthday, created

    /// The column that SQLite sorts by. A birthday sorts by the day of the year: see ``Contact/birthdayKey``.
    var column: String {
        switch self {
        case .name: "nameKey"
        case .email: "emailKey"
        case .company: "companyKey"
        case .birthday: "birthdayKey"
        case .created: "createdAt"
        }
    }

    /// Whether a contact may lack what it is sorted by.
    var isOptional: Bool { self == .email || self == .company || self == .birthday }

    /// The column for a condition; of use where ``isOptional`` is true.
    func key(_ columns: ColumnRef<Contact>) -> Column<String?> {
        switch self {
        case .company: columns.companyKey
        case .birthday: columns.birthdayKey
        default: columns.emailKey
        }
    }
}

/// Which contacts to show, and in which order.
struct Listing: Sendable {
    var order = ContactOrder.name
    var descending = false
    var limit: Int?
    var favoritesOnly = false
    /// Folded; a contact must have all of them.
    var searchWords: [String] = []

    /// Picks and sorts contacts in memory as ``ContactBook/list(_:)`` does in SQLite. The ids keep the order
    /// total, so that both agree.
    func arrange(_ contacts: [Contact]) -> [Contact] {
        let wanted = contacts.filter { contact in
            (!favoritesOnly || contact.isFavorite) && searchWords.allSatisfy { contact.searchText.contains($0) }
        }
        let sorted = wanted.sorted { first, second in
            switch (order.text(of: first), order.text(of: second)) {
            case (nil, nil): break
            case (nil, _): return false
            case (_, nil): return true
            case (let key?, let other?):
                if key != other { return descending ? other.precedes(key) : key.precedes(other) }
            }
            if first.nameKey != second.nameKey { return first.nameKey.precedes(second.nameKey) }
            return first.id < second.id
        }
        return limit.map { Array(sorted.prefix($0)) } ?? sorted
    }
}

extension ContactOrder {
    fileprivate func text(of contact: Contact) -> String? {
        switch self {
        case .name: contact.nameKey
        case .email: contact.emailKey
        case .company: contact.companyKey
        case .birthday: contact.birthdayKey
        case .created: Listing.sortable(contact.createdAt)
        }
    }
}

extension Listing {
    /// The folded words of a search.
    static func words(of texts: [String]) -> [String] {
        TextFolding.fold(texts.joined(separator: " ")).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    fileprivate static func sortable(_ date: Date) -> String {
        let digits = String(Int((date.timeIntervalSince1970 * 1000).rounded()))
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }
}

extension String {
    /// Whether the text comes first by its bytes, as SQLite compares: Swift compares by characters.
    fileprivate func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
