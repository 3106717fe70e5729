import ContactBookModel
import Hummingbird
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import StorageKit
import Testing

@testable import ContactServerKit

/// A server on a book of its own, in a folder that is gone with the last reference.
final class TestServer: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("contactserver-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Opens the book, as another program would.
    func openBook(monitor: (any StorageMonitor)? = nil) throws -> ContactBook {
        try ContactBook(at: folder.appendingPathComponent("book.sqlite"), monitor: monitor)
    }

    /// Runs the server from beginning to end. The book is closed afterwards.
    ///
    /// - Parameters:
    ///   - streamLimit: How many clients may follow the book.
    ///   - idleTimeout: How long a client may say nothing before it has asked.
    ///   - body: Given a client and the book that the server serves.
    @discardableResult
    func run<Value>(
        streamLimit: Int = 100, idleTimeout: TimeAmount = .seconds(15),
        _ body: @Sendable (BookClient, ContactBook) async throws -> Value
    ) async throws -> Value {
        let book = try openBook()
        let server = ContactServer(book: book, streams: OpenStreams(limit: streamLimit), idleTimeout: idleTimeout)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = server.application { port.yield($0.localAddress?.port ?? 0) }
        let services = ServiceGroup(services: [application], logger: application.logger)
        async let end: Void = {
            // Whoever waits for a server that did not start waits no longer.
            defer { port.finish() }
            try await services.run()
        }()
        let result: Result<Value, any Error>
        do {
            let port = try #require(await ports.first { _ in true })
            result = .success(try await body(BookClient(port: port), book))
        } catch {
            result = .failure(error)
        }
        await services.triggerGracefulShutdown()
        try await end
        return try result.get()
    }
}

/// Sends requests and reads answers.
struct BookClient: Sendable {
    /// Where the server listens on this machine.
    let port: Int

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path with its parameters.
    ///   - body: The body; nil for none.
    ///   - ifMatch: The values of the header `If-Match`, a header each.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, ifMatch: String...
    ) async throws -> Reply {
        let exchange = try await Exchange(port: port, method, path, body, headers: ifMatch.map { ("If-Match", $0) })
        return Reply(head: exchange.head, text: try await exchange.text())
    }

    /// Adds a contact and returns it.
    @discardableResult
    func add(_ json: String) async throws -> ContactReply {
        try await send(.post, "/contacts", json).read()
    }

    /// A page of contacts.
    func page(_ parameters: String = "") async throws -> PageReply {
        try await send(.get, "/contacts" + parameters).read()
    }
}

/// An answer.
struct Reply: Sendable {
    let head: HTTPResponseHead
    let text: String

    var status: Int { Int(head.status.code) }

    /// The first header of that name.
    func header(_ name: String) -> String? { head.headers.first(name: name) }

    /// The body as a value.
    func read<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(text.utf8))
    }

    /// What the body says is wrong; nil if it says nothing of the kind.
    var problem: ProblemReply.Content? { try? read(ProblemReply.self).error }
}

struct ContactReply: Decodable, Hashable, Sendable {
    let id: String
    let name: String
    let email: String?
    let phone: String?
    let company: String?
    let birthday: String?
    let notes: String?
    let isFavorite: Bool
    let createdAt: String
    let version: Int
}

struct PageReply: Decodable, Sendable {
    let contacts: [ContactReply]
    let next: String?

    var names: [String] { contacts.map(\.name) }
}

struct ProblemReply: Decodable, Sendable {
    struct Content: Decodable, Equatable, Sendable {
        let field: String?
        let message: String
        let status: Int
        let existingId: String?
        let foundVersion: Int?
        let columns: [String]?
    }
    let error: Content
}

struct HealthReply: Decodable, Equatable, Sendable {
    let contacts: Int
    let status: String
    let streams: Int
}
