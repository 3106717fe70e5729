import Foundation
import Hummingbird
import NIOCore
import NIOPosix
import Testing

@testable import StorageStudio

/// A page that goes away while something runs for it.
@Suite struct DepartureTests {
    @Test(arguments: ["GET", "POST"])
    func aPageThatGoesAwayInterruptsItsStatement(method: String) async throws {
        let file = try TemporaryFile()
        let look = StudioConnection(file.path, .look)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: (any Error)?.self)
        let count: @Sendable () async throws -> Int = {
            begin.yield()
            do {
                let count = try await look.run(within: .seconds(3600)) { connection in
                    try connection.integer(
                        "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
                }
                end.yield(nil)
                return count
            } catch {
                end.yield(error)
                throw error
            }
        }
        let router = Router()
        // Asked as the page asks for what the doctor finds, and for rows and SQL.
        router.get("endless") { request, _ in try await JSONAnswer.answering(request, count) }
        router.post("endless") { request, _ in
            try await JSONAnswer.answering(request, [Int].self) { _ in try JSONAnswer.of(try await count()) }
        }
        try await router.serve { port in
            let page = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port).get()
            let question = "\(method) /endless HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 2\r\n\r\n[]"
            try await page.writeAndFlush(ByteBuffer(string: question))
            _ = await begun.first { _ in true }
            try await page.close()
            let error = await ends.first { _ in true }
            #expect((error ?? nil) as? StudioError == StudioError(.tookTooLong, "nobody waits for it any more"))
        }
    }
}
