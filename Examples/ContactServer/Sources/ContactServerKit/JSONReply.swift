import Hummingbird
import StorageKit

/// Answers in JSON: keys in order, dates as ISO 8601.
enum JSONReply {
    /// An answer with a body.
    ///
    /// - Parameters:
    ///   - value: The body.
    ///   - status: The status.
    ///   - headers: Headers beside those that say what the body is.
    static func response(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) throws -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        // A list is never the same for long.
        headers[.cacheControl] = "no-store"
        var body = try buffer(value)
        // For those who read it in a terminal.
        body.writeString("\n")
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// The JSON of a value, on one line.
    static func buffer(_ value: some Encodable) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return ByteBuffer(bytes: try encoder.encode(value))
    }
}
