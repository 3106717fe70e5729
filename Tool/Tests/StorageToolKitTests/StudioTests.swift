import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StudioTests {
    @Test func theStudioPrintsItsAddressAndEndsByCtrlC() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("store.sqlite", "CREATE TABLE t (x)")
        let studio = try RunningProgram("studio", path, "--no-open")
        let line = try await studio.lines(1)[0]
        #expect(
            line.wholeMatch(of: /The studio is open at http:\/\/127\.0\.0\.1:\d+\/#code=[0-9a-f]{64}/) != nil, "\(line)"
        )
        #expect(await studio.interrupt() == 0)
    }

    @Test func aFileThatIsNoDatabaseIsNotOpened() throws {
        let folder = try TemporaryFolder()
        #expect(try Program.run("studio", folder.path("missing.sqlite"), "--no-open").status == 66)
        #expect(
            try Program.run("studio", try folder.file("text", "no database, but long enough"), "--no-open").status == 65
        )
        #expect(try Program.run("studio", try folder.database(), "--port", "70000").status == 64)
    }

    @Test func aFileWhoseTablesCannotBeReadIsNotOpened() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("a.sqlite", "CREATE TABLE t (x)")
        var bytes = Array(try folder.bytes("a.sqlite"))
        bytes.replaceSubrange(100..<4096, with: repeatElement(0xAB, count: 3996))
        let studio = try RunningProgram("studio", try folder.file("a.sqlite", bytes: bytes), "--no-open")
        #expect(try await studio.lines(1) == ["storagekit: \(path) is damaged: database disk image is malformed"])
        #expect(await studio.end() == 65)
    }

    @Test func aModelThatIsMissingIsSaid() throws {
        let folder = try TemporaryFolder()
        let result = try Program.run("studio", try folder.database(), "--no-open", "--model", folder.path("none.sql"))
        #expect(result.status == 66 && result.error.contains("none.sql"))
    }
}
