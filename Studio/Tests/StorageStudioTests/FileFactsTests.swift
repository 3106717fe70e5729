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

    @Test func rowsThatTakeTooLongToCountHaveNoNumber() async throws {
        // More than SQLite passes over before it asks whether to stop.
        let file = try TemporaryFile(
            """
            CREATE TABLE a (x);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 5000) INSERT INTO a SELECT x FROM n;
            """)
        let path = file.path
        let look = StudioConnection(path, .look)
        // Read in time, the schema is kept.
        #expect(try await look.run { _, schema in schema.catalog.tables.map(\.name) } == ["a"])
        let facts = try await look.run(within: .zero) { connection, schema in
            try FileFacts(path, isReadOnly: true, connection, schema)
        }
        #expect(facts.tables.map(\.rows) == [nil])
    }
}
