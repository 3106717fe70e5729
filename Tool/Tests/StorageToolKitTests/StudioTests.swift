import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
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

    @Test func aPortThatIsTakenIsSaid() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("store.sqlite", "CREATE TABLE t (x)")
        let first = try RunningProgram("studio", path, "--no-open")
        let line = try await first.lines(1)[0]
        let match = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/))
        let port = String(match.1)
        let second = try RunningProgram("studio", path, "--no-open", "--port", port)
        #expect(try await second.lines(1) == ["storagekit: port \(port) is taken"])
        #expect(await second.end() == 75)
        #expect(await first.interrupt() == 0)
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

    @Test func aStudioThatOnlyReadsSaysSo() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("store.sqlite", "CREATE TABLE t (x)")
        let files = Mutex<[String]>([])
        // The address is good for ten seconds, and the test may get no thread so soon: the one that reads the address asks.
        let studio = try RunningProgram(
            "studio", path, "--no-open", "--read-only",
            onLine: { line in
                let file = StudioTests.file(at: line)
                files.withLock { $0.append(file) }
            })
        _ = try await studio.lines(1)
        let file = files.withLock { $0.first } ?? ""
        #expect(file.contains(/"isReadOnly" ?: ?true/), "\(file)")
        #expect(await studio.interrupt() == 0)
    }

    /// What a page is told of the file; what came instead where something goes wrong. The calls wait.
    ///
    /// - Parameter line: The line with the address, as the studio prints it.
    private static func file(at line: String) -> String {
        guard let address = line.firstMatch(of: /127\.0\.0\.1:(\d+)\/#code=([0-9a-f]+)/),
            let port = in_port_t(address.1)
        else { return line }
        let code = "{\"code\":\"\(address.2)\"}"
        let session = answer(
            port, "POST /api/session", ["Content-Type: application/json", "Content-Length: \(code.utf8.count)"], code)
        guard let token = session.firstMatch(of: /"token" ?: ?"([^"]+)"/) else { return session }
        return answer(port, "GET /api/file", ["Authorization: Bearer \(token.1)"])
    }

    /// Asks what the page asks, over plain HTTP.
    private static func answer(
        _ port: in_port_t, _ question: String, _ headers: [String], _ body: String = ""
    ) -> String {
        let origin = "127.0.0.1:\(port)"
        let head =
            ["\(question) HTTP/1.1", "Host: \(origin)", "Origin: http://\(origin)", "Connection: close"] + headers
        let request = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        // `SOCK_STREAM`, whose name is of another type on each system.
        let handle = socket(AF_INET, 1, 0)
        defer { close(handle) }
        var limit = timeval(tv_sec: 500, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafeBytes(of: &address) { bytes in
            connect(handle, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard code == 0, write(handle, request, request.count) == request.count else { return "" }
        var received: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            let count = read(handle, &piece, piece.count)
            guard count > 0 else { return String(decoding: received, as: UTF8.self) }
            received += piece.prefix(count)
        }
    }
}
