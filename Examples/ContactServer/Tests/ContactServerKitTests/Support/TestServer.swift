import ContactBookModel
import Hummingbird
import HummingbirdTesting
import StorageKit

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
    ///   - setup: `.router` calls the routes, `.live` listens on a port.
    ///   - streamLimit: How many clients may follow the book.
    ///   - body: Given a client and the book that the server serves.
    @discardableResult
    func run<Value>(
        _ setup: TestingSetup = .router, streamLimit: Int = 100,
        _ body: @Sendable (BookClient, ContactBook) async throws -> Value
    ) async throws -> Value {
        let book = try openBook()
        let server = ContactServer(book: book, streams: OpenStreams(limit: streamLimit))
        return try await server.application().test(setup) { client in
            try await body(BookClient(client: client), book)
        }
    }
}

/// Sends requests and reads answers.
struct BookClient: Sendable {
    let client: any TestClientProtocol

    /// The port of a live server.
    var port: Int { client.port ?? 0 }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path with its parameters.
    ///   - body: The body; nil for none.
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> Reply {
        let response = try await client.execute(uri: path, method: method, body: body.map { ByteBuffer(string: $0) })
        return Reply(status: response.status.code, headers: response.headers, text: String(buffer: response.body))
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
    let status: Int
    let headers: HTTPFields
    let text: String

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
    }
    let error: Content
}

struct HealthReply: Decodable, Equatable, Sendable {
    let contacts: Int
    let status: String
    let streams: Int
}
