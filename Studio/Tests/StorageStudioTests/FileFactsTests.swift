import Testing

@testable import StorageStudio

@Suite struct FileFactsTests {
    /// A view may take as long as it likes to say how many rows it has.
    @Test func rowsOfTablesAreCountedAndThoseOfViewsAreNot() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE a (x); INSERT INTO a VALUES (1), (2); CREATE VIEW b AS SELECT x FROM a;")
        let path = file.path
        let facts = try await StudioConnection(path, .look).run { connection, schema in
            try FileFacts(path, isReadOnly: true, connection, schema)
        }
        #expect(facts.tables.map(\.name) == ["a", "b"])
        #expect(facts.tables.map(\.rows) == [2, nil])
    }
}
