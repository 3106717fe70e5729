import StorageKit
import StorageTestSupport
import Testing

/// Upgrades on a disk that is full at some point: the process may make no file larger than a limit.
@Suite(.timeLimit(.minutes(20))) struct FullDiskTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let before: DatabaseDump

    /// Enough rows that SQLite cannot keep the changes in memory until the commit.
    private static let original = Result {
        let folder = try TemporaryFolder()
        try Library.make(at: folder.file(), books: 20_000)
        return (dump: try DatabaseDump(of: folder.file()), bytes: try Data(contentsOf: folder.file()))
    }

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
        let original = try FullDiskTests.original.get()
        try original.bytes.write(to: file)
        before = original.dump
    }

    /// From the first pages of the log to most of it.
    private static let limits = (0..<5).map { 40_000 + $0 * 500_000 }

    @Test(arguments: limits) func aMigrationThatTheDiskHasNoRoomForFailsAndLeavesTheFileAsItWas(bytes: Int) async throws
    {
        let child = try ChildProcess("start", file.path, "new", "--limit-files", "\(bytes)")
        try await child.line("ready")
        try child.send("go")
        let id = try await child.line("failed: migrationFailed ")
        let reason = try await child.line("reason: ")
        #expect(!id.isEmpty)
        #expect(reason.contains("disk"), "\(reason)")
        #expect(try await child.exit() == .code(2))
        #expect(!child.said.contains { $0.hasPrefix("log: ") }, "\(child.said)")

        #expect(try Library.integrity(of: file) == ["ok"])
        let found = try DatabaseDump(of: file)
        #expect(found == before, "\(found.firstDifference(from: before))")
        try Library.upgrade(file, to: .new)
        #expect(try Library.runs(in: file) == LibrarySchema.runsOfAnUpgrade)
    }

    @Test func aDiskWithNoRoomToOpenTheFileIsReportedAndLeavesItAsItWas() async throws {
        let child = try ChildProcess("start", file.path, "new", "--limit-files", "1000")
        try await child.line("ready")
        try child.send("go")
        try await child.line("failed: ")
        #expect(try await child.exit() == .code(2))
        let found = try DatabaseDump(of: file)
        #expect(found == before, "\(found.firstDifference(from: before))")
    }
}
