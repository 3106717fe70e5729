import ArgumentParser
import ContactBookModel
import StorageKit

struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count contacts; show the largest companies and the next birthdays.",
        discussion: """
            Example:
              contactbook stats
            """)

    @OptionGroup var location: BookLocation

    func run() async throws {
        let today = Calendar(identifier: .gregorian).dateComponents([.month, .day], from: Date())
        let day = Birthday(month: today.month ?? 1, day: today.day ?? 1)
        let statistics = try await location.open().statistics(dayOfYear: day.dayOfYear)
        StandardOutput.write(lines: statistics.lines)
    }
}

extension BookStatistics {
    /// The numbers in words.
    var lines: [String] {
        let numbers = [
            ("Contacts", counts.contacts), ("Favourites", counts.favorites), ("With email", counts.withEmail),
            ("With phone", counts.withPhone), ("With birthday", counts.withBirthday),
        ]
        var lines = numbers.map { title, count in TextWidth.padded(title, to: 15) + String(count) }
        lines += ranking("Top companies", topCompanies)
        lines += ranking("Top domains", topDomains)
        if !nextBirthdays.isEmpty {
            lines += ["", "Next birthdays"]
            lines += nextBirthdays.map { contact in
                let text = TextWidth.padded(contact.birthdayText ?? "", to: 12)
                return "  \(text)\(Printable.line(contact.title))"
            }
        }
        return lines
    }

    private func ranking(_ title: String, _ shares: [Share]) -> [String] {
        guard !shares.isEmpty else { return [] }
        let names = shares.map { Printable.line($0.name) }
        let width = names.map(TextWidth.of).max() ?? 0
        return ["", title] + zip(names, shares).map { "  \(TextWidth.padded($0, to: width))  \($1.count)" }
    }
}
