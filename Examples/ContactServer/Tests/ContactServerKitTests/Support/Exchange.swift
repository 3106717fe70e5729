import Hummingbird
import NIOCore
import NIOHTTP1
import NIOPosix

/// A request on a connection of its own, and the answer as it comes. The connection closes with the last reference.
///
/// Plain HTTP over the library that Hummingbird stands on: clients that others made bring TLS along, which the server does
/// not need and which takes minutes to compile.
final class Exchange: Sendable {
    /// An answer as far as it is known before its body.
    let head: HTTPResponseHead
    /// The body. It ends with an error if the connection is cut before its end.
    let parts: AsyncThrowingStream<ByteBuffer, any Error>
    private let channel: any Channel

    /// Sends a request and waits until the answer begins.
    ///
    /// - Parameters:
    ///   - port: Where the server listens on this machine.
    ///   - method: The method.
    ///   - path: The path with its parameters.
    ///   - body: The body; nil for none.
    ///   - host: The header `Host`; nil for where the server listens.
    ///   - headers: Headers beside those that every request has.
    init(
        port: Int, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        host: String? = nil, headers others: [(String, String)] = []
    ) async throws {
        let (parts, reader) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
        let (heads, headReader) = AsyncThrowingStream.makeStream(of: HTTPResponseHead.self)
        var headers: HTTPHeaders = ["Host": host ?? "127.0.0.1:\(port)", "Connection": "close"]
        headers.add(contentsOf: others)
        if let body { headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
        let head = HTTPRequestHead(
            version: .http1_1, method: .init(rawValue: method.rawValue), uri: path, headers: headers)
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(AnswerReader(headReader, reader))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .map { channel in
                // On the thread of the connection: a task may wait for one longer than a server waits for a request.
                channel.write(HTTPClientRequestPart.head(head), promise: nil)
                if let body {
                    channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
                }
                // A server may answer before it has read everything, and close: the answer tells, not the write.
                channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
                return channel
            }
            .get()
        self.parts = parts
        guard let answer = try await heads.first(where: { _ in true }) else { throw ChannelError.eof }
        self.head = answer
    }

    deinit {
        channel.close(promise: nil)
    }

    /// The whole body.
    func text() async throws -> String {
        try await parts.reduce(into: "") { $0 += String(buffer: $1) }
    }
}

/// Hands the parts of an answer on.
private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let head: AsyncThrowingStream<HTTPResponseHead, any Error>.Continuation
    private let parts: AsyncThrowingStream<ByteBuffer, any Error>.Continuation

    init(
        _ head: AsyncThrowingStream<HTTPResponseHead, any Error>.Continuation,
        _ parts: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    ) {
        self.head = head
        self.parts = parts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let answer):
            head.yield(answer)
            head.finish()
        case .body(let part): parts.yield(part)
        case .end: parts.finish()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Without a meaning behind the end of the answer.
        end(ChannelError.eof)
        context.fireChannelInactive()
    }

    private func end(_ error: any Error) {
        head.finish(throwing: error)
        parts.finish(throwing: error)
    }
}
