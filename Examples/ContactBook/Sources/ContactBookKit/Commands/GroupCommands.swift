import ArgumentParser
import ContactBookModel
import StorageKit

struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Put contacts into a group, or take them out.",
        discussion: """
            A group is there as long as somebody is in it.

            Example:
              contactbook group Choir 3f2a 90bc
              contactbook group Choir 3f2a --remove
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "The group's name.")
    var name: String
    @Argument(help: "The ids of the contacts, or their first digits.")
    var ids: [String]
    @Flag(help: "Take them out.")
    var remove = false

    func validate() throws {
        if DetailOptions.text(name) == nil { throw ValidationError("The name is empty.") }
    }

    func run() async throws {
        let book = try location.open()
        let name = DetailOptions.text(name) ?? ""
        var contacts: [Contact] = []
        for id in ids { contacts.append(try await book.contact(idPrefix: id)) }
        if remove {
            try await book.take(contacts.map(\.id), outOfGroup: name)
        } else {
            try await book.put(contacts.map(\.id), intoGroup: name)
        }
        let what = "\(remove ? "Out of" : "In") \(Printable.line(name)):"
        StandardOutput.write(lines: contacts.map { "\(what) \(ChangeReport.name($0))" })
    }
}

struct GroupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "List groups, or the contacts of one.",
        discussion: """
            Example:
              contactbook groups
              contactbook groups choir
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "The group whose contacts are listed.")
    var name: String?

    func run() async throws {
        let book = try location.open()
        if let name {
            let contacts = try await book.contacts(inGroup: DetailOptions.text(name) ?? "")
            return try ContactOutput.write(contacts, json: false)
        }
        let groups = try await book.groups.fetch()
        if groups.isEmpty { StandardOutput.writeError("No groups. 'contactbook group' makes one.\n") }
        let names = groups.map { Printable.line($0.group.name) }
        let width = names.map(TextWidth.of).max() ?? 0
        StandardOutput.write(
            lines: zip(names, groups).map { name, row in
                let call = row.lastCall.map { ", last call " + CallText.time($0) } ?? ""
                return "\(TextWidth.padded(name, to: width))  \(row.contacts)\(call)"
            })
    }
}
