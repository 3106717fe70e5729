import ContactBookModel
import Hummingbird
import StorageKit
import Testing

@testable import ContactServerKit

@Suite(.timeLimit(.minutes(10))) struct ContactTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    @Test func anAddedContactIsWhereTheAnswerSays() async throws {
        try await server.run { client, _ in
            let json = #"{"name": " Ada ", "email": "ada@example.com", "birthday": "1815-12-10", "notes": null}"#
            let added = try await client.send(.post, "/contacts", json)
            #expect(added.status == 201)
            let contact: ContactReply = try added.read()
            #expect(contact.name == "Ada")
            #expect(contact.birthday == "1815-12-10")
            #expect(contact.notes == nil)
            let path = try #require(added.header("Location"))
            let shown = try await client.send(.get, path)
            #expect(shown.status == 200)
            #expect(try shown.read() == contact)
        }
    }

    @Test func aContactThatIsThereAlreadyIsNotAddedAgain() async throws {
        try await server.run { client, book in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let reply = try await client.send(.post, "/contacts", #"{"name": "ADA", "notes": "again"}"#)
            #expect(reply.status == 409)
            #expect(reply.problem?.field == "name")
            #expect(reply.problem?.existingId == ada.id)
            #expect(try await book.storage.all(Contact.self).map(\.notes) == [nil])
        }
    }

    @Test func aPutReplacesEveryFieldAndKeepsIdAndTimeOfCreation() async throws {
        try await server.run { client, _ in
            let old = try await client.add(#"{"name": "Ada", "phone": "1", "company": "Kettle", "isFavorite": true}"#)
            let reply = try await client.send(.put, "/contacts/\(old.id)", #"{"name": "Ada Quill", "phone": "2"}"#)
            #expect(reply.status == 200)
            let new: ContactReply = try reply.read()
            #expect([new.id, new.createdAt] == [old.id, old.createdAt])
            #expect([new.name, new.phone, new.company] == ["Ada Quill", "2", nil])
            #expect(!new.isFavorite)
            #expect(try await client.page("?q=quill").contacts == [new])
            #expect(try await client.page("?q=kettle").contacts == [])
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put])
    func everyFieldIsKeptUnderItsName(method: HTTPRequest.Method) async throws {
        let fields = Dictionary(
            uniqueKeysWithValues: ContactField.allCases.map { field -> (String, String) in
                switch field {
                case .email: (field.rawValue, "ada@example.com")
                case .birthday: (field.rawValue, "--05-17")
                default: (field.rawValue, "a \(field.rawValue)")
                }
            })
        let body = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
        try await server.run { client, _ in
            let path = method == .post ? "/contacts" : "/contacts/" + (try await client.add(#"{"name": "Ada"}"#).id)
            let reply = try await client.send(method, path, body)
            let object = try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any]
            for (name, value) in fields { #expect(object?[name] as? String == value, "\(name)") }
        }
    }

    @Test func aPutWithoutANameTakesTheNameAway() async throws {
        try await server.run { client, _ in
            let old = try await client.add(#"{"name": "Ada", "email": "ada@example.com"}"#)
            let reply = try await client.send(.put, "/contacts/\(old.id)", #"{"email": "ada@example.com"}"#)
            let new: ContactReply = try reply.read()
            #expect([new.name, new.email] == ["", "ada@example.com"])
        }
    }

    @Test func whatWasSentCanBePutBackUnchanged() async throws {
        try await server.run { client, _ in
            let added = try await client.send(.post, "/contacts", #"{"name": "Ada", "birthday": "--05-17"}"#)
            let path = try #require(added.header("Location"))
            let reply = try await client.send(.put, path, added.text)
            #expect(reply.status == 200)
            #expect(reply.text == added.text)
        }
    }

    @Test func aPatchChangesTheNamedFieldsAlone() async throws {
        try await server.run { client, _ in
            let old = try await client.add(#"{"name": "Ada", "phone": "1", "company": "Kettle"}"#)
            let reply = try await client.send(
                .patch, "/contacts/\(old.id)", #"{"company": null, "isFavorite": true}"#)
            let new: ContactReply = try reply.read()
            #expect([new.name, new.phone, new.company] == ["Ada", "1", nil])
            #expect(new.isFavorite)
        }
    }

    @Test func aPatchOfSomethingElseLeavesAFavouriteOne() async throws {
        try await server.run { client, _ in
            let old = try await client.add(#"{"name": "Ada", "isFavorite": true}"#)
            let reply = try await client.send(.patch, "/contacts/\(old.id)", #"{"notes": "tall"}"#)
            #expect(try reply.read(ContactReply.self).isFavorite)
        }
    }

    @Test func aDeletedContactIsGone() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let reply = try await client.send(.delete, "/contacts/\(ada.id)")
            #expect(reply.status == 204)
            #expect(reply.text.isEmpty)
            #expect(try await client.send(.get, "/contacts/\(ada.id)").status == 404)
        }
    }

    @Test func healthCountsTheContacts() async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "Ada"}"#)
            let reply = try await client.send(.get, "/health")
            #expect(reply.status == 200)
            #expect(try reply.read() == HealthReply(contacts: 1, status: "ok", streams: 0))
        }
    }
}
