import Hummingbird
import Logging
import StorageKit

/// Why a request was not met, as the client is told.
struct Problem: Error, Equatable {
    let status: HTTPResponse.Status
    /// The field, parameter or header at fault; nil if none is.
    var field: String?
    /// One clause, without values of the book and without SQL.
    let message: String
    /// The id of the contact that is in the way.
    var existingId: String?
    /// The version that the contact has, where the client has another.
    var foundVersion: Int?
    /// The columns of a key or another rule that the contact would break, as far as they are known.
    var columns: [String]?
    /// When to try again, in seconds.
    var retryAfter: Int?

    /// Something in the request cannot be understood.
    static func badRequest(_ field: String?, _ message: String) -> Problem {
        Problem(status: .badRequest, field: field, message: message)
    }

    /// A parameter means nothing where it stands.
    static func unknownParameter(_ name: String) -> Problem {
        badRequest(String(name.prefix(100)), "there is no such parameter here")
    }

    /// A field was understood, and cannot have that value.
    static func unprocessable(_ field: String, _ message: String) -> Problem {
        Problem(status: .unprocessableContent, field: field, message: message)
    }

    /// There is no contact of that id.
    static let noContact = Problem(status: .notFound, field: "id", message: "there is no contact with this id")

    /// There is no group of that id.
    static let noGroup = Problem(status: .notFound, field: "id", message: "there is no group with this id")
}

extension Problem {
    /// The answer: `{"error":{"field":"…","message":"…","status":422}}`.
    func response() throws -> Response {
        struct Body: Encodable {
            struct Content: Encodable {
                let columns: [String]?
                let existingId: String?
                let field: String?
                let foundVersion: Int?
                let message: String
                let status: Int
            }
            let error: Content
        }
        var headers = HTTPFields()
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        let content = Body.Content(
            columns: columns, existingId: existingId, field: field, foundVersion: foundVersion, message: message,
            status: status.code)
        return try JSONReply.response(Body(error: content), status: status, headers: headers)
    }
}

/// Turns every error into a ``Problem``, that is into JSON, and keeps to itself what is nobody else's business.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Problem(error)
            if problem.status.kind == .serverError {
                // An error of the store names tables and columns, and no values: fit for a log.
                context.logger.error("\(request.method) failed", metadata: ["error": "\(error)"])
            }
            return try problem.response()
        }
    }
}
