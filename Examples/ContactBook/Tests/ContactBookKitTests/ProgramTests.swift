import Foundation
import Testing

@testable import ContactBookKit
@testable import ContactBookModel

/// What only a process of its own can show.
@Suite(.timeLimit(.minutes(10)))
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

    @Test(arguments: [
        ["edit", "1", "--birthday", "soon"], ["edit", "1", "--name", " "], ["add", "--name", " "], ["search", " "],
    ])
    func aValueThatCannotBeMeantEndsWithTwoAndMakesNoBook(arguments: [String]) async throws {
        let result = try await Program.run(arguments + ["--file", bookPath])
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: bookPath))
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

    @Test func aFolderIsNoFileToImportAndLeavesNoBookBehind() async throws {
        let result = try await Program.run(["import", "--file", bookPath, folder.url.path])
        #expect(result.status == 1)
        #expect(result.error.contains("this is a folder"))
        #expect(!FileManager.default.fileExists(atPath: bookPath))
    }

    /// So many contacts that some are saved before the last row, which is wrong.
    private func fileThatEndsWrong() throws -> String {
        let path = folder.path("contacts.csv")
        try SampleContacts.write(count: 4000, to: path, seed: 1)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try folder.file(text + "Last,,,,31 May,,,last@example.com,,,,\n")
    }

    @Test func anImportThatEndsEarlySaysHowManyContactsStay() async throws {
        let result = try await Program.run(["import", "--file", bookPath, try fileThatEndsWrong()])
        let count = try await folder.book().everybody.count
        #expect(count > 0)
        #expect(result.error.contains("\nThe \(count) contacts imported before stay"))
    }

    @Test func theBarOfAnImportIsGoneBeforeItsErrorIsShown() async throws {
        let path = try fileThatEndsWrong()
        let result = try await Program.run(["import", "--progress", "bar", "--file", bookPath, path])
        #expect(result.error.contains("\r\u{1B}[K\(path):"))
    }

    @Test func aFileThatIsThereIsReplacedByForceOnly() async throws {
        let path = try folder.file(named: "mine.csv", "mine")
        let refused = try await Program.run(["generate", "1", path])
        #expect(refused.status == 1)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        let forced = try await Program.run(["generate", "1", path, "--force"])
        #expect(forced.status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("First Name,"))
    }

    @Test func anErrorSendsNoControlCharactersOfAFile() async throws {
        let path = try folder.file("Name,Birthday\nAda,\u{1B}[31msoon\u{9B}5m\n")
        let result = try await Program.run(["import", "--file", bookPath, path])
        #expect(result.error.hasPrefix("\(path):2: column 'Birthday': '\\u{1B}[31msoon\\u{9B}5m' is not a date\n"))
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

    @Test(arguments: ["--phone", "--birthday"])
    func anEmptyTextRemovesWhatThereWas(option: String) async throws {
        let book = try folder.book()
        let ada = try await book.add("Ada", phone: "1", birthday: "1815-12-10")
        let result = try await Program.run(["edit", ada.id, option, "", "--file", bookPath])
        #expect(result.status == 0)
        let changed = try #require(try await book.everybody.first)
        #expect(changed.phone == (option == "--phone" ? nil : "1"))
        #expect(changed.birthdayText == (option == "--birthday" ? nil : "1815-12-10"))
    }

    @Test func aFavouriteIsOneNoLongerWhenItIsTurnedOff() async throws {
        let book = try folder.book()
        let ada = try await book.setFavorite(id: try await book.add("Ada").id, true)
        let result = try await Program.run(["favorite", ada.id, "--off", "--file", bookPath])
        #expect(result.status == 0)
        #expect(try await book.everybody.map(\.isFavorite) == [false])
    }

    @Test func aContactMayBeAddedAsAFavourite() async throws {
        let result = try await Program.run(["add", "--name", "Ada", "--favorite", "--file", bookPath])
        #expect(result.status == 0)
        #expect(try await folder.book().everybody.map(\.isFavorite) == [true])
    }

    @Test func outerSpaceIsNoPartOfWhatIsAdded() async throws {
        let result = try await Program.run(["add", "--name", " Ada ", "--phone", " 1\n", "--file", bookPath])
        #expect(result.status == 0)
        let ada = try #require(try await folder.book().everybody.first)
        #expect([ada.name, ada.phone] == ["Ada", "1"])
    }

    @Test func aSearchShowsThoseWhoHaveEveryWord() async throws {
        let book = try folder.book()
        try await book.add("Ben Quill", company: "Kettle")
        try await book.add("Ben Star", company: "Spout")
        let result = try await Program.run(["search", "ben", "kettle", "--file", bookPath])
        #expect(result.output.count == 2)
        #expect(result.output.last?.contains("Ben Quill") == true)
    }

    @Test func whatAnEmptyListSuggestsIsNoLineOfTheList() async throws {
        let result = try await Program.run(["list", "--file", bookPath])
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(result.error.hasPrefix("No contacts."))
    }

    @Test func aListKeepsToItsOptions() async throws {
        let book = try folder.book()
        for (name, company) in [("Ada", "Kettle"), ("Ben", "Spout"), ("Cy", "Zinc")] {
            let contact = try await book.add(name, company: company)
            if name != "Cy" { _ = try await book.setFavorite(id: contact.id, true) }
        }
        let options = ["--sort", "company", "--descending", "--limit", "1", "--favorites"]
        let result = try await Program.run(["list"] + options + ["--file", bookPath])
        #expect(result.output.count == 2)
        #expect(result.output.last?.contains("Ben") == true)
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
        let (pipe, feeder) = try fed(csv)
        defer { feeder.kill() }
        var reported = 0
        let killed = try await Program.run(["import", "--verbose", "--file", bookPath, pipe]) { line, id in
            reported = Int(line.dropFirst("committed ".count)) ?? reported
            if reported >= 4000 { kill(id, SIGKILL) }
        }
        #expect(killed.wasKilled)
        #expect(try await folder.book().everybody.count >= reported)
        let again = try await Program.run(["import", "--file", bookPath, csv])
        #expect(again.status == 0)
        #expect(try await folder.book().everybody.count == 20_000)
    }

    /// A named pipe that gives what is in a file and then stays open: an import of it cannot end before a test has looked.
    ///
    /// - Returns: The pipe, and the program that keeps it open. Without that one the pipe ends behind the file.
    private func fed(_ csv: String) throws -> (pipe: String, feeder: RunningProgram) {
        let pipe = folder.path("pipe-\(UUID().uuidString).csv")
        try #require(mkfifo(pipe, 0o600) == 0)
        let script = #"{ cat "$0"; exec sleep 3600; } > "$1""#
        let feeder = try RunningProgram("/bin/sh", ["-c", script, csv, pipe], errorPath: folder.path("feeder.txt"))
        return (pipe, feeder)
    }

    @Test func anImportReadsANamedPipe() async throws {
        let pipe = folder.path("pipe.csv")
        try #require(mkfifo(pipe, 0o600) == 0)
        let script = #"printf 'Name\nAda\n' > "$0""#
        let writer = try RunningProgram("/bin/sh", ["-c", script, pipe], errorPath: folder.path("error.txt"))
        defer { writer.kill() }
        let result = try await Program.run(["import", "--file", bookPath, pipe])
        #expect(result.output == ["Imported 1 contact (1 new, 0 changed) from \(pipe)"])
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

    @Test func watchShowsTheListThatItWasAskedFor() async throws {
        let book = try folder.book()
        _ = try await book.setFavorite(id: try await book.add("Ada").id, true)
        _ = try await book.setFavorite(id: try await book.add("Ben").id, true)
        try await book.add("Cid")
        let result = try await Program.run([
            "watch", "--favorites", "--limit", "1", "--for-changes", "1", "--file", bookPath,
        ])
        #expect(result.output.first == "2 contacts")
        #expect(result.output.count == 3)
        #expect(result.output.last?.hasSuffix("Ada") == true)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func watchEndsCleanlyWhenItIsInterrupted(by signal: Int32) async throws {
        let result = try await Program.run(["watch", "--file", bookPath]) { _, id in kill(id, signal) }
        #expect(result.status == 0)
        #expect(!result.wasKilled)
        #expect(result.error.isEmpty)
    }

    @Test func aSecondInterruptEndsAWatchWhoseReaderStandsStill() async throws {
        // Far more than a pipe holds.
        let csv = folder.path("contacts.csv")
        try SampleContacts.write(count: 5000, to: csv, seed: 1)
        _ = try await Program.run(["import", "--file", bookPath, csv])
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        // Open to be read, and not read.
        let reader = open(pipe, O_RDWR)
        try #require(reader >= 0)
        defer { close(reader) }
        let watch = try RunningProgram(
            "/bin/sh",
            [
                "-c", #"exec "$0" watch --file "$1" > "$2""#, try BuiltProgram.url("contactbook").path, bookPath, pipe,
            ], errorPath: folder.path("watch.txt"))
        defer { watch.kill() }
        // Once the first byte is there, the list is being written, and the signals are heard.
        let head = try RunningProgram(
            "/bin/sh", ["-c", #"head -c 1 "$0""#, pipe], errorPath: folder.path("head.txt"))
        defer { head.kill() }
        for await _ in head.lines {}
        // Two signals that come at once are heard as one, so that they are sent until it ends.
        let signals = Task {
            while !Task.isCancelled {
                watch.send(SIGINT)
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        for await _ in watch.lines {}
        signals.cancel()
        #expect(watch.status == 130)
    }

    #if os(Linux)
    /// The full size is 100,000; CONTACTBOOK_TEST_CONTACTS sets another where that takes too long.
    @Test func theMemoryOfAnImportDoesNotGrowWithTheFile() async throws {
        let large = ProcessInfo.processInfo.environment["CONTACTBOOK_TEST_CONTACTS"].flatMap(Int.init) ?? 100_000
        let small = try await peakMemory(importing: 10_000)
        let big = try await peakMemory(importing: large)
        #expect(big < small + 30 << 10, "10,000 contacts: \(small) KB, \(large) contacts: \(big) KB")
    }

    /// The most memory that the import had in use, in KB, as Linux kept count near its end.
    private func peakMemory(importing count: Int) async throws -> Int {
        let csv = folder.path("\(count).csv")
        try SampleContacts.write(count: count, to: csv, seed: 2)
        let (pipe, feeder) = try fed(csv)
        defer { feeder.kill() }
        var peak = 0
        let book = folder.path("\(count).sqlite")
        let result = try await Program.run(["import", "--verbose", "--file", book, pipe]) { report, id in
            let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = line.flatMap { Int($0.filter(\.isASCIIDigit)) } ?? peak
            // Of a pipe that stays open the import holds back less than a chunk and a block, some 4,000 contacts.
            let committed = Int(report.dropFirst("committed ".count)) ?? 0
            if committed >= count - 5000 { feeder.kill() }
        }
        #expect(result.output.last?.hasPrefix("Imported \(count) contacts (\(count) new, 0 changed)") == true)
        #expect(peak > 0)
        return peak
    }
    #endif
}
