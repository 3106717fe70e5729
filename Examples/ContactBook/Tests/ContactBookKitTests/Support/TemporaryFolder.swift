import StorageKit

@testable import ContactBookKit
@testable import ContactBookModel

/// A folder of its own for each test, gone with the last reference.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("contactbook-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Writes a file and returns its path.
    func file(named name: String = "contacts.csv", _ text: String) throws -> String {
        try file(named: name, bytes: Array(text.utf8))
    }

    /// Writes a file and returns its path.
    func file(named name: String = "contacts.csv", bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// Opens the book of that name.
    func book(_ name: String = "book.sqlite") throws -> ContactBook {
        try ContactBook(at: url.appendingPathComponent(name))
    }
}

extension ContactBook {
    /// Imports a file, with the same time of creation in each test.
    @discardableResult
    func importFile(_ path: String, recordsPerChunk: Int = 2000, blockLength: Int = 128 << 10) async throws
        -> ImportSummary
    {
        try await ContactImport(book: self, recordsPerChunk: recordsPerChunk)
            .run(CSVChunkReader(path, blockLength: blockLength), now: Date(timeIntervalSince1970: 1_700_000_000))
    }

    /// All contacts by id.
    var everybody: [Contact] {
        get async throws { try await storage.all(Contact.self) }
    }

    /// Adds a contact of that name.
    @discardableResult
    func add(
        _ name: String, email: String? = nil, phone: String? = nil, company: String? = nil, birthday: String? = nil
    ) async throws -> Contact {
        let birthday = birthday.flatMap(Birthday.init)
        let details = ContactDetails(name: name, email: email, phone: phone, company: company, birthday: birthday)
        return try await add(details, isFavorite: false)
    }
}
