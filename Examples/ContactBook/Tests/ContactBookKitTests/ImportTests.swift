import StorageKit
import Testing

@testable import ContactBookKit
@testable import ContactBookModel

@Suite struct ImportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func theClassicExportIsUnderstood() async throws {
        let path = try folder.file(
            """
            Name,Given Name,Family Name,Birthday,Notes,Group Membership,E-mail 1 - Value,Phone 1 - Value,Organization 1 - Name
            Ada Quill,Ada,Quill,--12-10,"two
            lines",Choir ::: * myContacts ::: * starred,ada@example.com ::: a.q@example.org,+1 202-555-0101,"Pens, Inc."

            """)
        let book = try folder.book()
        try await book.importFile(path)
        let ada = try #require(try await book.everybody.first)
        #expect(ada.name == "Ada Quill")
        #expect(ada.birthday == Birthday("--12-10"))
        #expect(ada.notes == "two\nlines")
        #expect(ada.labels == "Choir")
        #expect(ada.email == "ada@example.com")
        #expect(ada.otherEmails == "a.q@example.org")
        #expect(ada.company == "Pens, Inc.")
        #expect(ada.isFavorite)
    }

    @Test func theNewerExportIsUnderstood() async throws {
        let path = try folder.file(
            """
            First Name,Middle Name,Last Name,Organization Name,Birthday,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value,Address 1 - Formatted,Website 1 - Value
            Ada,B.,Quill,Pens,1990-02-28,ada@example.com,two@example.com,+1 202-555-0101,"1 Road
            Town",https://example.com

            """)
        let book = try folder.book()
        try await book.importFile(path)
        let ada = try #require(try await book.everybody.first)
        #expect(ada.name == "Ada B. Quill")
        #expect(ada.birthdayText == "1990-02-28")
        #expect(ada.otherEmails == "two@example.com")
        #expect(ada.address == "1 Road\nTown")
        #expect(ada.website == "https://example.com")
    }

    @Test func columnsWithoutNumbersAreUnderstoodToo() async throws {
        let book = try folder.book()
        let header = "name,Email,Phone,Company,Address,Website"
        try await book.importFile(
            try folder.file("\(header)\nAda,ada@example.com,1,Pens,1 Road,https://example.com\n"))
        let ada = try #require(try await book.everybody.first)
        #expect([ada.name, ada.email, ada.phone, ada.company] == ["Ada", "ada@example.com", "1", "Pens"])
        #expect([ada.address, ada.website] == ["1 Road", "https://example.com"])
    }

    @Test func aNameLeftEmptyIsPutTogetherFromItsParts() async throws {
        let book = try folder.book()
        try await book.importFile(try folder.file("Name,Given Name,Family Name\n,Ada,Quill\n"))
        #expect(try await book.everybody.map(\.name) == ["Ada Quill"])
    }

    @Test func whoHasANicknameAloneIsCalledByIt() async throws {
        let book = try folder.book()
        let header = "First Name,Last Name,Nickname,E-mail 1 - Value"
        try await book.importFile(
            try folder.file("\(header)\n,,Addie,a@example.com\nBen,,Benny,b@example.com\n"))
        #expect(try await book.list(Listing()).map(\.name) == ["Addie", "Ben"])
    }

    @Test func aCommaTooManyAtTheEndOfARowIsNoFurtherField() async throws {
        let book = try folder.book()
        try await book.importFile(try folder.file("Name,Notes\nAda,tall,\n"))
        #expect(try await book.everybody.map(\.notes) == ["tall"])
    }

    @Test func aRowShorterThanTheHeaderLacksTheRest() async throws {
        let book = try folder.book()
        try await book.importFile(try folder.file("Name,Notes,E-mail 1 - Value\nAda\nBen,tall\n"))
        #expect(try await book.list(Listing()).map(\.name) == ["Ada", "Ben"])
        #expect(try await book.list(Listing()).map(\.notes) == [nil, "tall"])
    }

    @Test func aRowWithoutNameEmailAndPhoneIsSkippedAndCounted() async throws {
        let book = try folder.book()
        let summary = try await book.importFile(try folder.file("Name,Notes\n,nobody\n\nAda,\n"))
        #expect(summary.skipped == 1)
        #expect(summary.new == 1)
        #expect(summary.lines.last == "Skipped 1 row without name, email and phone")
    }

    @Test func aRowOfEmptyFieldsIsCountedAsSkipped() async throws {
        let summary = try await folder.book().importFile(try folder.file("Name,Notes\n,\n\nAda,\n"))
        #expect(summary.skipped == 1)
    }

    @Test func ofTwoRowsForOnePersonTheLaterWins() async throws {
        let book = try folder.book()
        let path = try folder.file(
            "Name,E-mail 1 - Value,Phone 1 - Value,Notes\nAda,ada@example.com,1,old\nADA ,Ada@example.com,,new\n")
        let summary = try await book.importFile(path, recordsPerChunk: 1, blockLength: 8)
        let ada = try #require(try await book.everybody.first)
        #expect(try await book.everybody.count == 1)
        #expect(ada.notes == "new")
        #expect(ada.phone == "1")
        #expect(summary.merged == 1)
        #expect(summary.lines.contains { $0.hasPrefix("Merged 1 row") })
    }

    @Test func aFavouriteStaysOneWhenItIsImportedAgain() async throws {
        let book = try folder.book()
        let path = try folder.file("Name,Phone 1 - Value\nAda,1\nBen,2\n")
        try await book.importFile(path)
        let ada = try #require(try await book.list(Listing()).first)
        _ = try await book.update(id: ada.id) { $0.isFavorite = true }
        let changed = try folder.file(named: "later.csv", "Name,Phone 1 - Value,Notes\nAda,1,changed\nBen,2,\n")
        let summary = try await book.importFile(changed)
        #expect(summary.changed == 1)
        #expect(summary.unchanged == 1)
        let again = try #require(try await book.list(Listing()).first)
        #expect(again.isFavorite)
        #expect(again.notes == "changed")
        #expect(again.createdAt == ada.createdAt)
    }

    @Test func aStarInTheFileCountsForNewContactsOnly() async throws {
        let book = try folder.book()
        let path = try folder.file("Name,Labels\nAda,* starred\n")
        try await book.importFile(path)
        let ada = try #require(try await book.everybody.first)
        #expect(ada.isFavorite)
        _ = try await book.setFavorite(id: ada.id, false)
        try await book.importFile(path)
        #expect(try await book.everybody.map(\.isFavorite) == [false])
    }

    @Test func whatIsTheSameIsNotWrittenAgain() async throws {
        let book = try folder.book()
        let path = try folder.file("Name,Phone 1 - Value\nAda,1\n")
        try await book.importFile(path)
        let before = try await book.updateTimes()
        let summary = try await book.importFile(path)
        #expect(summary.unchanged == 1)
        #expect(try await book.updateTimes() == before)
    }

    @Test func anImportUndoesNothingThatIsWrittenBesideIt() async throws {
        let book = try folder.book()
        let numbers = 1...300
        try await book.importFile(
            try folder.file("Name,Phone 1 - Value\n" + numbers.map { "Person,\($0)\n" }.joined()))
        let edited = try folder.file(
            named: "edited.csv", "Name,Phone 1 - Value,Notes\n" + numbers.map { "Person,\($0),tall\n" }.joined())
        // Another connection, as another process has one.
        let other = try folder.book()
        let ids = try await book.everybody.map(\.id)
        async let summary = book.importFile(edited, recordsPerChunk: 3, blockLength: 64)
        for id in ids { _ = try await other.setFavorite(id: id, true) }
        #expect(try await summary.changed == 300)
        let everybody = try await book.everybody
        #expect(everybody.count == 300)
        #expect(everybody.allSatisfy { $0.isFavorite && $0.notes == "tall" && $0.version == 3 })
    }

    @Test func aResumedImportEqualsASingleOne() async throws {
        let whole = folder.path("whole.csv")
        try SampleContacts.write(count: 400, to: whole, seed: 3)
        let part = folder.path("part.csv")
        try SampleContacts.write(count: 150, to: part, seed: 3)
        let single = try folder.book("single.sqlite")
        try await single.importFile(whole)
        let resumed = try folder.book("resumed.sqlite")
        try await resumed.importFile(part)
        let summary = try await resumed.importFile(whole, recordsPerChunk: 7, blockLength: 100)
        #expect(summary.new == 250)
        #expect(summary.unchanged == 150)
        #expect(try await resumed.everybody == single.everybody)
    }

    @Test func aChunkOfLongRecordsEndsEarlier() throws {
        let record = String(repeating: "a", count: 700_000) + "\n"
        var reader = try CSVChunkReader(try folder.file(String(repeating: record, count: 4)))
        // Three have more than 2 MB.
        let first = try reader.next(recordCount: 10)
        let second = try reader.next(recordCount: 10)
        #expect(first?.ends.count == 3)
        #expect(second?.ends.count == 1)
    }

    @Test func theSameSeedGivesTheSameFile() throws {
        let paths = ["a.csv", "b.csv", "c.csv"].map(folder.path)
        for (path, seed) in zip(paths, [5, 5, 6] as [UInt64]) {
            try SampleContacts.write(count: 50, to: path, seed: seed)
        }
        let files = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(files[0] == files[1])
        #expect(files[0] != files[2])
    }
}

extension ContactBook {
    /// When each row was last saved.
    fileprivate func updateTimes() async throws -> [Date] {
        try await context.storage.dbActor.read { db in
            try ContactRecord.fetchAll(db, sql: "SELECT * FROM contacts ORDER BY id").map(\.updatedAt)
        }
    }
}
