import ContactBookModel
import StorageKit

/// Finds the columns of a Google Contacts export, the classic and the newer one, by the names in the header.
struct GoogleColumns {
    private let file: String
    private let header: [String]
    private let name: Int?
    private let nameParts: [Int]
    private let nickname: Int?
    private let company: Int?
    private let birthday: Int?
    private let notes: Int?
    private let labels: Int?
    private let address: Int?
    private let website: Int?
    private let emails: [Int]
    private let phones: [Int]

    /// Reads the header.
    ///
    /// - Throws: ``CSVProblem`` naming the columns found if no name is among them, or one stands there twice.
    init(header row: CSVRow, file: String) throws {
        self.file = file
        var titles = row.fields.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        // The parser fills the header up where a row is longer.
        while titles.last?.isEmpty == true { titles.removeLast() }
        header = titles
        var places: [String: Int] = [:]
        for (index, title) in header.enumerated() where !title.isEmpty {
            if places.updateValue(index, forKey: title.lowercased()) != nil {
                throw CSVProblem(file: file, line: row.line, column: title, reason: "the header names it twice")
            }
        }
        func place(_ titles: String...) -> Int? {
            titles.lazy.compactMap { places[$0.lowercased()] }.first
        }
        func numbered(_ kind: String) -> [Int] {
            (1...20).compactMap { places["\(kind) \($0) - value"] }
        }
        name = place("Name")
        nameParts = [
            place("First Name", "Given Name"), place("Middle Name", "Additional Name"),
            place("Last Name", "Family Name"),
        ].compactMap(\.self)
        nickname = place("Nickname")
        company = place("Organization Name", "Organization 1 - Name", "Company")
        birthday = place("Birthday")
        notes = place("Notes")
        labels = place("Labels", "Group Membership")
        address = place("Address 1 - Formatted", "Address")
        website = place("Website 1 - Value", "Website")
        emails = numbered("e-mail") + [place("E-mail", "Email")].compactMap(\.self)
        phones = numbered("phone") + [place("Phone")].compactMap(\.self)
        guard name != nil || !nameParts.isEmpty else {
            let found = header.map { "'\($0)'" }.joined(separator: ", ")
            throw CSVProblem(
                file: file, line: row.line,
                reason: "the header has no name column ('Name', or 'First Name' and 'Last Name'); it has \(found)")
        }
    }

    /// What a row says.
    ///
    /// - Throws: ``CSVProblem`` for a birthday that is no day, or more fields than the header has.
    func details(of row: CSVRow) throws -> ContactDetails {
        if row.fields.count > header.count, row.fields[header.count...].contains(where: { !$0.isEmpty }) {
            throw CSVProblem(
                file: file, line: row.line,
                reason: "the row has more fields than the header's \(header.count); is a comma not quoted?")
        }
        func text(_ index: Int?) -> String? {
            guard let index, index < row.fields.count else { return nil }
            let text = row.fields[index].trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }
        // Several values of one kind stand in one field with colons between.
        func values(_ places: [Int]) -> [String] {
            places.compactMap(text).flatMap { $0.components(separatedBy: " ::: ") }
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        var details = ContactDetails()
        let fullName = nameParts.compactMap(text).joined(separator: " ")
        details.name = text(name) ?? (fullName.isEmpty ? text(nickname) ?? "" : fullName)
        let emails = values(emails)
        details.email = emails.first
        details.otherEmails = joined(emails.dropFirst())
        let phones = values(phones)
        details.phone = phones.first
        details.otherPhones = joined(phones.dropFirst())
        details.company = text(company)
        details.address = text(address)
        details.website = text(website)
        details.notes = text(notes)
        details.birthday = try birthday(text(birthday), of: row)
        // Google's own groups begin with an asterisk; one of them is the star.
        let groups = text(labels)?.components(separatedBy: " ::: ") ?? []
        details.isStarred = groups.contains("* starred")
        let ownGroups = groups.filter { !$0.hasPrefix("* ") }
        details.labels = joined(ownGroups[...])
        return details
    }

    private func birthday(_ text: String?, of row: CSVRow) throws -> Birthday? {
        guard let text, let birthday else { return nil }
        guard let day = Birthday(text) else {
            throw CSVProblem(
                file: file, line: row.line, column: header[birthday], reason: "'\(text)' is not a date")
        }
        return day
    }

    private func joined(_ values: ArraySlice<String>) -> String? {
        values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
