import ContactBookModel
import Hummingbird
import NIOCore
import ServiceLifecycle
import StorageKit

/// A book served over HTTP.
struct ContactServer: Sendable {
    /// The open book. The application closes it when it ends.
    let book: ContactBook
    /// The change streams that are open.
    var streams = OpenStreams(limit: 100)
    /// How long a client may say nothing before it has asked. One that stops in the middle of a request would keep the server from
    /// ending.
    var idleTimeout = TimeAmount.seconds(15)

    /// The server with all that it needs to run.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port; 0 takes a free one.
    ///   - onServerRunning: Called once the server listens.
    func application(
        host: String = "127.0.0.1", port: Int = 0,
        onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> Application<RouterResponder<BasicRequestContext>> {
        Application(
            router: router(), server: .http1(configuration: .init(idleTimeout: idleTimeout)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: "contactserver"),
            // Services end in reverse: first the server, which comes behind these, then the book.
            services: [BookCloser(book: book)], onServerRunning: onServerRunning)
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ProblemMiddleware())
        let contacts = ContactRoutes(book: book)
        let relations = RelationRoutes(book: book)
        let changes = ChangeStream(book: book, streams: streams)
        router.get("health", use: health)
        router.get("contacts", use: contacts.list)
        router.post("contacts", use: contacts.add)
        router.get("contacts/changes", use: changes.respond)
        router.get("contacts/:id", use: contacts.show)
        router.put("contacts/:id") { try await contacts.update($0, $1, replacing: true) }
        router.patch("contacts/:id") { try await contacts.update($0, $1, replacing: false) }
        router.delete("contacts/:id", use: contacts.delete)
        router.get("groups", use: relations.groups)
        router.get("groups/:id", use: relations.group)
        router.get("calls", use: relations.calls)
        router.get("birthdays", use: relations.birthdays)
        return router
    }

    /// Whether the book can be read, how many contacts it has, and how many clients follow its changes.
    @Sendable private func health(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Health: Encodable {
            let contacts: Int
            let status: String
            let streams: Int
        }
        let count = try await book.storage.count(Contact.self)
        return try JSONReply.response(Health(contacts: count, status: "ok", streams: streams.count))
    }
}

/// Closes the book when everything that uses it has ended.
struct BookCloser: Service {
    let book: ContactBook

    func run() async throws {
        // Thrown by a cancellation, which ends the server too.
        try? await gracefulShutdown()
        try await book.close()
    }
}
