import ContactBookModel
import Hummingbird
import StorageKit
import Testing

@testable import ContactServerKit

private struct GroupsReply: Decodable {
    struct Group: Decodable, Equatable {
        let id: String
        let name: String
        let contacts: Int
        let lastCall: String?
    }
    let groups: [Group]
}

private struct CallsReply: Decodable {
    struct Call: Decodable, Equatable {
        let contact: ContactReply
        let date: String?
        let calls: Int
        let missed: Int
    }
    let calls: [Call]
}

/// Groups, calls and birthdays over HTTP.
@Suite struct RelationTests {
    private let server: TestServer
    private let day = Date(timeIntervalSince1970: 1_790_000_000)

    init() throws {
        server = try TestServer()
    }

    @Test func groupsTellTheirContactsAndTheLastCall() async throws {
        try await server.run { client, book in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let ben = try await client.add(#"{"name": "Ben"}"#)
            try await book.put([ada.id, ben.id], intoGroup: "Café")
            try await book.put([ben.id], intoGroup: "Work")
            try await book.log(PhoneCall(id: nil, contactId: ada.id, date: day, direction: .outgoing))
            let groups: GroupsReply = try await client.send(.get, "/groups").read()
            #expect(
                groups.groups == [
                    .init(id: "cafe", name: "Café", contacts: 2, lastCall: "2026-09-21T14:13:20Z"),
                    .init(id: "work", name: "Work", contacts: 1, lastCall: nil),
                ])
            let cafe: PageReply = try await client.send(.get, "/groups/cafe").read()
            #expect(cafe.names == ["Ada", "Ben"])
            let none = try await client.send(.get, "/groups/none")
            #expect(none.status == 404 && none.problem?.field == "id")
        }
    }

    @Test(arguments: [("Book club", "book%20club"), ("東京", "%E6%9D%B1%E4%BA%AC"), ("a/b", "a%2Fb")])
    func aGroupIsFoundByWhateverName(name: String, path: String) async throws {
        try await server.run { client, book in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            try await book.put([ada.id], intoGroup: name)
            let group: PageReply = try await client.send(.get, "/groups/" + path).read()
            #expect(group.names == ["Ada"])
        }
    }

    @Test func thoseSpokenWithComeByTheirLastCall() async throws {
        try await server.run { client, book in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let ben = try await client.add(#"{"name": "Ben"}"#)
            try await client.add(#"{"name": "Cy"}"#)
            for (id, seconds) in [(ada.id, 0.0), (ben.id, 60), (ben.id, 30)] {
                try await book.log(
                    PhoneCall(
                        id: nil, contactId: id, date: day + seconds, direction: seconds == 30 ? .missed : .incoming))
            }
            let calls: CallsReply = try await client.send(.get, "/calls").read()
            #expect(calls.calls.map(\.contact) == [ben, ada])
            #expect(calls.calls.map(\.date) == ["2026-09-21T14:14:20Z", "2026-09-21T14:13:20Z"])
            #expect(calls.calls.map(\.calls) == [2, 1] && calls.calls.map(\.missed) == [1, 0])
            let one: CallsReply = try await client.send(.get, "/calls?limit=1").read()
            #expect(one.calls.count == 1)
        }
    }

    @Test func birthdaysAreThoseOfTheMonth() async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "Ada", "birthday": "1815-12-10"}"#)
            try await client.add(#"{"name": "Ben", "birthday": "--12-01"}"#)
            try await client.add(#"{"name": "Cy", "birthday": "1990-11-10"}"#)
            let found: PageReply = try await client.send(.get, "/birthdays?month=12").read()
            #expect(found.names == ["Ben", "Ada"])
            let none: PageReply = try await client.send(.get, "/birthdays?month=1").read()
            #expect(none.names.isEmpty)
            let now = try await client.send(.get, "/birthdays")
            #expect(now.status == 200)
        }
    }

    @Test func withoutAMonthTheBirthdaysAreThoseOfThisOne() async throws {
        try await server.run { client, _ in
            for month in 1...12 {
                let day = "--\(month < 10 ? "0" : "")\(month)-15"
                try await client.add(#"{"name": "\#(month)", "birthday": "\#(day)"}"#)
            }
            let calendar = Calendar(identifier: .gregorian)
            let before = calendar.component(.month, from: Date())
            let found: PageReply = try await client.send(.get, "/birthdays").read()
            // The month may end meanwhile.
            let after = calendar.component(.month, from: Date())
            #expect(found.names == ["\(before)"] || found.names == ["\(after)"])
        }
    }

    @Test(arguments: [
        ("/birthdays?month=13", "month"), ("/birthdays?month=", "month"), ("/calls?limit=0", "limit"),
        ("/calls?limit=1&limit=2", "limit"), ("/calls?page=2", "page"), ("/groups?q=a", "q"),
        ("/groups/cafe?limit=1", "limit"),
    ])
    func aParameterThatCannotBeMeantIsNamed(path: String, name: String) async throws {
        try await server.run { client, _ in
            let reply = try await client.send(.get, path)
            #expect(reply.status == 400)
            #expect(reply.problem?.field == name)
        }
    }
}
