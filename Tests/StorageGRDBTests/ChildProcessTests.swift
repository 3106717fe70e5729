import StorageKit
import StorageTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ChildProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aLineThatDoesNotComeIsAFailureInTime() async throws {
        let child = try ChildProcess("start", folder.file().path, "new")
        try await child.line("ready")
        let error = await thrownError { try await child.line("done", within: .milliseconds(10)) }
        guard case ChildProcess.Failure.timedOut("line 'done'", ["ready"]) = try #require(error) else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func aProcessThatEndsBeforeItsLineIsAFailureAtOnce() async throws {
        let child = try ChildProcess("nonsense")
        let error = await thrownError { try await child.line("ready") }
        guard case ChildProcess.Failure.ended(.code(1), _, let said) = try #require(error) else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(said.first?.hasPrefix("failed: ") == true)
    }

    @Test func aKilledProcessSaysWhatKilledIt() async throws {
        let child = try ChildProcess("start", folder.file().path, "new")
        try await child.line("ready")
        child.kill()
        #expect(try await child.exit() == .signal(SIGKILL))
        child.kill()
    }

    @Test func closingTheInputReachesTheProcess() async throws {
        let child = try ChildProcess("start", folder.file().path, "new")
        try await child.line("ready")
        child.closeInput()
        #expect(try await child.exit() == .code(0))
        #expect(throws: ChildProcess.Failure.self) { try child.send("go") }
    }

    @Test func aProcessDoesNotOutliveItsValue() async throws {
        try Library.make(at: folder.file(), books: 1)
        try await {
            let child = try ChildProcess("hold-lock", folder.file().path, "write")
            try await child.line("locked")
        }()
        // Waits for the lock, and gets it.
        try Library.upgrade(folder.file(), to: .new)
    }
}
