import ArgumentParser
import ContactBookModel
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import StorageKit
import Testing

@testable import ContactServerKit

@Suite(.timeLimit(.minutes(10))) struct LifetimeTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    @Test func whatWasSavedIsThereAfterARestart() async throws {
        let ada = try await server.run { client, _ in
            try await client.add(#"{"name": "Ada", "birthday": "1815-12-10", "isFavorite": true}"#)
        }
        try await server.run { client, _ in
            let contacts = try await client.page().contacts
            #expect(contacts == [ada])
        }
    }

    @Test func theBookIsClosedWhenTheServerHasEnded() async throws {
        let book = try await server.run { client, book in
            try await client.add(#"{"name": "Ada"}"#)
            return book
        }
        await #expect(throws: (any Error).self) { try await book.storage.count(Contact.self) }
    }

    @Test func aRequestThatIsNotFinishedKeepsNoServerFromEnding() async throws {
        try await server.run(idleTimeout: .milliseconds(20)) { client, _ in
            // The end of the connection, or its reset where the system has not read all yet.
            let error = await #expect(throws: (any Error).self) {
                _ = try await Exchange(port: client.port, .post, "/contacts", headers: [("Content-Length", "100")])
            }
            #expect(error as? ChannelError == .eof || (error as? IOError)?.errnoCode == ECONNRESET)
        }
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        try await server.run { client, _ in
            let other = try TestServer()
            let application = try ContactServer(book: other.openBook()).application(port: client.port)
            let services = ServiceGroup(services: [application], logger: application.logger)
            let error = await #expect(throws: (any Error).self) { try await services.run() }
            let explained = ContactServerCommand.explained(try #require(error), port: client.port)
            #expect("\(explained)" == "port \(client.port) is taken")
        }
    }

    @Test func optionsThatCannotBeMeantAreRefused() throws {
        #expect(throws: (any Error).self) { try ContactServerCommand.parse(["--port", "65536"]) }
        #expect(throws: (any Error).self) { try ContactServerCommand.parse(["--file", ""]) }
        #expect(throws: (any Error).self) { try ContactServerCommand.parse(["--host", ""]) }
        #expect(throws: (any Error).self) { try ContactServerCommand.parse(["--slow=-1"]) }
        let command = try ContactServerCommand.parse([])
        #expect(command.host == "127.0.0.1")
    }

    @Test(arguments: [0, 65535])
    func thePortMayBeTheFirstOrTheLast(port: Int) throws {
        #expect(try ContactServerCommand.parse(["--port", "\(port)"]).port == port)
    }
}
