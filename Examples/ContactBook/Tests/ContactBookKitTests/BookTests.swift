import StorageKit
import Testing

@testable import ContactBookKit
@testable import ContactBookModel

@Suite struct BookTests {
    private let folder: TemporaryFolder
    private let book: ContactBook

    init() throws {
        folder = try TemporaryFolder()
        book = try folder.book()
    }

    private func names(_ listing: Listing) async throws -> [String] {
        try await book.list(listing).map(\.name)
    }

    private func search(_ words: String...) async throws -> [String] {
        try await names(Listing(searchWords: Listing.words(of: words)))
    }

    @Test func anEditThatWouldLeaveNothingToReachSomebodyByIsRefused() async throws {
        let nameless = try await book.add(ContactDetails(email: "a@example.com"), isFavorite: false)
        let result = try await Program.run(["edit", nameless.id, "--email", "", "--file", folder.path("book.sqlite")])
        #expect(result.status == 2)
        #expect(result.error.contains("needs a name, an email or a phone"))
        #expect(try await book.everybody == [nameless])
    }

    @Test func searchIgnoresCaseAndAccents() async throws {
        try await book.add("Hana Nováková", email: "hana@example.com")
        try await book.add("Пётр Зайцев", email: "petr@example.com")
        #expect(try await search("NOVAKOVA") == ["Hana Nováková"])
        #expect(try await search("petr@") == ["Пётр Зайцев"])
        #expect(try await search("петр") == ["Пётр Зайцев"])
    }

    @Test func searchLooksIntoEmailCompanyAndThePhonesDigits() async throws {
        try await book.add("Ada", email: "ada@example.org", phone: "+1 (202) 555-0101", company: "Blue Kettle")
        try await book.add("Ben", email: "ben@example.com")
        #expect(try await search("example.org") == ["Ada"])
        #expect(try await search("kettle") == ["Ada"])
        #expect(try await search("2025550101") == ["Ada"])
        #expect(try await search("ben", "example") == ["Ben"])
        #expect(try await search("ben", "kettle") == [])
    }

    @Test func percentAndUnderscoreAreNoWildcards() async throws {
        try await book.add("100% Ada", phone: "1")
        try await book.add("Ben", phone: "2")
        #expect(try await search("%") == ["100% Ada"])
        #expect(try await search("_") == [])
    }

    @Test func aListIsSortedAsPeopleSortIt() async throws {
        for name in ["zoe", "Émile", "Adam", "eve"] { try await book.add(name) }
        #expect(try await names(Listing()) == ["Adam", "Émile", "eve", "zoe"])
        #expect(try await names(Listing(descending: true)) == ["zoe", "eve", "Émile", "Adam"])
    }

    @Test func contactsWithoutAValueComeLastInBothDirections() async throws {
        try await book.add("A", company: "zeta")
        try await book.add("D")
        try await book.add("B")
        try await book.add("C", company: "Alpha")
        #expect(try await names(Listing(order: .company)) == ["C", "A", "B", "D"])
        #expect(try await names(Listing(order: .company, descending: true)) == ["A", "C", "B", "D"])
        #expect(try await names(Listing(order: .company, limit: 2)) == ["C", "A"])
    }

    @Test func birthdaysSortByTheDayOfTheYear() async throws {
        try await book.add("May", birthday: "1950-05-01")
        try await book.add("Jan", birthday: "--01-09")
        try await book.add("Dec", birthday: "1940-12-24")
        #expect(try await names(Listing(order: .birthday)) == ["Jan", "May", "Dec"])
    }

    @Test func contactsOfOneMillisecondSortByWhenTheyCame() async throws {
        let day = Date(timeIntervalSince1970: 1_790_000_000)
        for (name, seconds) in [("B", 0.0001), ("A", 0.0003)] {
            _ = try await book.add(ContactDetails(name: name), isFavorite: false, now: day + seconds)
        }
        #expect(try await names(Listing(order: .created)) == ["B", "A"])
        #expect(try await names(Listing(order: .created, descending: true)) == ["A", "B"])
    }

    @Test func aLimitAndFavouritesNarrowAList() async throws {
        for name in ["A", "B", "C"] {
            let contact = try await book.add(name)
            _ = try await book.update(id: contact.id) { $0.isFavorite = name != "A" }
        }
        #expect(try await names(Listing(limit: 2)) == ["A", "B"])
        #expect(try await names(Listing(favoritesOnly: true)) == ["B", "C"])
        #expect(try await names(Listing(limit: 0)) == [])
    }

    @Test func anEditKeepsTheIdAndIsFoundBySearch() async throws {
        let ada = try await book.add("Ada", email: "ada@example.com")
        let changed = try await book.update(id: ada.id) { contact in
            contact.name = "Ada Quill"
            contact.email = nil
        }
        #expect(changed.id == ada.id)
        #expect(try await search("quill") == ["Ada Quill"])
        #expect(try await search("example") == [])
    }

    @Test func anEditDoesNotUndoWhatWasWrittenSinceTheContactWasFound() async throws {
        let found = try await book.add("Ada")
        _ = try await folder.book().update(id: found.id) { $0.isFavorite = true }
        let changed = try await book.update(id: found.id) { $0.notes = "tall" }
        #expect(changed.isFavorite)
        #expect(try await book.everybody == [changed])
    }

    @Test func eachChangeCountsTheVersionUpAndWhatStaysTheSameDoesNot() async throws {
        let added = try await book.add("Ada")
        let changed = try await book.update(id: added.id) { $0.notes = "tall" }
        let same = try await book.update(id: added.id) { $0.notes = "tall" }
        let favorite = try await book.setFavorite(id: added.id, true)
        #expect([added, changed, same, favorite].map(\.version) == [1, 2, 2, 3])
        #expect(favorite.notes == "tall")
        #expect(try await book.everybody == [favorite])
    }

    @Test func aChangeOrDeletionForAnOlderVersionIsRefusedAndTellsBothVersions() async throws {
        let found = try await book.add("Ada")
        let theirs = try await folder.book().update(id: found.id) { $0.notes = "tall" }
        for write in [
            { @Sendable in _ = try await book.update(id: found.id, ifVersion: found.version) { $0.notes = "short" } },
            { @Sendable in try await book.delete(id: found.id, ifVersion: found.version) },
            // As it is already: the client does not know that.
            { @Sendable in _ = try await book.update(id: found.id, ifVersion: found.version) { $0.notes = "tall" } },
        ] {
            let error = await #expect(throws: StorageError.self) { try await write() }
            guard case .conflict(_, found.id, expected: 1, found: 2) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(try await book.everybody == [theirs])
        }
        try await book.delete(id: found.id, ifVersion: theirs.version)
        #expect(try await book.everybody.isEmpty)
    }

    @Test func aFavouriteThatIsNotInTheBookIsAProblem() async throws {
        await #expect(throws: BookProblem.self) { try await book.setFavorite(id: "none", true) }
        #expect(try await book.everybody.isEmpty)
    }

    @Test func aBookOfBeforeThereWereVersionsIsOpenedAndItsContactsHaveTheFirst() async throws {
        let file = folder.url.appendingPathComponent("old.sqlite")
        let old = try DatabaseQueue(path: file.path)
        try await old.write { db in try db.execute(sql: Self.bookWithoutVersions) }
        try old.close()
        let book = try ContactBook(at: file)
        let ada = try #require(try await book.everybody.first)
        #expect([ada.name, ada.email, "\(ada.version)"] == ["Ada", "ada@example.com", "1"])
        #expect(try await book.update(id: ada.id, ifVersion: 1) { $0.notes = "tall" }.version == 2)
        #expect(try await book.add("Ben").version == 1)
    }

    /// What the program wrote until then, for `add --name Ada --email ada@example.com`.
    private static let bookWithoutVersions = """
        CREATE TABLE "contacts" ("id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "email" TEXT, "phone" TEXT, "otherEmails" TEXT,
            "otherPhones" TEXT, "company" TEXT, "birthdayText" TEXT, "address" TEXT, "website" TEXT, "labels" TEXT,
            "notes" TEXT, "isFavorite" BOOLEAN NOT NULL, "createdAt" DATETIME NOT NULL, "nameKey" TEXT NOT NULL,
            "emailKey" TEXT, "companyKey" TEXT, "birthdayKey" TEXT, "searchText" TEXT NOT NULL,
            "updatedAt" DATETIME NOT NULL);
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        CREATE INDEX contacts_nameKey ON contacts (nameKey);
        CREATE INDEX contacts_emailKey ON contacts (emailKey);
        CREATE INDEX contacts_companyKey ON contacts (companyKey);
        CREATE INDEX contacts_birthdayKey ON contacts (birthdayKey);
        CREATE INDEX contacts_createdAt ON contacts (createdAt);
        INSERT INTO grdb_migrations VALUES
            ('auto_schema_3242d2cf:{"contacts":["name","isFavorite","createdAt","nameKey","searchText","updatedAt"]}'),
            ('auto_schema_3242d2cf'), ('2026-01_sorting');
        INSERT INTO contacts (id, name, email, isFavorite, createdAt, nameKey, emailKey, searchText, updatedAt) VALUES
            ('835e4ae24c480034a3860737f581fe20', 'Ada', 'ada@example.com', 0, '2026-11-24 13:32:09.8457861', 'ada',
            'ada@example.com', 'ada' || char(10) || 'ada@example.com', '2026-11-24 13:32:09.8457861');
        """

    @Test func oneContactIsNotAddedTwice() async throws {
        try await book.add("Ada Quill", email: "ada@example.com")
        await #expect(throws: BookProblem.self) {
            try await book.add("ada  quill", email: "ADA@example.com")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func ofManyWhoAddOneContactAtOneTimeOneSucceeds() async throws {
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let writer = Task {
            try await book.context.storage.dbActor.write { _ in
                begin.yield()
                gate.wait()
            }
        }
        _ = await begins.first { _ in true }
        // None can write yet; whoever looks before writing sees an empty book.
        let adders = (0..<4).map { number in
            Task { try await book.add("Ada", email: "ada@example.com", company: "\(number)") }
        }
        for _ in 0..<100 { #expect(try await book.storage.count(Contact.self) == 0) }
        gate.signal()
        try await writer.value
        var added: [Contact] = []
        for adder in adders {
            if case .success(let contact) = await adder.result { added.append(contact) }
        }
        #expect(added.count == 1)
        #expect(try await book.everybody == added)
    }

    @Test func aDeletedContactIsGoneAndCannotBeDeletedAgain() async throws {
        let ada = try await book.add("Ada")
        try await book.add("Ben")
        try await book.delete(id: ada.id)
        #expect(try await book.everybody.map(\.name) == ["Ben"])
        await #expect(throws: BookProblem.self) { try await book.delete(id: ada.id) }
    }

    @Test func deletingTakesAllOrNone() async throws {
        let ada = try await book.add("Ada")
        let ben = try await book.add("Ben")
        await #expect(throws: BookProblem.self) { try await book.delete(idPrefixes: [ada.id, "nobody"]) }
        #expect(try await book.everybody.count == 2)
        let deleted = try await book.delete(idPrefixes: [String(ben.id.prefix(12)), ben.id])
        #expect(deleted == [ben])
        #expect(try await book.everybody == [ada])
    }

    @Test func aPrefixFindsTheOneContactItBegins() async throws {
        let ada = try await book.add("Ada")
        #expect(try await book.contact(idPrefix: ada.id.prefix(6).uppercased()) == ada)
    }

    @Test func anEmptyPrefixFindsNobody() async throws {
        let ada = try await book.add("Ada")
        await #expect(throws: BookProblem.self) { try await book.delete(idPrefixes: [""]) }
        #expect(try await book.everybody == [ada])
    }

    @Test func aPrefixOfSeveralIdsIsRefusedAndNamesThem() async throws {
        for number in 1...17 { try await book.add("Person \(number)") }
        // Seventeen ids, sixteen digits.
        let prefixes = Dictionary(grouping: try await book.everybody) { String($0.id.prefix(1)) }
        let shared = try #require(prefixes.first { $0.value.count > 1 })
        let problem = await #expect(throws: BookProblem.self) { try await book.contact(idPrefix: shared.key) }
        let message = try #require(problem?.errorDescription)
        #expect(message.contains("several contacts"))
        for contact in shared.value.prefix(2) { #expect(message.contains(contact.id) || shared.value.count > 5) }
    }

    @Test func statisticsCountAndRank() async throws {
        try await book.add("A", email: "a@example.org", company: "Kettle", birthday: "1990-03-01")
        try await book.add("B", email: "b@Example.org", company: "kettle", birthday: "--12-31")
        try await book.add("C", phone: "1", birthday: "1980-06-01")
        let statistics = try await book.statistics(dayOfYear: "06-01")
        #expect(
            statistics.counts
                == BookStatistics.Counts(contacts: 3, favorites: 0, withEmail: 2, withPhone: 1, withBirthday: 3))
        #expect(statistics.topCompanies == [BookStatistics.Share(name: "Kettle", count: 2)])
        #expect(statistics.topDomains == [BookStatistics.Share(name: "example.org", count: 2)])
        #expect(statistics.nextBirthdays.map(\.name) == ["C", "B", "A"])
    }

    @Test(.timeLimit(.minutes(10)))
    func aFeedHearsOfItsOwnAndOfAnotherConnectionsCommits() async throws {
        let other = try folder.book()
        var lists = book.changes(Listing()).makeAsyncIterator()
        #expect(try await lists.next()?.count == 0)
        try await book.add("Ada")
        #expect(try await lists.next()?.count == 1)
        try await other.add("Ben")
        #expect(try await lists.next()?.count == 2)
    }

    @Test(.timeLimit(.minutes(10)))
    func aFeedThatCannotReadEndsWithTheError() async throws {
        let other = try folder.book()
        let lists = book.changes(Listing())
        #expect(try await lists.first { _ in true }?.count == 0)
        try await other.context.storage.pool.write { try $0.execute(sql: "ALTER TABLE contacts RENAME TO others") }
        await #expect(throws: StorageError.self) { for try await _ in lists {} }
    }
}
