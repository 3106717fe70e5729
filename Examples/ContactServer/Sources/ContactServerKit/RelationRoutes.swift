import ContactBookModel
import Hummingbird
import StorageKit

/// Lists groups, those who were spoken with, and birthdays.
struct RelationRoutes: Sendable {
    let book: ContactBook

    /// All groups.
    @Sendable func groups(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Group: Encodable {
            let id: String
            let name: String
            let contacts: Int
            let lastCall: Date?
        }
        try OneParameter.expectNone(request)
        let groups = try await book.groups.fetch().map { row in
            Group(id: row.group.id, name: row.group.name, contacts: row.contacts, lastCall: row.lastCall)
        }
        return try JSONReply.response(["groups": groups])
    }

    /// The contacts of a group.
    @Sendable func group(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        try OneParameter.expectNone(request)
        let contacts = try await book.contacts(inGroup: try context.id())
        return try JSONReply.response(["contacts": contacts.map(ContactJSON.init)])
    }

    /// Contacts by their last call.
    @Sendable func calls(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Call: Encodable {
            let contact: ContactJSON
            let date: Date?
            let calls: Int
            let missed: Int
        }
        let limit = try OneParameter.number(request, "limit", 1...ListParameters.largestLimit)
        let calls = try await book.lastCalls(limit: limit ?? ListParameters.usualLimit).map { call in
            Call(contact: ContactJSON(call.contact), date: call.date, calls: call.calls, missed: call.missed)
        }
        return try JSONReply.response(["calls": calls])
    }

    /// The birthdays of a month; of this one where none is said.
    @Sendable func birthdays(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let contacts = try await book.birthdays(inMonth: try OneParameter.number(request, "month", 1...12))
        return try JSONReply.response(["contacts": contacts.map(ContactJSON.init)])
    }
}

/// What stands behind the question mark where one number may, or nothing.
private enum OneParameter {
    /// - Throws: ``Problem`` that names the parameter, if there is any.
    static func expectNone(_ request: Request) throws {
        for (key, _) in try request.parameters() { throw Problem.unknownParameter(key) }
    }

    /// The number; nil where there is none.
    ///
    /// - Throws: ``Problem`` that names the parameter at fault.
    static func number(_ request: Request, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        var found: Int?
        for (key, value) in try request.parameters() {
            guard key == name else { throw Problem.unknownParameter(key) }
            guard let number = Int(value), range.contains(number) else {
                throw Problem.badRequest(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            found = number
        }
        return found
    }
}
