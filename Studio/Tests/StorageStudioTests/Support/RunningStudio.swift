import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@testable import StorageStudio

extension Door {
    /// One whose clock stands still: its codes stay good however long a test or a browser waits for a thread.
    static func ofTests() -> Door {
        let now = ContinuousClock.now
        return Door { now }
    }
}

/// A studio that runs for the length of a closure.
struct RunningStudio: Sendable {
    let server: StudioServer
    let port: Int
    let code: String

    /// Runs a studio, and ends it behind the closure.
    static func run(
        _ file: TemporaryFile, isReadOnly: Bool = false, model: URL? = nil, door: Door = .ofTests(),
        limits: ConnectionLimits = ConnectionLimits(),
        _ body: @escaping @Sendable (RunningStudio) async throws -> Void
    ) async throws {
        let server = StudioServer(
            file: file.url, options: .init(isReadOnly: isReadOnly, model: model), door: door, limits: limits)
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Whoever waits for a studio that did not start waits no longer.
                defer { address.finish() }
                do { try await server.run { address.yield($0) } } catch is CancellationError {}
            }
            let first = try #require(await addresses.first { _ in true })
            let parts = try #require(first.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#code=([0-9a-f]+)/))
            let studio = RunningStudio(server: server, port: try #require(Int(parts.1)), code: String(parts.2))
            do {
                try await body(studio)
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// The headers of the page's own questions.
    func headers(token: String? = nil) -> [String: String] {
        var headers = ["Origin": origin, "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"]
        if let token { headers["Authorization"] = "Bearer " + token }
        return headers
    }

    /// What a page hears, for as long as it stays.
    func events() async throws -> Exchange {
        let headers = headers(token: try await token()).map { ($0.key, $0.value) }
        return try await Exchange(port: port, .get, "/api/events", headers: headers)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, host: String? = nil,
        headers: [String: String]
    ) async throws -> Answer {
        let exchange = try await Exchange(
            port: port, method, path, body, host: host, headers: headers.map { ($0.key, $0.value) })
        return Answer(head: exchange.head, text: try await exchange.text())
    }

    /// Comes in by the code of the address.
    func token() async throws -> String {
        let answer = try await send(.post, "/api/session", #"{"code":"\#(code)"}"#, headers: headers())
        struct Content: Decodable { let token: String }
        return try JSONDecoder().decode(Content.self, from: Data(answer.text.utf8)).token
    }

    struct Answer: Sendable {
        let head: HTTPResponseHead
        let text: String
        var status: Int { Int(head.status.code) }
    }
}
