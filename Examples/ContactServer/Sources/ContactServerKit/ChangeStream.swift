import ContactBookModel
import Hummingbird
import ServiceLifecycle
import StorageKit
import Synchronization

/// A list as server-sent events: the ids of its first contacts, now and after each commit that changes one of them,
/// another process's too.
struct ChangeStream: Sendable {
    let book: ContactBook
    let streams: OpenStreams

    /// Answers with events until the client goes or the server ends.
    @Sendable func respond(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let parameters = try ListParameters(request, takesCursor: false)
        guard let place = streams.place() else {
            throw Problem(status: .serviceUnavailable, message: "too many clients follow the book", retryAfter: 5)
        }
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                // Without this a client that is gone would be noticed at the next change only.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await write(parameters, to: &writer)
                }
                try await writer.finish(nil)
                withExtendedLifetime(place) {}
            })
    }

    private func write(_ parameters: ListParameters, to writer: inout any ResponseBodyWriter) async throws {
        let query = book.query(parameters.listing).limit(parameters.limit)
        var number = 0
        // A slow client misses lists in between, and gets the last.
        for await contacts in query.observeDistinct().cancelOnGracefulShutdown() {
            number += 1
            try await writer.write(try ChangeStream.event(contacts, number: number))
        }
    }

    private static func event(_ contacts: [Contact], number: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "id: \(number)\nevent: contacts\ndata: ")
        buffer.writeImmutableBuffer(try JSONReply.buffer(["ids": contacts.map(\.id)]))
        buffer.writeString("\n\n")
        return buffer
    }
}

/// Counts the streams that are open.
final class OpenStreams: Sendable {
    /// How many there may be: each holds a connection.
    let limit: Int
    private let open = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// How many there are.
    var count: Int { open.withLock { $0 } }

    /// A place for one more; nil if there is none.
    func place() -> Place? {
        let isFree = open.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Place(among: self) : nil
    }

    /// Is one of the streams that are open, as long as somebody holds it: an answer may never be begun.
    final class Place: Sendable {
        private let streams: OpenStreams

        fileprivate init(among streams: OpenStreams) {
            self.streams = streams
        }

        deinit {
            streams.open.withLock { $0 -= 1 }
        }
    }
}
