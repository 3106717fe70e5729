import Foundation
import Testing

@testable import StorageToolKit

@Suite struct TerminalTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
    }

    /// It would take minutes if each line were filled up and shortened again.
    @Test(.timeLimit(.minutes(5))) func aShortTextInAWideColumnIsNotFilledUp() {
        for _ in 0..<2000 {
            #expect(TextTable.line(["1", "x", ""], widths: [1, 1, 1_000_000]) { $0 == 0 } == "1  x")
        }
    }

    #if os(Linux)
    /// Runs the program with its standard output on a terminal of its own.
    ///
    /// - Parameter isSilent: Whether it writes nothing there, for which a read would wait.
    private func output(
        _ arguments: [String], _ environment: [String: String] = [:], isSilent: Bool = false
    ) throws -> String {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (unlocked, number): (Int32, Int32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        try #require(terminal >= 0 && ioctl(terminal, 0x4004_5431, &unlocked) == 0)
        try #require(ioctl(terminal, 0x8004_5430, &number) == 0)
        let name = "/dev/pts/\(number)"
        let process = Process()
        process.executableURL = try BuiltProgram.url("storagekit")
        process.arguments = arguments
        process.environment = ["TERM": "xterm"].merging(environment) { $1 }
        process.standardOutput = FileHandle(fileDescriptor: open(name, O_RDWR | O_NOCTTY), closeOnDealloc: true)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        // What was written waits in the terminal.
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = isSilent ? 0 : read(terminal, &bytes, bytes.count)
        close(terminal)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func aTerminalGetsColoursUnlessTheyAreTurnedOff() throws {
        #expect(try output(["doctor", path]).contains("\u{1B}[32mok\u{1B}[0m"))
        #expect(try !output(["doctor", path], ["NO_COLOR": "1"]).contains("\u{1B}"))
        #expect(try !output(["doctor", path], ["TERM": "dumb"]).contains("\u{1B}"))
        #expect(try !Program.run("doctor", path).output.contains("\u{1B}"))
    }

    @Test func longTextsAreCutOnATerminalOnly() throws {
        let sql = "SELECT printf('%.*c', 500, 'x') AS a"
        #expect(try output(["query", path, sql]).contains(String(repeating: "x", count: 59) + "…"))
        #expect(try Program.run("query", path, sql).output.contains(String(repeating: "x", count: 500)))
    }

    @Test func aFileThatIsWrittenFromATerminalHasEveryCharacter() throws {
        let path = try folder.database(
            "evil.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('\u{1B}[31m')")
        _ = try output(
            ["export", path, "t", "-o", folder.path("t.csv")], ProcessInfo.processInfo.environment, isSilent: true)
        #expect(try folder.bytes("t.csv") == Data("a\r\n\"\u{1B}[31m\"\r\n".utf8))
    }

    /// What is in a file may come from anywhere; in UTF-8, U+9B begins a command as ESC [ does.
    @Test func noFormatSendsControlCharactersToATerminal() throws {
        let text = "\u{1B}[31m\u{9B}5m\u{202E}\u{7F}"
        let path = try folder.database(
            "evil.sqlite", "CREATE TABLE \"\(text)\" (id TEXT PRIMARY KEY, \"\(text)\" TEXT DEFAULT '\(text)')",
            "INSERT INTO \"\(text)\" VALUES ('\(text)', '\(text)')")
        let formats = ["table", "json", "jsonl", "csv"]
        let commands =
            formats.map { ["query", path, "SELECT *, CAST(x'1BFF' AS TEXT) FROM \"\(text)\"", "--format", $0] }
            + ["jsonl", "csv"].map { ["export", path, text, "--format", $0] }
            + [
                ["inspect", path], ["inspect", path, "--json"], ["schema", path], ["doctor", path, "--json"],
                ["entities", path],
            ]
        for command in commands {
            // The terminal puts carriage returns in.
            let output = String(try output(command, ["TERM": "dumb"]).unicodeScalars.filter { $0 != "\r" })
            #expect(!output.isEmpty, "\(command)")
            #expect(output == Printable.lines(output), "\(command)")
        }
    }
    #endif

    @Test func anErrorSendsNoControlCharacters() throws {
        let path = try folder.database("evil.sqlite", "CREATE TABLE \"\u{1B}[31mred\u{9B}5m\" (a)")
        let error = try Program.run("export", path, "t").error
        #expect(error == "storagekit: there is no table 't'; there are '\\u{1B}[31mred\\u{9B}5m'\n")
    }

    @Test(arguments: ["\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}"])
    func whatTurnsTheWritingDirectionIsEscaped(mark: String) {
        #expect(Printable.line("a\(mark)b").unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test(arguments: [("abc", 3), ("東京", 4), ("e\u{301}", 1), ("👩‍👩‍👧‍👦", 2), ("", 0), ("☎\u{FE0F}", 2)])
    func widthsAreThoseOfATerminal(text: String, width: Int) {
        #expect(TextWidth.of(text) == width)
    }

    @Test(arguments: [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (5 << 30, "5.0 GiB")])
    func amountsHaveTheirUnits(count: Int, text: String) {
        #expect(Amount.bytes(count) == text)
    }
}
