import ArgumentParser
import ContactBookModel

struct BirthdaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "birthdays",
        abstract: "List the birthdays of a month.",
        discussion: """
            Example:
              contactbook birthdays
              contactbook birthdays --month 12
            """)

    @OptionGroup var location: BookLocation
    @Option(help: "The month, from 1 to 12. Default: this one.")
    var month: Int?

    func validate() throws {
        if let month, !(1...12).contains(month) { throw ValidationError("A month is a number from 1 to 12.") }
    }

    func run() async throws {
        let contacts = try await location.open().birthdays(inMonth: month)
        if contacts.isEmpty { StandardOutput.writeError("No birthdays in this month.\n") }
        StandardOutput.write(
            lines: contacts.map { TextWidth.padded($0.birthdayText ?? "", to: 12) + ChangeReport.name($0) })
    }
}
