import Persistence
import StorageTestSupport
import Testing

/// No error says what a value is.
@Suite struct SecretSecurityTests {
    private static let secret = "s3cr3tZq9"
    private static let number = 918_273_645

    private struct Kept: Codable, Sendable {
        enum Mood: String, Codable { case calm }
        var id: Int8
        var mood: Mood?
        var site: URL?
        var marks: [String: [String: Int8]]?
        var data: Data?
    }

    @Test(arguments: [
        "CREATE UNIQUE INDEX titles ON books (title)",
        "CREATE TRIGGER no BEFORE INSERT ON books BEGIN SELECT RAISE(ABORT, 'refused'); END",
        "DROP TABLE books; CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT CHECK (title = 'x'))",
        "DROP TABLE books; CREATE TABLE books (id INTEGER PRIMARY KEY, title INTEGER) STRICT",
        "DROP TABLE books; CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT REFERENCES books)",
        "DROP TABLE books",
    ])
    func aStatementThatFails(_ rule: String) async throws {
        let shelf = try await Shelf()
        try await shelf.database.execute(rule)
        let sql = "INSERT INTO books (id, title) VALUES (?, ?), (?, ?)"
        let values: [SQLiteValue] = [
            .integer(Int64(Self.number)), .text(Self.secret), .integer(1), .text(Self.secret),
        ]
        await expectSilence { try await shelf.database.execute(sql, values) }
        await expectSilence { try await shelf.database.execute(sql, Array(values.dropLast())) }
        await expectSilence { try await shelf.database.execute(sql, values.dropLast() + [.real(.nan)]) }
    }

    @Test func aRowThatCannotBeRead() async throws {
        let texts = [
            Self.secret, "\"\(Self.secret)\"", "[\"\(Self.secret)\"]", "{\"\(Self.secret)\":1}",
            "{\"\(Self.secret)\":{\"a\":300}}",
            "{\"a\":{\"\(Self.secret)\":\(Self.number)}}", "{\"a\":{\"\(Self.secret)\":",
        ]
        let values =
            texts.map { SQLiteValue.text($0) } + texts.map { .blob(Data($0.utf8)) } + [.integer(Int64(Self.number))]
        for column in ["id", "mood", "site", "marks", "data"] {
            for value in values {
                let row = Persistence.Row(["id": .integer(1)].merging([column: value]) { $1 })
                await expectSilence(mayPass: true) { _ = try SQLiteDecoder().decode(Kept.self, from: row) }
                let changingKeys = SQLiteCodingOptions(jsonDecoder: {
                    let decoder = JSONDecoder()
                    decoder.keyDecodingStrategy = .convertFromSnakeCase
                    return decoder
                })
                await expectSilence(mayPass: true) {
                    _ = try SQLiteDecoder(options: changingKeys).decode(Kept.self, from: row)
                }
            }
        }
    }

    @Test func aValueThatCannotBeStored() async throws {
        let values = [Self.secret: ["a": Double.infinity]]
        await expectSilence { _ = try SQLiteEncoder().encode(["marks": [values]]) }
        await expectSilence { _ = try SQLiteEncoder().encode([Self.secret]) }
    }

    private func expectSilence(
        mayPass: Bool = false, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        guard let error = await thrownError(body) else {
            if !mayPass { Issue.record("nothing was thrown", sourceLocation: location) }
            return
        }
        var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription) \((error as NSError).userInfo) "
        dump(error, to: &text)
        #expect(!text.contains(Self.secret) && !text.contains("\(Self.number)"), sourceLocation: location)
    }
}
