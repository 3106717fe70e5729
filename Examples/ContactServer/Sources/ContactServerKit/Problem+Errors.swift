import ContactBookModel
import Hummingbird
import StorageKit

extension Problem {
    /// What to tell of an error. Whatever is not known to be the client's own doing is told by its status alone.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let problem as BookProblem: self = Problem(problem)
        case let error as StorageError: self = Problem(error)
        case let error as DatabaseError: self = Problem(error)
        case let error as any HTTPResponseError: self = Problem(status: error.status)
        default: self = .internalError
        }
    }

    private init(_ problem: BookProblem) {
        switch problem {
        case .notFound, .ambiguous: self = .noContact
        case .noGroup: self = .noGroup
        case .alreadyThere(let contact):
            self = Problem(
                status: .conflict, field: "name",
                message: "a contact added with this name and address is in the book already",
                existingId: contact.id)
        }
    }

    private init(_ error: StorageError) {
        switch error {
        case .constraintViolated(let violation): self = Problem(violation)
        case .entityNotFound, .conflict(_, _, _, found: nil): self = .noContact
        case .conflict(_, _, _, let found):
            self = Problem(
                status: .conflict, field: "version", message: "somebody has changed the contact since this version",
                foundVersion: found)
        case .entityEncodingFailed:
            self = Problem(status: .unprocessableContent, message: "the contact has a value that cannot be stored")
        case .databaseNotFound, .invalidConfiguration: self = .unavailable
        case .transactionFailed(let underlying), .queryFailed(_, let underlying):
            self = (underlying as? DatabaseError).map(Problem.init) ?? .internalError
        default: self = .internalError
        }
    }

    private init(_ violation: ConstraintViolation) {
        self = Problem(
            status: .unprocessableContent, field: violation.columns.count == 1 ? violation.columns.first : nil,
            message: violation.kind == .unique
                ? "another contact has the same, and only one may" : "the book does not take a contact like this",
            columns: violation.columns)
    }

    private init(_ error: DatabaseError) {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = Problem(status: .serviceUnavailable, message: "the book is busy", retryAfter: 1)
        case .SQLITE_FULL:
            self = Problem(
                status: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
                message: "there is no room for more contacts")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_MISUSE, .SQLITE_NOTADB: self = .unavailable
        default: self = .internalError
        }
    }

    /// Errors of the server itself: a path that leads nowhere, a body too large.
    private init(status: HTTPResponse.Status) {
        switch status {
        case .notFound: self = Problem(status: status, message: "there is nothing at this path for this method")
        case .contentTooLarge: self = Problem(status: status, field: "body", message: "the body is too large")
        default: self = Problem(status: status, message: status.reasonPhrase.lowercased())
        }
    }

    private static let unavailable = Problem(status: .serviceUnavailable, message: "the book cannot be opened")
    private static let internalError = Problem(status: .internalServerError, message: "something failed here")
}
