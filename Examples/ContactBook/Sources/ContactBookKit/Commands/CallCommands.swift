public import ArgumentParser
public import ContactBookModel
import StorageKit

extension PhoneCall.Direction: ExpressibleByArgument {}

struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Write a call into the log.",
        discussion: """
            Example:
              contactbook call 3f2a --seconds 320
              contactbook call 3f2a --direction missed --at 2026-11-24T09:30:00Z
            """)

    @OptionGroup var location: BookLocation
    @Argument(help: "The id of the contact, or its first digits.")
    var id: String
    @Option(help: "Who called.")
    var direction = PhoneCall.Direction.outgoing
    @Option(help: "How long it took.")
    var seconds = 0
    @Option(help: "When it began, in UTC, such as 2026-11-24T09:30:00Z. Default: now.")
    var at: String?

    func validate() throws {
        if seconds < 0 { throw ValidationError("A call takes no time at least.") }
        if let at, CallText.date(at) == nil {
            throw ValidationError("'\(at)' is not a time; write 2026-11-24T09:30:00Z.")
        }
    }

    func run() async throws {
        let book = try location.open()
        let contact = try await book.contact(idPrefix: id)
        let call = PhoneCall(
            id: nil, contactId: contact.id, date: at.flatMap(CallText.date) ?? Date(), direction: direction,
            seconds: seconds)
        StandardOutput.write(line: "\(ChangeReport.name(contact)): \(CallText.line(try await book.log(call)))")
    }
}

struct CallsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calls",
        abstract: "List contacts by their last call.",
        discussion: """
            Example:
              contactbook calls --limit 5
            """)

    @OptionGroup var location: BookLocation
    @Option(help: "Show so many at most.")
    var limit = 20

    func validate() throws {
        if limit < 0 { throw ValidationError("The limit must not be negative.") }
    }

    func run() async throws {
        let calls = try await location.open().lastCalls(limit: limit)
        if calls.isEmpty { StandardOutput.writeError("No calls. 'contactbook call' writes one down.\n") }
        StandardOutput.write(
            lines: calls.map { call in
                let missed = call.missed == 0 ? "" : ", \(call.missed) missed"
                let number = "\(call.calls) call\(call.calls == 1 ? "" : "s")\(missed)"
                return "\(call.date.map(CallText.time) ?? "")  \(ChangeReport.name(call.contact)), \(number)"
            })
    }
}

/// Calls and times as lines show them.
enum CallText {
    /// A call on one line.
    static func line(_ call: PhoneCall) -> String {
        let length = call.direction == .missed ? "" : ", \(call.seconds) s"
        return "\(time(call.date)) \(call.direction.rawValue)\(length)"
    }

    /// The time in UTC, to the second.
    static func time(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The time that a text says, written as ``time(_:)`` writes it; nil if it says none.
    static func date(_ text: String) -> Date? {
        // Foundation reads 30 February as 2 March, and does not look at what stands behind the time.
        guard let date = try? Date(text, strategy: .iso8601), time(date) == text else { return nil }
        return date
    }
}
