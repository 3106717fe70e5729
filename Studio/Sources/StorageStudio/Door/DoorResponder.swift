import HTTPTypes
import Hummingbird

/// Looks at each request before anything else does, and gives each answer the headers that keep the page to itself.
struct DoorResponder<Inner: HTTPResponder>: HTTPResponder {
    let door: Door
    let inner: Inner

    func respond(to request: Request, context: Inner.Context) async throws -> Response {
        var response: Response
        if let refusal = refusal(of: request) {
            response = JSONAnswer.problem(refusal)
        } else {
            do {
                response = try await inner.respond(to: request, context: context)
                // The router says nothing of what it refuses.
                if response.status.code >= 400, response.headers[.contentType] == nil {
                    response = JSONAnswer.problem(DoorResponder.problem(response.status))
                }
            } catch let error as StudioError {
                response = JSONAnswer.problem(error)
            } catch is DecodingError {
                response = JSONAnswer.problem(StudioError(.invalid, "the request is not understood"))
            }
        }
        for (name, value) in DoorHeaders.all { response.headers[name] = value }
        return response
    }

    private static func problem(_ status: HTTPResponse.Status) -> StudioError {
        switch status {
        case .notFound: StudioError(.notFound, "there is no such page")
        case .contentTooLarge:
            StudioError(.tooLong, "a question has \(JSONAnswer.largestQuestion >> 20) MiB at the most")
        default: StudioError(.invalid, "the request is not understood")
        }
    }

    /// Why a request is not let in; nil if it is.
    private func refusal(of request: Request) -> StudioError? {
        // Another `Host` means DNS rebinding: a stranger's domain that points at this machine.
        guard let authority = door.authority, request.head.authority == authority else {
            return StudioError(.refused, "the studio is reached by its own address alone")
        }
        // The exact path only: the router also accepts a trailing or doubled slash.
        let isPage = PageAsset.all.contains { $0.path == request.uri.path }
        let site = request.headers[DoorHeaders.fetchSite]
        guard site == nil || site == "same-origin" || isPage && site == "none" else {
            return StudioError(.refused, "a page of another site asks")
        }
        switch request.method {
        case .get, .head: break
        case .post:
            guard request.headers[.origin] == "http://\(authority)" else {
                return StudioError(.refused, "a page of another site asks")
            }
            guard request.headers[.contentType] == "application/json" else {
                return StudioError(.refused, "questions are JSON")
            }
        default: return StudioError(.refused, "there is nothing to do by \(request.method.rawValue)")
        }
        if isPage || request.uri.path == "/api/session" { return nil }
        return door.isOpen(to: request.headers[.authorization])
            ? nil : StudioError(.signedOut, "open the address that storagekit prints")
    }
}

/// The headers of all answers.
enum DoorHeaders {
    static let fetchSite = name("Sec-Fetch-Site")

    static let all: [(HTTPField.Name, String)] = [
        (.cacheControl, "no-store"),
        (
            .contentSecurityPolicy,
            """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; \
            form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
            """
        ),
        (name("X-Frame-Options"), "DENY"),
        (name("Referrer-Policy"), "no-referrer"),
        (.xContentTypeOptions, "nosniff"),
        (name("Cross-Origin-Opener-Policy"), "same-origin"),
        (name("Cross-Origin-Resource-Policy"), "same-origin"),
    ]

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("'\(text)' is no name of a header") }
        return name
    }
}
