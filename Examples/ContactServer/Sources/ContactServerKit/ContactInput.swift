import ContactBookModel
import Hummingbird
import StorageKit

/// What a client says about a contact: the fields that its JSON names, and no others.
struct ContactInput: Sendable {
    /// The most bytes that a body may have.
    static let largestBody = 64 << 10

    /// The id, where the client repeats it.
    private(set) var id: String?
    /// The version that the client has seen, where it sends it back.
    private(set) var version: Int?
    private(set) var isFavorite: Bool?
    /// The fields named; nil where JSON has null or an empty text.
    private(set) var texts: [ContactField: String?] = [:]

    /// Reads the body of a request.
    ///
    /// - Throws: ``Problem`` that names the field, or `body` if it is no JSON object or too large.
    init(_ request: Request) async throws {
        self = try ContactInput(try await ContactInput.body(of: request))
    }

    /// Reads the body of a request that need not have one.
    static func ifAny(_ request: Request) async throws -> ContactInput? {
        let body = try await body(of: request)
        return body.readableBytes == 0 ? nil : try ContactInput(body)
    }

    private init(_ body: ByteBuffer) throws {
        do {
            self = try JSONDecoder().decode(ContactInput.self, from: Data(body.readableBytesView))
        } catch is DecodingError {
            throw Problem.badRequest("body", "must be a JSON object")
        }
    }

    private static func body(of request: Request) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: largestBody)
        } catch  where !(error is any HTTPResponseError) {
            // The client went away, or waited too long.
            throw Problem.badRequest("body", "did not come to its end")
        }
    }

    /// Checks that an id in the body, if there is one, is that of the path.
    func checkId(is id: String) throws {
        guard let own = self.id, own != id else { return }
        throw Problem.unprocessable("id", "must be the id of the path; ids cannot be changed")
    }
}

extension ContactInput: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys {
            switch key.stringValue {
            case "id": id = try ContactInput.value(of: key, in: container, "a text")
            case "version": version = try ContactInput.value(of: key, in: container, "a whole number")
            case "isFavorite": isFavorite = try ContactInput.value(of: key, in: container, "true or false")
            // A client may send back what it was sent.
            case "createdAt": break
            default:
                guard let field = ContactField(rawValue: key.stringValue) else {
                    throw Problem.unprocessable(String(key.stringValue.prefix(100)), "there is no such field")
                }
                let text: String? = try ContactInput.value(of: key, in: container, "a text or null")
                texts[field] = .some(try text.flatMap(field.value))
            }
        }
    }

    private static func value<T: Decodable>(
        of key: Key, in container: KeyedDecodingContainer<Key>, _ expected: String
    ) throws -> T? {
        do {
            return try container.decodeIfPresent(T.self, forKey: key)
        } catch {
            throw Problem.unprocessable(key.stringValue, "must be \(expected)")
        }
    }
}

extension ContactInput {
    /// The contact that the fields describe.
    ///
    /// - Throws: ``Problem`` if it has neither name nor address nor number.
    func details() throws -> ContactDetails {
        var details = ContactDetails()
        details.name = text(.name) ?? ""
        details.email = text(.email)
        details.phone = text(.phone)
        details.otherEmails = text(.otherEmails)
        details.otherPhones = text(.otherPhones)
        details.company = text(.company)
        details.birthday = text(.birthday).flatMap(Birthday.init)
        details.address = text(.address)
        details.website = text(.website)
        details.labels = text(.labels)
        details.notes = text(.notes)
        if details.isAnonymous { throw Problem.anonymous }
        return details
    }

    /// Changes a contact.
    ///
    /// - Parameters:
    ///   - contact: The contact.
    ///   - replacing: Whether fields that are not named lose their value too, or keep it.
    /// - Throws: ``Problem`` if nothing would be left to call or to reach the contact by.
    func apply(to contact: inout Contact, replacing: Bool) throws {
        for field in ContactField.allCases {
            if let value = texts[field] {
                field.set(value, of: &contact)
            } else if replacing {
                field.set(nil, of: &contact)
            }
        }
        if let isFavorite = isFavorite ?? (replacing ? false : nil) { contact.isFavorite = isFavorite }
        if contact.isAnonymous { throw Problem.anonymous }
    }

    private func text(_ field: ContactField) -> String? { texts[field] ?? nil }
}

extension Problem {
    fileprivate static let anonymous = Problem.unprocessable("name", "a contact needs a name, an email or a phone")
}
