import ContactBookModel
import Hummingbird
import StorageKit
import Testing

@testable import ContactServerKit

@Suite(.timeLimit(.minutes(10))) struct ConcurrencyTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    /// Sends requests at one time and returns their statuses.
    private func statuses(
        _ count: Int, _ send: @escaping @Sendable (Int) async throws -> Reply
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count { group.addTask { try await send(number).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func everyContactAddedAtOneTimeIsKept() async throws {
        try await server.run { client, _ in
            let answers = try await statuses(40) { number in
                try await client.send(.post, "/contacts", #"{"name": "Person \#(number)"}"#)
            }
            #expect(answers == Array(repeating: 201, count: 40))
            #expect(try await Set(client.page("?limit=200").names).count == 40)
        }
    }

    @Test func ofManyWhoAddTheSameContactOneSucceeds() async throws {
        try await server.run { client, _ in
            let answers = try await statuses(20) { number in
                try await client.send(.post, "/contacts", #"{"name": "Ada", "notes": "\#(number)"}"#)
            }
            #expect(answers.sorted() == [201] + Array(repeating: 409, count: 19))
            #expect(try await client.page().names == ["Ada"])
        }
    }

    @Test func ofManyWhoChangeOneVersionOneSucceeds() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let answers = try await statuses(20) { number in
                try await client.send(
                    .patch, "/contacts/\(ada.id)", #"{"notes": "\#(number)"}"#, ifMatch: "\"\(ada.version)\"")
            }
            #expect(answers.sorted() == [200] + Array(repeating: 409, count: 19))
            #expect(try await client.page().contacts.map(\.version) == [2])
        }
    }

    @Test func changesOfDifferentFieldsAtOneTimeAreAllKept() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let changes = [
                #"{"phone": "1"}"#, #"{"company": "Kettle"}"#, #"{"notes": "tall"}"#, #"{"isFavorite": true}"#,
                #"{"email": "a@b"}"#, #"{"birthday": "--01-01"}"#,
            ]
            let answers = try await statuses(changes.count) { number in
                try await client.send(.patch, "/contacts/\(ada.id)", changes[number])
            }
            #expect(Set(answers) == [200])
            let contact: ContactReply = try await client.send(.get, "/contacts/\(ada.id)").read()
            #expect([contact.phone, contact.company, contact.notes] == ["1", "Kettle", "tall"])
            #expect([contact.email, contact.birthday] == ["a@b", "--01-01"])
            #expect(contact.isFavorite)
        }
    }
}
