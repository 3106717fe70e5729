import ContactBookModel
import Hummingbird
import StorageKit
import Testing

@testable import ContactServerKit

@Suite(.timeLimit(.minutes(10))) struct ChangeStreamTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    @Test func aWriteIsToldToThoseWhoFollow() async throws {
        try await server.run { client, _ in
            var events = try await EventReader(client)
            #expect(try await events.nextIds() == [])
            let ada = try await client.add(#"{"name": "Ada"}"#)
            #expect(try await events.nextIds() == [ada.id])
            let abe = try await client.add(#"{"name": "Abe"}"#)
            #expect(try await events.nextIds() == [abe.id, ada.id])
            _ = try await client.send(.delete, "/contacts/\(ada.id)")
            #expect(try await events.nextIds() == [abe.id])
        }
    }

    @Test func eventsAreNumberedAndHaveAName() async throws {
        try await server.run { client, _ in
            var events = try await EventReader(client)
            #expect(try await events.next() == "id: 1\nevent: contacts\ndata: {\"ids\":[]}")
            let ada = try await client.add(#"{"name": "Ada"}"#)
            #expect(try await events.next() == "id: 2\nevent: contacts\ndata: {\"ids\":[\"\(ada.id)\"]}")
        }
    }

    @Test func aStreamSaysThatItIsOne() async throws {
        try await server.run { client, _ in
            let exchange = try await Exchange(port: client.port, .get, "/contacts/changes")
            let reply = Reply(head: exchange.head, text: "")
            #expect(reply.header("Content-Type") == "text/event-stream")
            #expect(reply.header("Cache-Control") == "no-store")
        }
    }

    @Test func aWriteOfAnotherProgramIsToldToo() async throws {
        try await server.run { client, _ in
            var events = try await EventReader(client)
            #expect(try await events.nextIds() == [])
            let ada = try await server.openBook().add(ContactDetails(name: "Ada"), isFavorite: false)
            #expect(try await events.nextIds() == [ada.id])
        }
    }

    @Test func aStreamTellsOfTheContactsThatItAskedForAlone() async throws {
        try await server.run { client, _ in
            var events = try await EventReader(client, "?favorites=true&limit=1")
            #expect(try await events.nextIds() == [])
            try await client.add(#"{"name": "Ada"}"#)
            let eve = try await client.add(#"{"name": "Eve", "isFavorite": true}"#)
            #expect(try await events.nextIds() == [eve.id])
            let ben = try await client.add(#"{"name": "Ben", "isFavorite": true}"#)
            #expect(try await events.nextIds() == [ben.id])
        }
    }

    @Test func aStreamEndsWhenItsClientGoes() async throws {
        try await server.run { client, _ in
            let streams = { @Sendable () async throws -> Int in
                try await client.send(.get, "/health").read(HealthReply.self).streams
            }
            let open = try await follow(client) { try await streams() }
            #expect(open == 1)
            // Nothing is written meanwhile: the server sees the connection close. The time limit ends a wait in vain.
            while try await streams() > 0 { await Task.yield() }
        }
    }

    @Test func aStreamEndsWhenTheServerEnds() async throws {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let follower = try await server.run { client, _ in
            let follower = Task {
                var events = try await EventReader(client)
                var count = 0
                while try await events.next() != nil {
                    count += 1
                    start.yield()
                }
                return count
            }
            _ = await starts.first { _ in true }
            return follower
        }
        // A connection that is cut instead of ended throws.
        #expect(try await follower.value == 1)
    }

    @Test func aClientTooManyIsToldToComeBack() async throws {
        try await server.run(streamLimit: 1) { client, _ in
            let status = try await follow(client) {
                let reply = try await client.send(.get, "/contacts/changes")
                #expect(reply.header("Retry-After") != nil)
                return reply.status
            }
            #expect(status == 503)
        }
    }

    @Test func aCursorHasNoPlaceInAStream() async throws {
        try await server.run { client, _ in
            let reply = try await client.send(.get, "/contacts/changes?after=x")
            #expect(reply.status == 400)
            #expect(reply.problem?.field == "after")
        }
    }

    /// Follows the book as long as the closure runs.
    private func follow(_ client: BookClient, _ body: () async throws -> Int) async throws -> Int {
        var events = try await EventReader(client)
        #expect(try await events.nextIds() == [])
        return try await body()
    }
}
