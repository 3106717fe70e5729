import StorageKit

extension ColumnRef<Contact> {
    /// The birthday as a day of a leap year: of many the year is not known.
    var birthdayInLeapYear: Column<Date?> { self.sql("'2000-' || \(self.birthdayKey)", as: Date?.self) }
}

extension ContactBook {
    /// Those whose birthday is in a month, by the day.
    ///
    /// - Parameter month: From 1 to 12; nil for the present one.
    public func birthdays(inMonth month: Int?) async throws -> [Contact] {
        let month = month ?? Calendar(identifier: .gregorian).component(.month, from: Date())
        return try await storage.query(Contact.self).where { $0.birthdayInLeapYear.month == month }
            .orderBy { $0.birthdayInLeapYear.day }.orderBy(\.nameKey).orderBy(\.id)
            .fetch()
    }
}
