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

    @Test func aStudioThatOnlyReadsSaysSo() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("store.sqlite", "CREATE TABLE t (x)")
        let studio = try RunningProgram("studio", path, "--no-open", "--read-only")
        let line = try await studio.lines(1)[0]
        let address = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)\/#code=([0-9a-f]+)/), "\(line)")
        let port = try #require(in_port_t(address.1))
        let code = "{\"code\":\"\(address.2)\"}"
        let session = await answer(
            port, "POST /api/session", ["Content-Type: application/json", "Content-Length: \(code.utf8.count)"], code)
        let token = try #require(session.firstMatch(of: /"token" ?: ?"([^"]+)"/), "\(session)")
        let file = await answer(port, "GET /api/file", ["Authorization: Bearer \(token.1)"])
        #expect(file.contains(/"isReadOnly" ?: ?true/), "\(file)")
        #expect(await studio.interrupt() == 0)
    }

    /// Asks what the page asks, over plain HTTP. The calls wait, and so have a thread of their own.
    private func answer(
        _ port: in_port_t, _ request: String, _ headers: [String], _ body: String = ""
    ) async -> String {
        let origin = "127.0.0.1:\(port)"
        let head =
            ["\(request) HTTP/1.1", "Host: \(origin)", "Origin: http://\(origin)", "Connection: close"] + headers
        let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: StudioTests.answer(port, bytes)) }
        }
    }

    private static func answer(_ port: in_port_t, _ request: [UInt8]) -> String {
        // `SOCK_STREAM`, whose name is of another type on each system.
        let handle = socket(AF_INET, 1, 0)
        defer { close(handle) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
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
