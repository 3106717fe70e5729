import StorageKit

/// Numbers on a book.
package struct BookStatistics: Sendable {
    /// A name and how many contacts have it.
    package struct Share: Equatable, Sendable {
        package let name: String
        package let count: Int
    }

    package let contacts: Int
    package let favorites: Int
    package let withEmail: Int
    package let withPhone: Int
    package let withBirthday: Int
    package let topCompanies: [Share]
    package let topDomains: [Share]
    /// In the order in which they come round.
    package let nextBirthdays: [Contact]
}

extension ContactBook {
    /// Counts and ranks the contacts, in SQLite: no contact is loaded but those with the next birthdays.
    ///
    /// - Parameters:
    ///   - dayOfYear: Today, such as `05-17`.
    ///   - limit: How long each ranking may be.
    package func statistics(dayOfYear: String, limit: Int = 5) async throws -> BookStatistics {
        let contacts = storage.query(Contact.self)
        return BookStatistics(
            contacts: try await contacts.count(),
            favorites: try await contacts.where { $0.isFavorite }.count(),
            withEmail: try await contacts.where { $0.email.isNotNull }.count(),
            withPhone: try await contacts.where { $0.phone.isNotNull }.count(),
            withBirthday: try await contacts.where { $0.birthdayKey.isNotNull }.count(),
            topCompanies: try await top(limit, "min(company)", by: "companyKey"),
            topDomains: try await top(
                limit, "substr(emailKey, instr(emailKey, '@') + 1)", by: "substr(emailKey, instr(emailKey, '@') + 1)",
                where: "instr(emailKey, '@') > 0"),
            nextBirthdays: try await birthdays(from: dayOfYear, limit: limit))
    }

    private func birthdays(from dayOfYear: String, limit: Int) async throws -> [Contact] {
        let birthdays = storage.query(Contact.self).orderBy("birthdayKey").orderBy("nameKey")
        let thisYear = try await birthdays.where { $0.birthdayKey >= dayOfYear }.limit(limit).fetch()
        let nextYear = try await birthdays.where { $0.birthdayKey < dayOfYear }.limit(limit).fetch()
        return Array((thisYear + nextYear).prefix(limit))
    }

    private func top(
        _ limit: Int, _ name: String, by key: String, where condition: String = "companyKey IS NOT NULL"
    ) async throws -> [BookStatistics.Share] {
        try await context.storage.dbActor.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT \(name) AS name, count(*) AS count FROM contacts WHERE \(condition)
                    GROUP BY \(key) ORDER BY count DESC, name LIMIT ?
                    """,
                arguments: [limit])
            return rows.map { BookStatistics.Share(name: $0["name"], count: $0["count"]) }
        }
    }
}
