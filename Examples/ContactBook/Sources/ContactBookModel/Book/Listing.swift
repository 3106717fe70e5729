/// What a list is sorted by.
public enum ContactOrder: String, CaseIterable, Sendable {
    /// By name, or by what stands for it.
    case name
    /// By the first address.
    case email
    /// By company.
    case company
    /// By the day of the year.
    case birthday
    /// By when the contact came into the book.
    case created

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
}

/// Which contacts to show, and in which order.
public struct Listing: Sendable {
    /// What they are sorted by.
    public var order: ContactOrder
    /// Whether the last comes first. Contacts without a value to sort by come last all the same.
    public var descending: Bool
    /// How many at most; nil for all.
    package var limit: Int?
    /// Whether the others are left out.
    public var favoritesOnly: Bool
    /// Folded; a contact must have all of them.
    package var searchWords: [String]

    /// All contacts by name, but for what is said.
    package init(
        order: ContactOrder = .name, descending: Bool = false, limit: Int? = nil, favoritesOnly: Bool = false,
        searchWords: [String] = []
    ) {
        self.order = order
        self.descending = descending
        self.limit = limit
        self.favoritesOnly = favoritesOnly
        self.searchWords = searchWords
    }

    /// The contacts that a search finds.
    ///
    /// - Parameters:
    ///   - search: Words, each of which must be part of name, email, phone or company; none for all contacts.
    ///   - order: What they are sorted by.
    ///   - descending: Whether the last comes first.
    ///   - favoritesOnly: Whether the others are left out.
    public init(
        search: String, order: ContactOrder = .name, descending: Bool = false, favoritesOnly: Bool = false
    ) {
        self.init(
            order: order, descending: descending, favoritesOnly: favoritesOnly,
            searchWords: Listing.words(of: [search]))
    }
}

extension Listing {
    /// The folded words of a search.
    package static func words(of texts: [String]) -> [String] {
        TextFolding.fold(texts.joined(separator: " ")).split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
