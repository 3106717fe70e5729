import GRDB
import Testing

@testable import StorageGRDB

@Suite struct StartChecksTests {
    private let queue: GRDB.DatabaseQueue

    init() throws {
        queue = try GRDB.DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE words (word); INSERT INTO words VALUES ('a'), ('b')") }
    }

    @Test func aTableThatLosesRowsWhenItIsMadeAnewIsAFinding() throws {
        let checks = StartChecks()
        try queue.write { db in
            try checks.keepingRows(of: "words", on: db) { try db.execute(sql: "DELETE FROM words WHERE word = 'a'") }
        }
        #expect(checks.findings == [.rows(table: "words", before: 2, after: 1)])
        #expect(throws: StartCheckError.self) { try checks.end() }
    }

    @Test func aTableThatKeepsItsRowsIsNone() throws {
        let checks = StartChecks()
        try queue.write { db in
            try checks.keepingRows(of: "words", on: db) { try db.execute(sql: "UPDATE words SET word = word || '!'") }
            // What a migration of the app's does later is its own business.
            try db.execute(sql: "DELETE FROM words")
        }
        #expect(checks.findings.isEmpty)
        try checks.end()
    }

    @Test func theErrorOfManyFindingsSaysTheFirstAndHowManyThereAre() throws {
        let error = StartCheckError(
            findings: (1...5000).map { .reference(table: "pets", rowid: $0, parent: "parents") })
        let text = try #require(error.errorDescription)
        #expect(text.contains("'pets' row 1 would") && text.hasSuffix("; and 4990 more"))
        #expect(text.utf8.count < 1000)
    }

    @Test func theErrorNamesAllFindings() throws {
        let error = StartCheckError(findings: [
            .rows(table: "users", before: 3, after: 2), .reference(table: "pets", rowid: 20, parent: "parents"),
        ])
        #expect(
            error.errorDescription
                == "the file would not be sound: table 'users' had 3 rows and would have 2; "
                + "'pets' row 20 would refer to a row of 'parents' that is not there")
    }
}
