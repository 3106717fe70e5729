import ArgumentParser
import ContactBookModel
import StorageKit

/// The properties that `add` and `edit` take.
struct DetailOptions: ParsableArguments {
    @Option(help: "The address for mail.")
    var email: String?
    @Option(help: "The telephone number.")
    var phone: String?
    @Option(help: "The company.")
    var company: String?
    @Option(help: "The birthday: 1990-05-17, or --birthday=--05-17 without a year.")
    var birthday: String?
    @Option(help: "Anything else.")
    var notes: String?

    func validate() throws {
        if let birthday, !birthday.isEmpty, Birthday(birthday) == nil {
            throw ValidationError("'\(birthday)' is not a date; write 1990-05-17, or --05-17 without a year.")
        }
    }

    /// The texts without outer spaces; nil where there is none.
    var details: ContactDetails {
        var details = ContactDetails()
        details.email = email.flatMap(DetailOptions.text)
        details.phone = phone.flatMap(DetailOptions.text)
        details.company = company.flatMap(DetailOptions.text)
        details.birthday = birthday.flatMap(Birthday.init)
        details.notes = notes.flatMap(DetailOptions.text)
        return details
    }

    static func text(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a contact.",
        discussion: """
            Example:
              contactbook add --name "Ada Lovelace" --birthday 1815-12-10
              contactbook add --name Bo --email bo@example.com --favorite
            """)

    @OptionGroup var location: BookLocation
    @Option(help: "The name.")
    var name: String
    @OptionGroup var options: DetailOptions
    @Flag(help: "Make it a favourite.")
    var favorite = false

    func validate() throws {
        if DetailOptions.text(name) == nil { throw ValidationError("The name is empty.") }
    }

    func run() async throws {
        var details = options.details
        details.name = DetailOptions.text(name) ?? ""
        let contact = try await location.open().add(details, isFavorite: favorite)
        StandardOutput.write(line: "Added \(ChangeReport.name(contact))")
    }
}

struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a contact.",
        discussion: """
            Only what is named changes; an empty text removes what there was. The id may be abbreviated as far \
            as it is unambiguous. What other programs change at the same time is kept; with --if-version nothing \
            is changed where they have been first.

            Example:
              contactbook edit 3f2a --phone "+44 20 7946 0123" --notes ""
              contactbook edit 3f2a --name "Ada Lovelace" --if-version 3
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "The id, or its first digits.")
    var id: String
    @Option(help: "The name.")
    var name: String?
    @OptionGroup var options: DetailOptions
    @Flag(inversion: .prefixedNo, help: "Make it a favourite, or no longer.")
    var favorite: Bool?
    @Option(help: "Only if the contact still has this version, as 'show --json' tells it.")
    var ifVersion: Int?

    func validate() throws {
        let texts = [name, options.email, options.phone, options.company, options.birthday, options.notes]
        if texts.allSatisfy({ $0 == nil }), favorite == nil {
            throw ValidationError("Name something to change, such as --phone.")
        }
        if let name, DetailOptions.text(name) == nil { throw ValidationError("The name cannot be removed.") }
    }

    func run() async throws {
        let book = try location.open()
        let contact = try await book.contact(idPrefix: id)
        let details = options.details
        let changed = try await book.update(id: contact.id, ifVersion: ifVersion) { contact in
            if let name = name.flatMap(DetailOptions.text) { contact.name = name }
            if options.email != nil { contact.email = details.email }
            if options.phone != nil { contact.phone = details.phone }
            if options.company != nil { contact.company = details.company }
            if options.birthday != nil { contact.birthday = details.birthday }
            if options.notes != nil { contact.notes = details.notes }
            if let favorite { contact.isFavorite = favorite }
            if contact.isAnonymous { throw ValidationError("A contact needs a name, an email or a phone.") }
        }
        StandardOutput.write(line: "\(changed == contact ? "Unchanged:" : "Changed") \(ChangeReport.name(changed))")
    }
}

struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Make a contact a favourite, or no longer.",
        discussion: """
            Example:
              contactbook favorite 3f2a
              contactbook favorite 3f2a --off
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "The id, or its first digits.")
    var id: String
    @Flag(help: "No longer a favourite.")
    var off = false

    func run() async throws {
        let book = try location.open()
        let contact = try await book.setFavorite(id: try await book.contact(idPrefix: id).id, !off)
        StandardOutput.write(line: "\(off ? "No longer a favourite:" : "Favourite:") \(ChangeReport.name(contact))")
    }
}

struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete contacts.",
        discussion: """
            All of them or, if an id is wrong, none.

            Example:
              contactbook delete 3f2a 90bc
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "The ids, or their first digits.")
    var ids: [String]

    func run() async throws {
        let book = try location.open()
        let deleted = try await book.delete(idPrefixes: ids)
        StandardOutput.write(lines: deleted.map { "Deleted \(ChangeReport.name($0))" })
    }
}

/// How commands name a contact that they changed.
enum ChangeReport {
    /// The title, and enough of the id to go on with.
    static func name(_ contact: Contact) -> String {
        "\(Printable.line(contact.title)) (\(contact.id.prefix(8)))"
    }
}
