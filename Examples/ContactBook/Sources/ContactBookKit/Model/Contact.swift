import StorageKit

/// A person or a company in the book: one row of the table `contacts`.
@StorageEntity
struct Contact: Hashable {
    /// Derived from what identifies the person (see ``ContactIdentity``), and kept for life.
    var id: String
    var name: String
    var email: String?
    var phone: String?
    /// Further addresses of a CSV row, joined by ", ".
    var otherEmails: String?
    /// Further numbers of a CSV row, joined by ", ".
    var otherPhones: String?
    var company: String?
    /// As ``Birthday`` writes it. No Date: a birthday has no time zone, and often no year.
    var birthdayText: String?
    var address: String?
    var website: String?
    var labels: String?
    var notes: String?
    /// Known to this book only: no CSV file changes it once the contact exists.
    var isFavorite: Bool
    /// When the contact came into this book.
    var createdAt: Date
    // What the columns below hold is computed by refreshKeys(): SQLite compares bytes, people do not.
    var nameKey: String
    var emailKey: String?
    var companyKey: String?
    /// Month and day, such as `05-17`.
    var birthdayKey: String?
    var searchText: String

    /// A contact made of what is known about it.
    init(id: String, details: ContactDetails, createdAt: Date) {
        self.id = id
        name = ""
        isFavorite = false
        self.createdAt = createdAt
        nameKey = ""
        searchText = ""
        apply(details)
    }
}

extension Contact {
    /// The birthday, as a value.
    var birthday: Birthday? {
        get { birthdayText.flatMap(Birthday.init) }
        set { birthdayText = newValue?.description }
    }

    /// Takes over every detail that has a value. An empty one erases nothing: a shorter row of a CSV file, or a
    /// file with fewer columns, must not cost what is already known.
    mutating func apply(_ details: ContactDetails) {
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
    mutating func refreshKeys() {
        nameKey = TextFolding.fold(title)
        emailKey = email.map(TextFolding.fold)
        companyKey = company.map(TextFolding.fold)
        birthdayKey = birthday?.dayOfYear
        let texts = [name, email, otherEmails, phone, otherPhones, company].compactMap(\.self)
        let numbers = [phone, otherPhones].compactMap(\.self).map { $0.filter(\.isASCIIDigit) }
        searchText = TextFolding.fold((texts + numbers).joined(separator: "\n"))
    }

    /// What to call the contact where there is no name.
    var title: String {
        name.isEmpty ? company ?? email ?? phone ?? "" : name
    }
}

/// What a CSV row or a command line says about a contact. Empty texts are nil, the name alone may be empty.
struct ContactDetails: Hashable {
    var name = ""
    var email: String?
    var phone: String?
    var otherEmails: String?
    var otherPhones: String?
    var company: String?
    var birthday: Birthday?
    var address: String?
    var website: String?
    var labels: String?
    var notes: String?
    /// The file calls the contact starred; it counts when the contact is new.
    var isStarred = false

    /// Whether there is nothing to call or to reach the contact by.
    var isAnonymous: Bool { name.isEmpty && email == nil && phone == nil }
}

extension Character {
    /// 0 to 9 and nothing else, unlike `isNumber`.
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
