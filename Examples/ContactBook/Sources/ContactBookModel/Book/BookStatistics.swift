package import StorageKit

/// Numbers on a book.
package struct BookStatistics: Sendable {
    /// A name and how many contacts have it.
    @StorageSelection
    package struct Share: Equatable, Sendable {
        package let name: String
        package let count: Int
    }

    /// How many contacts there are of each kind.
    @StorageSelection
    package struct Counts: Equatable, Sendable {
        package let contacts: Int
        package let favorites: Int
        package let withEmail: Int
        package let withPhone: Int
        package let withBirthday: Int
    }

    package let counts: Counts
    package let topCompanies: [Share]
    package let topDomains: [Share]
    /// In the order in which they come round.
    package let nextBirthdays: [Contact]
}

extension ColumnRef<Contact> {
    /// What follows the @ of the address. Queries have no word for the place of a sign in a text.
    fileprivate var emailDomain: Column<String> {
        self.sql("substr(\(self.emailKey), instr(\(self.emailKey), '@') + 1)", as: String.self)
    }
}

extension ContactBook {
    /// Counts and ranks the contacts, in SQLite: no contact is loaded but those with the next birthdays.
    ///
    /// - Parameters:
    ///   - dayOfYear: Today, such as `05-17`.
    ///   - limit: How long each ranking may be.
    package func statistics(dayOfYear: String, limit: Int = 5) async throws -> BookStatistics {
        BookStatistics(
            counts: try await counts(), topCompanies: try await topCompanies(limit),
            topDomains: try await topDomains(limit),
            nextBirthdays: try await birthdays(from: dayOfYear, limit: limit))
    }

    private func counts() async throws -> BookStatistics.Counts {
        let counts = storage.query(Contact.self).aggregate {
            BookStatistics.Counts.columns(
                contacts: $0.count(), favorites: $0.count { $0.isFavorite }, withEmail: $0.count(\.email),
                withPhone: $0.count(\.phone), withBirthday: $0.count(\.birthdayKey))
        }
        return try await counts.fetchOne()
            ?? BookStatistics.Counts(contacts: 0, favorites: 0, withEmail: 0, withPhone: 0, withBirthday: 0)
    }

    private func birthdays(from dayOfYear: String, limit: Int) async throws -> [Contact] {
        let birthdays = storage.query(Contact.self).orderBy("birthdayKey").orderBy("nameKey")
        let thisYear = try await birthdays.where { $0.birthdayKey >= dayOfYear }.limit(limit).fetch()
        let nextYear = try await birthdays.where { $0.birthdayKey < dayOfYear }.limit(limit).fetch()
        return Array((thisYear + nextYear).prefix(limit))
    }

    private func topCompanies(_ limit: Int) async throws -> [BookStatistics.Share] {
        try await storage.query(Contact.self).where { $0.companyKey.isNotNull }.group(by: \.companyKey)
            .orderBy({ $0.count() }, .descending).orderBy { $0.min(\.company) }.limit(limit)
            .select { BookStatistics.Share.columns(name: $0.min(\.company) ?? "", count: $0.count()) }
            .fetch()
    }

    private func topDomains(_ limit: Int) async throws -> [BookStatistics.Share] {
        try await storage.query(Contact.self).where { $0.emailKey.contains("@") }.group { $0.emailDomain }
            .orderBy({ $0.count() }, .descending).orderBy { $0.emailDomain }.limit(limit)
            .select { BookStatistics.Share.columns(name: $0.emailDomain, count: $0.count()) }
            .fetch()
    }
}
