import ContactBookModel
import Hummingbird
import StorageKit
import Testing

@testable import ContactServerKit

@Suite(.timeLimit(.minutes(10))) struct VersionTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    @Test func everyAnswerWithOneContactHasItsVersionAsETag() async throws {
        try await server.run { client, _ in
            let added = try await client.send(.post, "/contacts", #"{"name": "Ada"}"#)
            let path = try #require(added.header("Location"))
            let shown = try await client.send(.get, path)
            let patched = try await client.send(.patch, path, #"{"notes": "tall"}"#)
            let put = try await client.send(.put, path, #"{"name": "Ada Quill"}"#)
            for (reply, version) in [(added, 1), (shown, 1), (patched, 2), (put, 3)] {
                #expect(reply.header("ETag") == "\"\(version)\"")
                #expect(try reply.read(ContactReply.self).version == version)
            }
            #expect(try await client.page().contacts.map(\.version) == [3])
        }
    }

    @Test func aChangeThatChangesNothingKeepsTheVersion() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada", "notes": "tall"}"#)
            let reply = try await client.send(.patch, "/contacts/\(ada.id)", #"{"notes": "tall"}"#)
            #expect(reply.header("ETag") == "\"1\"")
        }
    }

    @Test(arguments: [HTTPRequest.Method.put, .patch, .delete])
    func aStaleVersionInIfMatchIsRefusedWithTheOneThatThereIs(method: HTTPRequest.Method) async throws {
        try await server.run { client, _ in
            let path = "/contacts/" + (try await client.add(#"{"name": "Ada"}"#).id)
            let theirs: ContactReply = try await client.send(.patch, path, #"{"notes": "tall"}"#).read()
            let body = method == .delete ? nil : #"{"name": "Ada Quill"}"#
            for stale in ["\"1\"", "\"0\"", "\"3\""] {
                let reply = try await client.send(method, path, body, ifMatch: stale)
                #expect(reply.status == 409)
                #expect(reply.problem?.field == "version")
                #expect(reply.problem?.foundVersion == 2)
                #expect(try await client.page().contacts == [theirs])
            }
            let reply = try await client.send(method, path, body, ifMatch: "\"2\"")
            #expect(reply.status == (method == .delete ? 204 : 200))
        }
    }

    @Test(arguments: [HTTPRequest.Method.put, .patch])
    func aStaleVersionInTheBodyIsRefusedWithTheOneThatThereIs(method: HTTPRequest.Method) async throws {
        try await server.run { client, _ in
            let added = try await client.send(.post, "/contacts", #"{"name": "Ada"}"#)
            let path = try #require(added.header("Location"))
            let first = try await client.send(method, path, #"{"name": "Ada", "notes": "tall", "version": 1}"#)
            #expect(first.status == 200)
            // Also if the client sends back all that it was sent.
            for body in [#"{"name": "Ada", "notes": "short", "version": 1}"#, added.text] {
                let reply = try await client.send(method, path, body)
                #expect(reply.status == 409)
                #expect(reply.problem?.foundVersion == 2)
            }
            #expect(try await client.send(.get, path).text == first.text)
        }
    }

    @Test func aContactIsDeletedInTheVersionThatTheBodyNames() async throws {
        try await server.run { client, _ in
            let path = "/contacts/" + (try await client.add(#"{"name": "Ada"}"#).id)
            #expect(try await client.send(.delete, path, #"{"version": 2}"#).status == 409)
            #expect(try await client.send(.delete, path, "no JSON").status == 400)
            #expect(try await client.send(.delete, path, #"{"id": "another", "version": 1}"#).status == 422)
            #expect(try await client.send(.delete, path, #"{"version": 1}"#).status == 204)
        }
    }

    @Test func withoutAVersionAChangeIsMadeToWhicheverThereIs() async throws {
        try await server.run { client, _ in
            let path = "/contacts/" + (try await client.add(#"{"name": "Ada"}"#).id)
            for (number, method) in [HTTPRequest.Method.put, .patch, .put].enumerated() {
                let reply = try await client.send(method, path, #"{"name": "Ada", "notes": "\#(number)"}"#)
                #expect(reply.header("ETag") == "\"\(number + 2)\"")
            }
            #expect(try await client.send(.delete, path).status == 204)
        }
    }

    @Test(arguments: [HTTPRequest.Method.put, .patch, .delete])
    func aStarMeansAnyVersionOfAContactThatIsThere(method: HTTPRequest.Method) async throws {
        try await server.run { client, _ in
            let path = "/contacts/" + (try await client.add(#"{"name": "Ada"}"#).id)
            let body = method == .delete ? nil : #"{"name": "Ada Quill"}"#
            #expect(try await client.send(method, path, body, ifMatch: "*").status == (method == .delete ? 204 : 200))
            for tag in ["*", "\"1\""] {
                let reply = try await client.send(method, "/contacts/none", body, ifMatch: tag)
                #expect(reply.status == 404)
                #expect(reply.problem?.field == "id")
            }
        }
    }

    @Test func besideAStarTheVersionInTheBodyCounts() async throws {
        try await server.run { client, _ in
            let path = "/contacts/" + (try await client.add(#"{"name": "Ada"}"#).id)
            for (version, status) in [(2, 409), (1, 200)] {
                let body = #"{"notes": "tall", "version": \#(version)}"#
                #expect(try await client.send(.patch, path, body, ifMatch: "*").status == status)
            }
        }
    }

    @Test(arguments: [
        "", "3", "\"", "\"\"", "\"x\"", "\"-1\"", "\"01\"", "\"99999999999999999999\"", "W/\"1\"", "\"1\", \"2\"",
    ])
    func anIfMatchThatIsNoVersionIsRefusedAndNamed(tag: String) async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            for (method, body) in [(HTTPRequest.Method.put, #"{"name": "Eve"}"#), (.patch, "{}"), (.delete, nil)] {
                let reply = try await client.send(method, "/contacts/\(ada.id)", body, ifMatch: tag)
                #expect(reply.status == 400, "\(method)")
                #expect(reply.problem?.field == "If-Match", "\(method)")
            }
            #expect(try await client.page().contacts == [ada])
        }
    }

    @Test func twoHeadersIfMatchAreRefused() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let reply = try await client.send(.delete, "/contacts/\(ada.id)", ifMatch: "\"1\"", "\"2\"")
            #expect(reply.status == 400)
        }
    }

    @Test func headerAndBodyMustNameTheSameVersion() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            for (version, status) in [(2, 422), (1, 200)] {
                let body = #"{"notes": "tall", "version": \#(version)}"#
                let reply = try await client.send(.patch, "/contacts/\(ada.id)", body, ifMatch: "\"1\"")
                #expect(reply.status == status)
                #expect(reply.problem?.field == (status == 422 ? "version" : nil))
            }
        }
    }

    @Test func anotherProgramsChangeMakesAVersionStaleToo() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            _ = try await server.openBook().update(id: ada.id) { $0.notes = "tall" }
            let reply = try await client.send(.put, "/contacts/\(ada.id)", #"{"name": "Ada"}"#, ifMatch: "\"1\"")
            #expect(reply.status == 409)
            #expect(reply.problem?.foundVersion == 2)
        }
    }
}
