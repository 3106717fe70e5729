import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers in JSON, and the questions behind them.
enum JSONAnswer {
    /// The most bytes that a question may have.
    static let largestQuestion = 4 << 20

    static func of(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: try buffer(value)))
    }

    static func buffer(_ value: some Encodable) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        // The page compares values by their text, which has to be the same for the same value.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        // What no form was found for stands as text.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return ByteBuffer(bytes: try encoder.encode(value))
    }

    static func problem(_ error: StudioError) -> Response {
        let status = HTTPResponse.Status(code: error.kind.rawValue)
        return (try? of(["error": error.message], status)) ?? Response(status: status)
    }

    /// Reads a question and answers it. The page that goes away stops what runs for it.
    static func answering<Question: Decodable & Sendable>(
        _ request: Request, _ type: Question.Type = Question.self,
        _ answer: @escaping @Sendable (Question) async throws -> Response
    ) async throws -> Response {
        try await request.body.consumeWithCancellationOnInboundClose { body in
            let bytes = try await body.collect(upTo: largestQuestion)
            return try await answer(try JSONDecoder().decode(type, from: Data(bytes.readableBytesView)))
        }
    }

    /// Answers what is asked by the address alone. The page that goes away stops what runs for it.
    static func answering<Answer: Encodable & Sendable>(
        _ request: Request, _ answer: @escaping @Sendable () async throws -> Answer
    ) async throws -> Response {
        try await request.body.consumeWithCancellationOnInboundClose { _ in try of(try await answer()) }
    }
}
