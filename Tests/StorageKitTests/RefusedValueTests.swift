import StorageKit
import StorageTestSupport
import Testing

/// Refuses to be stored, with an error that tells the value, or with one of ours.
private struct Secret: ColumnValue, Codable, Hashable {
    struct Refusal: LocalizedError {
        let word: String
        var errorDescription: String? { word }
    }

    static var columnType: ColumnType { .text }
    var word: String

    func storedValue() throws -> StoredValue {
        if word == "plain" { throw ColumnEncodingError(reason: "plain words are not stored") }
        throw Refusal(word: word)
    }

    static func read(from row: borrowing RowReader, at index: Int32) throws -> Secret {
        Secret(word: try String.read(from: row, at: index))
    }
}

/// What an app's own code says of a value may hold the value, and is not for an error that is logged.
@Suite struct RefusedValueTests {
    private let store: TemporaryStore
    private let column = Column<Secret>("name")

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    private func messages(_ secret: Secret) async -> [String] {
        let query = store.storage.query(TestUser.self)
        let (column, text) = (column, "name")
        let errors = [
            await storageError { _ = try await query.where { _ in column == secret }.fetch() },
            await storageError { _ = try await query.where { _ in column.in([secret]) }.fetch() },
            await storageError { _ = try await query.updateAll { _ in [column.set(to: secret)] } },
        ]
        return errors.map { error in
            guard case .queryFailed = error, let message = error?.localizedDescription else { return "no error" }
            return message.contains(text) ? message : "no column: \(message)"
        }
    }

    @Test func theTextOfAnotherErrorIsNotPassedOn() async throws {
        for message in await messages(Secret(word: "open sesame")) {
            #expect(!message.contains("sesame"))
            #expect(message.contains("Refusal"), "\(message)")
        }
    }

    @Test func theReasonOfAColumnEncodingErrorIsPassedOn() async throws {
        for message in await messages(Secret(word: "plain")) {
            #expect(message.contains("plain words are not stored"), "\(message)")
        }
    }
}
