import Testing

@testable import StorageGRDB

@Suite struct StartCheckErrorTests {
    @Test func theErrorOfManyFindingsSaysTheFirstAndHowManyThereAre() throws {
        let error = StartCheckError(
            findings: (1...5000).map { .reference(table: "pets", rowid: $0, parent: "parents") })
        let text = try #require(error.errorDescription)
        #expect(text.contains("'pets' row 1 would") && text.hasSuffix("; and 4990 more"))
        #expect(text.utf8.count < 1000)
    }

    @Test func theErrorNamesAllFindings() throws {
        let error = StartCheckError(findings: [
            .damage("row 3 missing from index i"), .reference(table: "pets", rowid: 20, parent: "parents"),
        ])
        #expect(
            error.errorDescription
                == "the file would not be sound: row 3 missing from index i; "
                + "'pets' row 20 would refer to a row of 'parents' that is not there")
    }
}
