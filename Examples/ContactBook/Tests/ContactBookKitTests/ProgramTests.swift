import Foundation
import Testing

@testable import ContactBookKit
@testable import ContactBookModel

/// What only a process of its own can show.
@Suite(.timeLimit(.minutes(3)))
struct ProgramTests {
    private let folder: TemporaryFolder
    private let bookPath: String

    init() throws {
        folder = try TemporaryFolder()
        bookPath = folder.path("book.sqlite")
    }

    @Test(arguments: [
        ["nonsense"], ["list", "--sort", "shoesize"], ["add"], ["list", "--limit", "-1"], ["edit", "1"],
        ["call", "3f", "--seconds=-1"], ["call", "3f", "--at", "noon"], ["watch", "--for-changes", "0"],
    ])
    func aCommandLineThatIsNotUnderstoodEndsWithTwo(arguments: [String]) async throws {
        let result = try await Program.run(arguments)
        #expect(result.status == 2)
        #expect(result.error.contains("Usage:"))
        #expect(result.output.isEmpty)
    }

    @Test func aCommandThatFailsEndsWithOneAndSaysWhy() async throws {
        let text = try folder.file(named: "text.sqlite", String(repeating: "no database ", count: 100))
        let noDatabase = try await Program.run(["list", "--file", text])
        #expect(noDatabase.status == 1)
        #expect(noDatabase.error.contains("is not an SQLite database"))
        let noFile = try await Program.run(["import", "--file", bookPath, folder.path("none.csv")])
        #expect(noFile.status == 1)
        #expect(noFile.error.contains("none.csv: there is no such file"))
        #expect(!FileManager.default.fileExists(atPath: bookPath))
    }

    @Test func aWrongRowEndsWithOneAndFileLineAndColumn() async throws {
        let path = try folder.file("Name,Birthday\nAda,2020-13-45\n")
        let result = try await Program.run(["import", "--file", bookPath, path])
        #expect(result.status == 1)
        #expect(result.error.hasPrefix("\(path):2: column 'Birthday': '2020-13-45' is not a date\n"))
    }

    @Test func anErrorSendsNoControlCharactersOfAFile() async throws {
        let path = try folder.file("Name,Birthday\nAda,\u{1B}[31msoon\u{9B}5m\n")
        let result = try await Program.run(["import", "--file", bookPath, path])
        #expect(result.error.hasPrefix("\(path):2: column 'Birthday': ' [31msoon 5m' is not a date\n"))
    }

    @Test func anEditForAnOlderVersionEndsWithOneAndSaysWhatThereIs() async throws {
        let book = try folder.book()
        let ada = try await book.add("Ada")
        let edit = ["edit", ada.id, "--notes", "tall", "--if-version", "1", "--file", bookPath]
        let first = try await Program.run(edit)
        #expect(first.output == ["Changed Ada (\(ada.id.prefix(8)))"])
        let second = try await Program.run(edit)
        #expect(second.status == 1)
        #expect(second.error.contains("has version 2 and no longer 1: somebody changed it meanwhile"))
    }

    @Test func whatSeveralProcessesEditAtOneTimeIsAllKept() async throws {
        let book = try folder.book()
        let id = try await book.add("Ada").id
        let commands = [
            ["edit", id, "--phone", "1"], ["edit", id, "--company", "Kettle"], ["edit", id, "--notes", "tall"],
            ["favorite", id], ["edit", id, "--email", "ada@example.com"],
        ]
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for command in commands {
                group.addTask { try await Program.run(command + ["--file", bookPath]).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [0, 0, 0, 0, 0])
        let ada = try #require(try await book.everybody.first)
        #expect([ada.phone, ada.company, ada.notes, ada.email] == ["1", "Kettle", "tall", "ada@example.com"])
        #expect(ada.isFavorite)
        #expect(ada.version == 6)
    }

    @Test func helpAndSuccessEndWithZero() async throws {
        let help = try await Program.run(["import", "--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("Example:"))
        let added = try await Program.run(["--file", bookPath, "add", "--name", "Ada", "--birthday=--12-10"])
        #expect(added.status == 0)
        #expect(try await folder.book().everybody.map(\.birthdayText) == ["--12-10"])
    }

    @Test func jsonIsReadByOtherPrograms() async throws {
        try await folder.book().add("Ada \"Q\"\n漢", email: "ada@example.com")
        let result = try await Program.run(["list", "--json", "--file", bookPath])
        let data = Data(result.output.joined(separator: "\n").utf8)
        let objects = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(objects.first?["name"] as? String == "Ada \"Q\"\n漢")
        #expect(objects.first?["phone"] is NSNull)
    }

    @Test func anImportThatIsKilledKeepsWhatItReportedAndIsCompletedByTheNext() async throws {
        let csv = folder.path("contacts.csv")
        try SampleContacts.write(count: 20_000, to: csv, seed: 9)
        var reported = 0
        let killed = try await Program.run(["import", "--verbose", "--file", bookPath, csv]) { line, id in
            reported = Int(line.dropFirst("committed ".count)) ?? reported
            if reported >= 4000 { kill(id, SIGKILL) }
        }
        #expect(killed.wasKilled)
        #expect(try await folder.book().everybody.count >= reported)
        let again = try await Program.run(["import", "--file", bookPath, csv])
        #expect(again.status == 0)
        #expect(try await folder.book().everybody.count == 20_000)
    }

    @Test func watchShowsWhatAnotherProcessWrites() async throws {
        let book = try folder.book()
        let result = try await Program.run(["watch", "--for-changes", "3", "--file", bookPath]) { line, _ in
            if line == "0 contacts" { try await book.add("Ada") }
            if line == "1 contact" { try await book.add("Ben") }
        }
        #expect(result.status == 0)
        #expect(result.output.filter { $0.contains("contact") } == ["0 contacts", "1 contact", "2 contacts"])
        #expect(result.output.last?.hasSuffix("Ben") == true)
    }

    @Test func watchEndsCleanlyWhenItIsInterrupted() async throws {
        let result = try await Program.run(["watch", "--file", bookPath]) { _, id in kill(id, SIGINT) }
        #expect(result.status == 0)
        #expect(!result.wasKilled)
        #expect(result.error.isEmpty)
    }

    #if os(Linux)
    /// The full size is 100,000; CONTACTBOOK_TEST_CONTACTS sets another where that takes too long.
    @Test func theMemoryOfAnImportDoesNotGrowWithTheFile() async throws {
        let large = ProcessInfo.processInfo.environment["CONTACTBOOK_TEST_CONTACTS"].flatMap(Int.init) ?? 100_000
        let small = try await peakMemory(importing: 10_000)
        let big = try await peakMemory(importing: large)
        #expect(big < small + 30 << 10, "10,000 contacts: \(small) KB, \(large) contacts: \(big) KB")
    }

    /// The most memory that the import had in use, in KB, as Linux kept count at its last commit.
    private func peakMemory(importing count: Int) async throws -> Int {
        let csv = folder.path("\(count).csv")
        try SampleContacts.write(count: count, to: csv, seed: 2)
        var peak = 0
        let book = folder.path("\(count).sqlite")
        let result = try await Program.run(["import", "--verbose", "--file", book, csv]) { _, id in
            let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = line.flatMap { Int($0.filter(\.isASCIIDigit)) } ?? peak
        }
        #expect(result.output.last?.hasPrefix("Imported \(count) contacts (\(count) new, 0 changed)") == true)
        #expect(peak > 0)
        return peak
    }
    #endif
}
