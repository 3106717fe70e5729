import ContactBookModel
import Hummingbird
import StorageKit
import Testing

@testable import ContactServerKit

@Suite(.timeLimit(.minutes(10))) struct ListTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    private func serve(
        _ names: [String], _ body: @Sendable (BookClient) async throws -> Void
    ) async throws {
        try await server.run { client, _ in
            for name in names { try await client.add(#"{"name": "\#(name)"}"#) }
            try await body(client)
        }
    }

    @Test func anEmptyBookIsAnEmptyPage() async throws {
        try await serve([]) { client in
            let reply = try await client.send(.get, "/contacts")
            #expect(reply.status == 200)
            #expect(reply.header("Content-Type")?.hasPrefix("application/json") == true)
            #expect(reply.text == "{\"contacts\":[]}\n")
        }
    }

    @Test func noAnswerIsToBeKept() async throws {
        try await serve([]) { client in
            for path in ["/contacts", "/contacts/none"] {
                let reply = try await client.send(.get, path)
                #expect(reply.header("Cache-Control") == "no-store", "\(path)")
            }
        }
    }

    @Test func aPageHasFiftyContactsUnlessTheClientSaysOtherwise() async throws {
        try await server.run { client, book in
            for number in 0..<51 { _ = try await book.add(ContactDetails(name: "\(number)"), isFavorite: false) }
            let first = try await client.page()
            #expect(first.names.count == 50)
            #expect(try await client.page("?after=\(first.next ?? "")").names.count == 1)
        }
    }

    @Test func pagesFollowEachOtherWithoutGapOrRepetition() async throws {
        try await serve(["Eve", "Ada", "Dan", "Ben", "Cy"]) { client in
            let first = try await client.page("?limit=2")
            let second = try await client.page("?limit=2&after=\(first.next ?? "")")
            let third = try await client.page("?limit=2&after=\(second.next ?? "")")
            #expect([first.names, second.names, third.names] == [["Ada", "Ben"], ["Cy", "Dan"], ["Eve"]])
            #expect(third.next == nil)
        }
    }

    @Test func aContactAddedMeanwhileShiftsNoPage() async throws {
        try await serve(["Ada", "Ben", "Cy"]) { client in
            let first = try await client.page("?limit=2")
            try await client.add(#"{"name": "Abe"}"#)
            #expect(try await client.page("?limit=2&after=\(first.next ?? "")").names == ["Cy"])
        }
    }

    @Test(arguments: [("company", "BAC"), ("company&descending=true", "ABC"), ("name&descending=true", "CBA")])
    func contactsWithoutAValueComeLastOnPagesToo(order: String, expected: String) async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "A", "company": "Zeta"}"#)
            try await client.add(#"{"name": "B", "company": "alpha"}"#)
            try await client.add(#"{"name": "C"}"#)
            var names: [String] = []
            var next: String?
            repeat {
                let page = try await client.page("?limit=1&order=\(order)" + (next.map { "&after=\($0)" } ?? ""))
                names += page.names
                next = page.next
            } while next != nil && names.count < 10
            #expect(names.joined() == expected)
        }
    }

    @Test func aSearchIgnoresCaseAndAccents() async throws {
        try await serve(["Hana Nováková", "Ada"]) { client in
            let found = try await client.page("?q=NOVAKOVA%20hana").names
            let plus = try await client.page("?q=nova+hana").names
            let percent = try await client.page("?q=%25").names
            #expect(found == ["Hana Nováková"])
            #expect(plus == ["Hana Nováková"])
            #expect(percent == [])
        }
    }

    @Test func aPlusThatIsPercentEncodedIsAPlus() async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "Ada", "phone": "+1 202"}"#)
            try await client.add(#"{"name": "Ben", "phone": "1 202"}"#)
            #expect(try await client.page("?q=%2B1").names == ["Ada"])
        }
    }

    @Test func behindTheFirstAnEqualsSignIsPartOfTheValue() async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "X", "company": "7=8"}"#)
            try await client.add(#"{"name": "Y", "company": "7"}"#)
            #expect(try await client.page("?q=7=8").names == ["X"])
        }
    }

    @Test func aSearchMayBeAsLongAsTheLimit() async throws {
        try await serve(["Ada"]) { client in
            let page = try await client.send(.get, "/contacts?q=" + String(repeating: "a", count: 200))
            #expect(page.status == 200)
        }
    }

    @Test func favouritesAloneCanBeAskedFor() async throws {
        try await server.run { client, _ in
            try await client.add(#"{"name": "A"}"#)
            try await client.add(#"{"name": "B", "isFavorite": true}"#)
            #expect(try await client.page("?favorites=true").names == ["B"])
            #expect(try await client.page("?favorites=false").names == ["A", "B"])
        }
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=201", "limit"), ("limit=ten", "limit"), ("limit=", "limit"),
        ("order=age", "order"),
        ("descending=yes", "descending"), ("favorites=1", "favorites"), ("after=!!", "after"), ("after=", "after"),
        ("page=2", "page"), ("limit=1&limit=2", "limit"), ("q=%ff", "q"), ("q=%zz", "q"), ("%6Cimit=0", "limit"),
        ("q=" + String(repeating: "a", count: 201), "q"),
    ])
    func aParameterThatCannotBeMeantIsNamed(parameters: String, name: String) async throws {
        try await serve([]) { client in
            let reply = try await client.send(.get, "/contacts?" + parameters)
            #expect(reply.status == 400)
            #expect(reply.problem?.field == name)
        }
    }

    @Test func aCursorOfAnotherOrderIsRefused() async throws {
        try await serve(["Ada", "Ben"]) { client in
            let next = try #require(try await client.page("?limit=1").next)
            let reply = try await client.send(.get, "/contacts?order=created&after=\(next)")
            #expect(reply.status == 400)
            #expect(reply.problem?.field == "after")
        }
    }
}
