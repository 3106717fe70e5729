public import StorageKit

/// A person or a company in the book: one row of the table `contacts`.
@StorageEntity
public struct Contact: Hashable {
    /// Derived from what identifies the person (see ``ContactIdentity``), and kept for life.
    public var id: String
    /// The name; empty where there is none.
    public var name: String
    /// The address for mail.
    public var email: String?
    /// The telephone number.
    public var phone: String?
    /// Further addresses of a CSV row, joined by ", ".
    public var otherEmails: String?
    /// Further numbers of a CSV row, joined by ", ".
    public var otherPhones: String?
    /// The company.
    public var company: String?
    /// As ``Birthday`` writes it. No Date: a birthday has no time zone, and often no year.
    public var birthdayText: String?
    /// Where to send letters.
    public var address: String?
    /// The page on the web.
    public var website: String?
    /// The groups that a CSV file puts the contact in, as Google writes them; those of this book are ``groups``.
    public var labels: String?
    /// Anything else.
    public var notes: String?
    /// Known to this book only: no CSV file changes it once the contact exists.
    public var isFavorite: Bool
    /// When the contact came into this book.
    public var createdAt: Date
    // What the columns below hold is computed by refreshKeys(): SQLite compares bytes, people do not.
    /// The title as it is sorted by.
    public var nameKey: String
    /// The email as it is sorted by.
    public var emailKey: String?
    /// The company as it is sorted by.
    public var companyKey: String?
    /// Month and day, such as `05-17`.
    public var birthdayKey: String?
    /// All that a search looks through.
    public var searchText: String
    /// How often the contact was written: by it two who change a contact at one time notice each other.
    @StorageVersion
    public var version: Int = 0
    /// The groups that the contact is in; empty unless a query includes them.
    @StorageHasMany(through: Membership.self)
    public var groups: [ContactGroup]
    /// Calls with the contact; empty unless a query includes them.
    @StorageHasMany(foreignKey: "contactId")
    public var calls: [PhoneCall]

    /// A contact made of what is known about it.
    package init(id: String, details: ContactDetails, createdAt: Date) {
        self.id = id
        name = ""
        isFavorite = false
        self.createdAt = createdAt
        nameKey = ""
        searchText = ""
        groups = []
        calls = []
        apply(details)
    }
}

extension Contact {
    /// The birthday, as a value.
    public var birthday: Birthday? {
        get { birthdayText.flatMap(Birthday.init) }
        set { birthdayText = newValue?.description }
    }

    /// Takes over every detail that has a value. An empty one erases nothing: a shorter row of a CSV file, or a
    /// file with fewer columns, must not cost what is already known.
    package mutating func apply(_ details: ContactDetails) {
        if !details.name.isEmpty { name = details.name }
        email = details.email ?? email
        phone = details.phone ?? phone
        otherEmails = details.otherEmails ?? otherEmails
        otherPhones = details.otherPhones ?? otherPhones
        company = details.company ?? company
        birthday = details.birthday ?? birthday
        address = details.address ?? address
        website = details.website ?? website
        labels = details.labels ?? labels
        notes = details.notes ?? notes
        refreshKeys()
    }

    /// Computes what sorting and searching compare. Call it after each change of a property.
    package mutating func refreshKeys() {
        nameKey = TextFolding.fold(title)
        emailKey = email.map(TextFolding.fold)
        companyKey = company.map(TextFolding.fold)
        birthdayKey = birthday?.dayOfYear
        let texts = [name, email, otherEmails, phone, otherPhones, company].compactMap(\.self)
        let numbers = [phone, otherPhones].compactMap(\.self).map { $0.filter(\.isASCIIDigit) }
        searchText = TextFolding.fold((texts + numbers).joined(separator: "\n"))
    }

    /// What to call the contact where there is no name.
    public var title: String {
        name.isEmpty ? company ?? email ?? phone ?? "" : name
    }

    /// Whether there is nothing to call or to reach the contact by.
    public var isAnonymous: Bool { ContactDetails(name: name, email: email, phone: phone).isAnonymous }
}

/// What a CSV row or a command line says about a contact. Empty texts are nil, the name alone may be empty.
public struct ContactDetails: Hashable, Sendable {
    /// The name, which may be empty.
    public var name: String
    /// The address for mail.
    public var email: String?
    /// The telephone number.
    public var phone: String?
    /// Further addresses, joined by ", ".
    public var otherEmails: String?
    /// Further numbers, joined by ", ".
    public var otherPhones: String?
    /// The company.
    public var company: String?
    /// The birthday.
    public var birthday: Birthday?
    /// Where to send letters.
    public var address: String?
    /// The page on the web.
    public var website: String?
    /// The groups that the contact is in.
    public var labels: String?
    /// Anything else.
    public var notes: String?
    /// The file calls the contact starred; it counts when the contact is new.
    package var isStarred = false

    /// What is known, said at once; the rest is set afterwards.
    public init(
        name: String = "", email: String? = nil, phone: String? = nil, company: String? = nil,
        birthday: Birthday? = nil, notes: String? = nil
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.company = company
        self.birthday = birthday
        self.notes = notes
    }

    /// Whether there is nothing to call or to reach the contact by.
    public var isAnonymous: Bool { name.isEmpty && email == nil && phone == nil }
}

extension Character {
    /// 0 to 9 and nothing else, unlike `isNumber`.
    package var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
