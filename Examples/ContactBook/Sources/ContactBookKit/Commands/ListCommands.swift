public import ArgumentParser
public import ContactBookModel
import StorageKit

extension ContactOrder: ExpressibleByArgument {}

/// The order and number of contacts, for all commands that show several.
struct ListingOptions: ParsableArguments {
    @Option(help: "The order.")
    var sort = ContactOrder.name
    @Flag(help: "From the last to the first. Contacts without a value still come last.")
    var descending = false
    @Option(help: "Show so many at most.")
    var limit: Int?
    @Flag(help: "Show favourites only.")
    var favorites = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("The limit must not be negative.") }
    }

    /// The same as a value.
    var listing: Listing {
        Listing(order: sort, descending: descending, limit: limit, favoritesOnly: favorites)
    }
}

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List contacts.",
        discussion: """
            Example:
              contactbook list --sort birthday --limit 10
              contactbook list --favorites --json
            """)

    @OptionGroup var location: BookLocation
    @OptionGroup var options: ListingOptions
    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let book = try location.open()
        let contacts = try await book.list(options.listing)
        if contacts.isEmpty, !json {
            StandardOutput.writeError("No contacts. 'contactbook import' and 'contactbook add' bring some.\n")
        }
        try ContactOutput.write(contacts, json: json)
    }
}

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find contacts by name, email, phone or company.",
        discussion: """
            Every word must be part of one of them; case and accents do not matter. Digits also find a number \
            that is written with spaces or hyphens.

            Example:
              contactbook search jose example.org
              contactbook search 5550123
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "What to look for.")
    var text: [String]
    @OptionGroup var options: ListingOptions
    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if Listing.words(of: text).isEmpty { throw ValidationError("There is nothing to look for.") }
    }

    func run() async throws {
        var listing = options.listing
        listing.searchWords = Listing.words(of: text)
        let contacts = try await location.open().list(listing)
        if contacts.isEmpty, !json { StandardOutput.writeError("Nothing found.\n") }
        try ContactOutput.write(contacts, json: json)
    }
}

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all there is about a contact.",
        discussion: """
            Example:
              contactbook show 3f2a
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "The id, or its first digits.")
    var id: String
    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let book = try location.open()
        let contact = try await book.contact(idPrefix: id)
        if json { return try ContactOutput.write([contact], json: true) }
        StandardOutput.write(lines: ContactCard.lines(try await book.contactWithRelations(id: contact.id) ?? contact))
    }
}

/// Prints contacts for people or for programs.
enum ContactOutput {
    /// A table, or JSON.
    static func write(_ contacts: [Contact], json: Bool) throws {
        let lines =
            json
            ? try ContactJSON.lines(contacts)
            : ContactTable(contacts, style: .ofStandardOutput).lines
        StandardOutput.write(lines: lines)
    }
}
