import ContactBookModel
import Hummingbird
import StorageKit
import Testing

@testable import ContactServerKit

@Suite(.timeLimit(.minutes(10))) struct BadInputTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    @Test(arguments: [
        (#"{"name": 7}"#, "name"), (#"{"name": "Ada", "age": 36}"#, "age"),
        (#"{"name": "Ada", "email": "ada"}"#, "email"),
        (#"{"name": "Ada", "email": "a@b@c"}"#, "email"), (#"{"name": "Ada", "email": "ada@"}"#, "email"),
        (#"{"name": "Ada", "email": "ada @example.com"}"#, "email"),
        (#"{"name": "Ada", "birthday": "1990-02-30"}"#, "birthday"),
        (#"{"name": "Ada", "isFavorite": "yes"}"#, "isFavorite"), (#"{"name": "Ada", "id": "mine"}"#, "id"),
        (#"{"name": "Ada", "version": 1}"#, "version"), (#"{"name": "Ada", "version": "1"}"#, "version"),
        (#"{"name": " ", "company": "Kettle"}"#, "name"), ("{}", "name"),
        (#"{"name": "\#(String(repeating: "a", count: 1001))"}"#, "name"),
    ])
    func aFieldThatCannotBeSavedIsNamedAndNothingIsWritten(body: String, field: String) async throws {
        try await server.run { client, book in
            let reply = try await client.send(.post, "/contacts", body)
            #expect(reply.status == 422)
            #expect(reply.problem?.field == field)
            #expect(try await book.storage.count(Contact.self) == 0)
        }
    }

    @Test(arguments: [("notes", 20_000, 201), ("notes", 20_001, 422), ("company", 1000, 201), ("company", 1001, 422)])
    func aTextMayBeAsLongAsItsLimitAndNoLonger(field: String, length: Int, status: Int) async throws {
        try await server.run { client, _ in
            let text = String(repeating: "a", count: length)
            let reply = try await client.send(.post, "/contacts", #"{"name": "Ada", "\#(field)": "\#(text)"}"#)
            #expect(reply.status == status)
            #expect(reply.problem?.field == (status == 422 ? field : nil))
        }
    }

    @Test(arguments: ["", "{", "[]", "7", "null", #"{"name": "Ada"} {}"#, "name=Ada"])
    func aBodyThatIsNoJSONObjectIsRefused(body: String) async throws {
        try await server.run { client, _ in
            let reply = try await client.send(.post, "/contacts", body)
            #expect(reply.status == 400)
            #expect(reply.problem?.field == "body")
        }
    }

    @Test func aBodyThatIsCutOffIsTheClientsDoing() async throws {
        struct Cut: Error {}
        let (parts, input) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
        input.yield(ByteBuffer(string: #"{"name""#))
        input.finish(throwing: Cut())
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/contacts")
        let request = Request(head: head, body: RequestBody(asyncSequence: parts))
        let problem = await #expect(throws: Problem.self) { try await ContactInput(request) }
        #expect(problem?.status == .badRequest)
        #expect(problem?.field == "body")
    }

    @Test(arguments: [0, 1])
    func aBodyMayBeAsLargeAsTheLimitAndNoLarger(excess: Int) async throws {
        try await server.run { client, _ in
            let json = #"{"name": "Ada"}"#
            let spaces = ContactInput.largestBody - json.utf8.count + excess
            let reply = try await client.send(.post, "/contacts", json + String(repeating: " ", count: spaces))
            #expect(reply.status == (excess == 0 ? 201 : 413))
            #expect(reply.problem?.field == (excess == 0 ? nil : "body"))
        }
    }

    @Test func noMethodFindsAContactThatIsNotThere() async throws {
        try await server.run { client, book in
            for (method, body) in [
                (HTTPRequest.Method.get, nil), (.put, "{\"name\": \"A\"}"), (.patch, "{}"), (.delete, nil),
            ] {
                let reply = try await client.send(method, "/contacts/none", body)
                #expect(reply.status == 404, "\(method)")
                #expect(reply.problem?.field == "id", "\(method)")
            }
            #expect(try await book.storage.count(Contact.self) == 0)
        }
    }

    @Test(arguments: [HTTPRequest.Method.put, .patch])
    func aChangeThatWouldLeaveNothingToCallAContactByIsNotMade(method: HTTPRequest.Method) async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada", "company": "Kettle"}"#)
            let reply = try await client.send(method, "/contacts/\(ada.id)", #"{"name": "", "company": "Spout"}"#)
            #expect(reply.status == 422)
            #expect(try await client.page().contacts == [ada])
        }
    }

    @Test func anotherIdInTheBodyIsRefused() async throws {
        try await server.run { client, _ in
            let ada = try await client.add(#"{"name": "Ada"}"#)
            let reply = try await client.send(.put, "/contacts/\(ada.id)", #"{"id": "other", "name": "Ada"}"#)
            #expect(reply.status == 422)
            #expect(reply.problem?.field == "id")
        }
    }

    @Test func aPathThatLeadsNowhereIsToldInJSON() async throws {
        try await server.run { client, _ in
            for (method, path) in [(HTTPRequest.Method.get, "/"), (.delete, "/contacts"), (.get, "/contact/1")] {
                let reply = try await client.send(method, path)
                #expect(reply.status == 404, "\(path)")
                #expect(reply.problem?.status == 404, "\(path)")
            }
        }
    }

    @Test(arguments: [
        // Full, busy, damaged, no file that can be opened, and no database: the numbers are SQLite's.
        (13, 507), (5, 503), (11, 500), (14, 503), (26, 503),
    ])
    func anErrorOfTheStoreIsToldByItsStatusAlone(code: Int32, status: Int) throws {
        let error = DatabaseError(
            resultCode: .init(rawValue: code), message: "secret", sql: "SELECT secret", arguments: ["secret"])
        let errors: [any Error] = [
            error, StorageError.transactionFailed(underlying: error),
            StorageError.queryFailed(sql: "SELECT secret", underlying: error),
        ]
        for error in errors {
            let problem = Problem(error)
            #expect(problem.status.code == status)
            #expect(!problem.message.contains("secret"))
        }
    }

    @Test func whoFindsTheBookBusyIsToldWhenToComeBack() throws {
        let busy: any Error = DatabaseError(resultCode: .SQLITE_BUSY)
        #expect(try Problem(busy).response().headers[.retryAfter] == "1")
    }

    /// Changes the file as another program might, so that it refuses what the server alone would take.
    private func addRule(_ sql: String) throws {
        let other = try DatabaseQueue(path: server.folder.appendingPathComponent("book.sqlite").path)
        try other.write { db in try db.execute(sql: sql) }
    }

    @Test(arguments: [
        ("CREATE UNIQUE INDEX one ON contacts (email)", ["email"]),
        ("CREATE UNIQUE INDEX one ON contacts (company, email)", ["company", "email"]),
        // Of an expression SQLite tells the index alone.
        ("CREATE UNIQUE INDEX one ON contacts (lower(email))", []),
    ])
    func aBrokenKeyIsToldWithItsColumnsAndNothingIsWritten(rule: String, columns: [String]) async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "Ada", "email": "a@example.com", "company": "Kettle"}"#)
            let ben = try await client.add(#"{"name": "Ben", "email": "b@example.com", "company": "Kettle"}"#)
            let before = try await client.page().contacts
            try addRule(rule)
            let same = #"{"name": "Cy", "email": "a@example.com", "company": "Kettle"}"#
            for (method, path) in [
                (HTTPRequest.Method.post, "/contacts"), (.put, "/contacts/\(ben.id)"), (.patch, "/contacts/\(ben.id)"),
            ] {
                let reply = try await client.send(method, path, same)
                #expect(reply.status == 422, "\(method)")
                #expect(reply.problem?.columns == columns, "\(method)")
                #expect(reply.problem?.field == (columns.count == 1 ? columns[0] : nil), "\(method)")
                #expect(!reply.text.contains("a@example.com"), "\(method)")
            }
            #expect(try await client.page().contacts == before)
        }
    }

    @Test func aRuleThatIsNoKeyIsToldAsOneWithoutItsWords() async throws {
        try await server.run { client, book in
            try addRule("CREATE TRIGGER rule BEFORE INSERT ON contacts BEGIN SELECT RAISE(ABORT, 'secret'); END")
            let reply = try await client.send(.post, "/contacts", #"{"name": "Ada"}"#)
            #expect(reply.status == 422)
            #expect(reply.problem?.message == "the book does not take a contact like this")
            #expect(!reply.text.contains("secret"))
            #expect(try await book.storage.count(Contact.self) == 0)
        }
    }

    @Test func aRequestThatTheStoreCannotServeIsAnsweredInJSON() async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "Ada"}"#)
            let other = try DatabaseQueue(path: server.folder.appendingPathComponent("book.sqlite").path)
            try await other.write { db in try db.execute(sql: "DROP TABLE contacts") }
            let reply = try await client.send(.get, "/contacts?order=company")
            #expect(reply.status == 500)
            #expect(reply.problem?.status == 500)
            #expect(!reply.text.contains("contacts"))
        }
    }
}
