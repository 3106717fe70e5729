import StorageKit
import StorageTestSupport
import Testing

/// Starts that cannot succeed: each throws a `StorageError`, and leaves all that the file said as it was.
@Suite(.timeLimit(.minutes(20))) struct MigrationFaultTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private static let impatient = PoolOptions(configure: { $0.busyMode = .immediateError })
    private static let patientForAMoment = PoolOptions(configure: { $0.busyMode = .timeout(0.05) })

    @Test(arguments: ["write", "exclusive"], [impatient, patientForAMoment])
    func aLockedFileIsReportedAndLeftAsItIs(lock: String, pool: PoolOptions) async throws {
        try Library.make(at: file, books: 50)
        let before = try DatabaseDump(of: file)
        let child = try ChildProcess("hold-lock", file.path, lock)
        try await child.line("locked")

        let error = #expect(throws: StorageError.self) { try Library.upgrade(file, to: .new, pool: pool) }
        #expect(error?.localizedDescription.contains("locked") == true, "\(String(describing: error))")

        child.closeInput()
        #expect(try await child.exit() == .code(0))
        #expect(try DatabaseDump(of: file) == before)
        try Library.upgrade(file, to: .new)
        #expect(try Library.runs(in: file) == LibrarySchema.runsOfAnUpgrade)
    }

    @Test func aStartWaitsForALockThatIsReleasedInTime() async throws {
        try Library.make(at: file, books: 50)
        let child = try ChildProcess("hold-lock", file.path, "write")
        try await child.line("locked")
        let second = try ChildProcess("start", file.path, "new")
        try await second.line("ready")
        try second.send("go")
        try await second.line("begin")
        child.closeInput()
        #expect(try await second.exit() == .code(0), "\(second.said)")
    }

    @Test func aReadOnlyConnectionThatHasStepsToRunIsReportedAndLeavesTheFileAsItIs() throws {
        try Library.make(at: file, books: 50)
        let before = try DatabaseDump(of: file)
        let readonly = PoolOptions(configure: { $0.readonly = true })
        #expect(throws: StorageError.self) { try Library.upgrade(file, to: .new, pool: readonly) }
        #expect(try DatabaseDump(of: file) == before)
    }

    // Permissions do not count for root.
    @Test(.enabled(if: geteuid() != 0)) func aFileWithoutWritePermissionIsReportedAndLeftAsItIs() throws {
        try Library.make(at: file, books: 50)
        let before = try DatabaseDump(of: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
        #expect(throws: StorageError.self) { try Library.upgrade(file, to: .new) }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(try DatabaseDump(of: file) == before)
    }
}
