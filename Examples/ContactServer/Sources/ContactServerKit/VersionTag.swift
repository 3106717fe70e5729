import ContactBookModel
import Hummingbird
import StorageKit

/// A contact's version as HTTP has it: `"3"`.
enum VersionTag {
    /// The header of an answer that shows the contact.
    static func headers(_ contact: Contact) -> HTTPFields {
        [.eTag: "\"\(contact.version)\""]
    }

    /// The version that a request is meant for: that of `If-Match` or, without one and for `*`, that of its body;
    /// nil for whichever there is.
    ///
    /// - Throws: ``Problem`` if it cannot be understood, or the two say different things.
    static func wanted(by request: Request, body: ContactInput? = nil) throws -> Int? {
        guard let text = request.headers[.ifMatch] else { return body?.version }
        let tag = text.trimmingCharacters(in: .whitespaces)
        if tag == "*" { return body?.version }
        guard let version = version(of: tag) else {
            throw Problem.badRequest("If-Match", "must be one version such as \"3\", in quotes, or *")
        }
        if let other = body?.version, other != version {
            throw Problem.unprocessable("version", "must be the version that If-Match names")
        }
        return version
    }

    /// Nothing but what ``headers(_:)`` writes: a weak tag and a list are not.
    private static func version(of tag: String) -> Int? {
        guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
        let digits = tag.dropFirst().dropLast()
        // Of the ways to write a number only the one.
        guard let version = Int(digits), version >= 0, String(version) == digits else { return nil }
        return version
    }
}
