import Hummingbird
import NIOCore
import StorageKit

/// Reads server-sent events as they come. The connection closes with the last copy.
struct EventReader {
    /// Keeps the connection open.
    private let exchange: Exchange
    private var parts: AsyncThrowingStream<ByteBuffer, any Error>.AsyncIterator
    private var text = ""

    /// Asks for the changes of the book.
    ///
    /// - Parameters:
    ///   - client: The client of the server.
    ///   - parameters: What stands behind the path.
    init(_ client: BookClient, _ parameters: String = "") async throws {
        exchange = try await Exchange(port: client.port, .get, "/contacts/changes" + parameters)
        parts = exchange.parts.makeAsyncIterator()
    }

    /// The next event's lines; nil when the stream has ended.
    mutating func next() async throws -> String? {
        while true {
            if let end = text.range(of: "\n\n") {
                defer { text.removeSubrange(..<end.upperBound) }
                return String(text[..<end.lowerBound])
            }
            guard let part = try await parts.next() else { return nil }
            text += String(buffer: part)
        }
    }

    /// The ids that the next event tells.
    mutating func nextIds() async throws -> [String]? {
        struct Content: Decodable {
            let ids: [String]
        }
        let prefix = "data: "
        guard let line = try await next()?.split(separator: "\n").first(where: { $0.hasPrefix(prefix) }) else {
            return nil
        }
        return try JSONDecoder().decode(Content.self, from: Data(line.dropFirst(prefix.count).utf8)).ids
    }
}
