import ContactBookModel
import StorageKit

/// Makes up contacts in the columns of Google's newer export: as many as asked for, the same for the same seed.
struct SampleContacts {
    /// The header.
    static let header = [
        "First Name", "Middle Name", "Last Name", "Organization Name", "Birthday", "Notes", "Labels",
        "E-mail 1 - Value", "E-mail 2 - Value", "Phone 1 - Value", "Address 1 - Formatted", "Website 1 - Value",
    ]

    private var random: SplitMix64
    private var number = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// The fields of the next contact. Its number is part of the email and the phone, so that no two contacts
    /// are the same person.
    mutating func nextRow() -> [String] {
        number += 1
        let (first, last) = name()
        let company = random.pick(SampleWords.companies)
        let domain = random.pick(SampleWords.domains)
        let hasEmail = random.below(10) > 0
        // Numbers that no exchange connects, made different by an extension.
        let phone = "+1 202-555-01\(10 + random.below(90)) ext. \(number)"
        return [
            first, random.below(12) == 0 ? "\(random.pick(SampleWords.initials))." : "", last,
            random.below(3) == 0 ? "" : company, birthday(), note(),
            random.below(5) == 0 ? "Friends ::: * myContacts" : "",
            hasEmail ? "contact\(number)@\(domain)" : "",
            hasEmail && random.below(20) == 0 ? "other\(number)@\(domain)" : "",
            !hasEmail || random.below(3) > 0 ? phone : "",
            random.below(8) == 0 ? "\(1 + random.below(200)) \(random.pick(SampleWords.streets))\nSpringfield" : "",
            random.below(15) == 0 ? "https://\(domain)/\(number)" : "",
        ]
    }

    private mutating func name() -> (first: String, last: String) {
        let people = random.pick(SampleWords.people)
        return (random.pick(people.first), random.pick(people.last))
    }

    private mutating func birthday() -> String {
        let month = 1 + random.below(12)
        let day = 1 + random.below(28)
        let text = (month < 10 ? "0\(month)" : "\(month)") + "-" + (day < 10 ? "0\(day)" : "\(day)")
        return switch random.below(6) {
        case 0, 1: ""
        case 2: "--\(text)"
        default: "\(1940 + random.below(70))-\(text)"
        }
    }

    private mutating func note() -> String {
        random.below(4) == 0 ? random.pick(SampleWords.notes) : ""
    }
}

extension SampleContacts {
    /// Writes a CSV file, piece by piece: its size is not bound by memory.
    ///
    /// - Throws: ``CSVProblem`` if the file cannot be written.
    static func write(count: Int, to file: String, seed: UInt64) throws {
        guard FileManager.default.createFile(atPath: file, contents: nil),
            let handle = FileHandle(forWritingAtPath: file)
        else { throw CSVProblem(file: file, reason: "the file cannot be written; check the folder") }
        var contacts = SampleContacts(seed: seed)
        var text = CSVWriter.record(header)
        do {
            for _ in 0..<count {
                text += CSVWriter.record(contacts.nextRow())
                if text.utf8.count > 64 << 10 {
                    try handle.write(contentsOf: Data(text.utf8))
                    text = ""
                }
            }
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        } catch {
            throw CSVProblem(file: file, reason: "the file cannot be written: \(error.localizedDescription)")
        }
    }
}
