import StorageKit
import StorageKitTesting
import Testing

@testable import ContactBookKit
@testable import ContactBookModel

/// Groups, calls and birthdays.
@Suite struct RelationsTests {
    private let folder: TemporaryFolder
    private let book: ContactBook
    private let day = Date(timeIntervalSince1970: 1_790_000_000)

    init() throws {
        folder = try TemporaryFolder()
        book = try folder.book()
    }

    private func call(
        _ contact: Contact, after seconds: Double, _ direction: PhoneCall.Direction = .outgoing
    ) async throws {
        try await book.log(
            PhoneCall(id: nil, contactId: contact.id, date: day + seconds, direction: direction, seconds: 5))
    }

    // MARK: - Groups

    @Test func aGroupIsFoundByItsNameWithoutCaseAndAccents() async throws {
        let (ada, ben) = (try await book.add("Ada"), try await book.add("Ben"))
        try await book.put([ben.id], intoGroup: "Café")
        let group = try await book.put([ada.id, ben.id], intoGroup: "CAFE")
        #expect(group.name == "Café")
        #expect(try await book.contacts(inGroup: "cafe").map(\.name) == ["Ada", "Ben"])
        #expect(try await book.groups.fetch().map(\.contacts) == [2])
    }

    @Test func aGroupTellsWhenSomebodyOfItWasLastSpokenWith() async throws {
        let (ada, ben) = (try await book.add("Ada"), try await book.add("Ben"))
        try await book.put([ada.id, ben.id], intoGroup: "Choir")
        try await book.put([ada.id], intoGroup: "Work")
        try await book.put([try await book.add("Cy").id], intoGroup: "Alone")
        try await call(ada, after: 1)
        try await call(ben, after: 2)
        let groups = try await book.groups.fetch()
        #expect(groups.map(\.group.name) == ["Alone", "Choir", "Work"])
        #expect(groups.map(\.contacts) == [1, 2, 1])
        #expect(groups.map(\.lastCall) == [nil, day + 2, day + 1])
    }

    @Test func aGroupWhoseLastContactIsDeletedIsGone() async throws {
        let ada = try await book.add("Ada")
        try await book.put([ada.id], intoGroup: "Choir")
        try await book.delete(id: ada.id)
        #expect(try await book.groups.fetch().isEmpty)
        await #expect(throws: BookProblem.self) { try await book.contacts(inGroup: "choir") }
    }

    @Test func aGroupWithoutContactsIsGone() async throws {
        let (ada, ben) = (try await book.add("Ada"), try await book.add("Ben"))
        try await book.put([ada.id, ben.id], intoGroup: "Choir")
        try await book.take([ada.id], outOfGroup: "choir")
        #expect(try await book.contacts(inGroup: "choir") == [ben])
        try await book.take([ben.id], outOfGroup: "choir")
        #expect(try await book.groups.fetch().isEmpty)
        await #expect(throws: BookProblem.self) { try await book.contacts(inGroup: "choir") }
        await #expect(throws: BookProblem.self) { try await book.take([ben.id], outOfGroup: "choir") }
    }

    @Test func ofSomebodyUnknownNothingIsPutIntoAGroup() async throws {
        let ada = try await book.add("Ada")
        await #expect(throws: BookProblem.self) { try await book.put([ada.id, "nobody"], intoGroup: "Choir") }
        #expect(try await book.groups.fetch().isEmpty)
    }

    @Test func aDeletedContactIsInNoGroupAndHasNoCalls() async throws {
        let (ada, ben) = (try await book.add("Ada"), try await book.add("Ben"))
        try await book.put([ada.id, ben.id], intoGroup: "Choir")
        try await call(ada, after: 1)
        try await book.delete(id: ada.id)
        #expect(try await book.contacts(inGroup: "Choir") == [ben])
        #expect(try await book.storage.count(PhoneCall.self) == 0)
    }

    // MARK: - Calls

    @Test func thoseSpokenWithComeByTheirLastCall() async throws {
        let (ada, ben) = (try await book.add("Ada"), try await book.add("Ben"))
        try await book.add("Cy")
        try await call(ada, after: 1)
        try await call(ben, after: 2)
        try await call(ada, after: 3, .missed)
        let calls = try await book.lastCalls(limit: 5)
        #expect(calls.map(\.contact) == [ada, ben])
        #expect(calls.map(\.date) == [day + 3, day + 2])
        #expect(calls.map(\.calls) == [2, 1])
        #expect(calls.map(\.missed) == [1, 0])
        #expect(try await book.lastCalls(limit: 1).map(\.contact) == [ada])
    }

    @Test func aCardShowsGroupsAndTheLastCallsOnly() async throws {
        let ada = try await book.add("Ada")
        try await book.put([ada.id], intoGroup: "Work")
        try await book.put([ada.id], intoGroup: "Choir")
        for seconds in 0..<5 { try await call(ada, after: Double(seconds)) }
        let shown = try #require(try await book.contactWithRelations(id: ada.id))
        #expect(shown.groups.map(\.name) == ["Choir", "Work"])
        #expect(shown.calls.map(\.date) == [day + 4, day + 3, day + 2])
        let lines = ContactCard.lines(shown)
        #expect(lines.contains("Groups:       Choir, Work"))
        #expect(lines.count { $0.hasSuffix("outgoing, 5 s") } == 3)
        #expect(try await book.contactWithRelations(id: "nobody") == nil)
    }

    // MARK: - Birthdays

    @Test func theBirthdaysOfAMonthComeByTheirDay() async throws {
        try await book.add("Late", birthday: "1992-02-29")
        try await book.add("Early", birthday: "--02-03")
        try await book.add("Other", birthday: "1990-12-03")
        try await book.add("Unknown")
        #expect(try await book.birthdays(inMonth: 2).map(\.name) == ["Early", "Late"])
        #expect(try await book.birthdays(inMonth: 12).map(\.name) == ["Other"])
        #expect(try await book.birthdays(inMonth: 7).isEmpty)
    }

    // MARK: - The program

    @Test func theCommandsShowWhatWasWritten() async throws {
        let ada = try await book.add("Ada", birthday: "1990-12-03")
        func run(_ arguments: String...) async throws -> [String] {
            try await Program.run(arguments + ["--file", folder.path("book.sqlite")]).output
        }
        let name = "Ada (\(ada.id.prefix(8)))"
        #expect(try await run("group", "Choir", ada.id) == ["In Choir: \(name)"])
        let time = "2026-11-24T09:30:00Z"
        #expect(
            try await run("call", ada.id, "--direction", "missed", "--at", time) == ["\(name): \(time) missed"])
        #expect(try await run("calls") == ["\(time)  \(name), 1 call, 1 missed"])
        #expect(try await run("groups") == ["Choir  1, last call \(time)"])
        #expect(try await run("groups", "choir").last?.contains("Ada") == true)
        #expect(try await run("birthdays", "--month", "12") == ["1990-12-03  \(name)"])
        #expect(try await run("group", "Choir", ada.id, "--remove") == ["Out of Choir: \(name)"])
        let gone = try await Program.run(["groups", "choir", "--file", folder.path("book.sqlite")])
        #expect(gone.status == 1)
        #expect(gone.error.contains("there is no group 'choir'"))
    }

    @Test func spacesAroundTheNameOfAGroupDoNotCount() async throws {
        try await book.put([try await book.add("Ada").id], intoGroup: "Choir")
        let listed = try await Program.run(["groups", " choir ", "--file", folder.path("book.sqlite")])
        #expect(listed.output.last?.contains("Ada") == true)
    }

    @Test func outerSpaceIsNoPartOfAGroupsName() async throws {
        let ada = try await book.add("Ada")
        let result = try await Program.run(["group", " Choir ", ada.id, "--file", folder.path("book.sqlite")])
        #expect(result.output == ["In Choir: Ada (\(ada.id.prefix(8)))"])
        #expect(try await book.contacts(inGroup: "Choir") == [ada])
    }
}
