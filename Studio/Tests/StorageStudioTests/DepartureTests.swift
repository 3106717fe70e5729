import Foundation
import Hummingbird
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import StorageStudio

/// A page that goes away while something runs for it.
@Suite struct DepartureTests {
    @Test func aPageThatGoesAwayInterruptsItsStatement() async throws {
        let file = try TemporaryFile()
        let look = StudioConnection(file.path, .look)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: (any Error)?.self)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        // Asked as the page asks for rows and SQL.
        router.post("endless") { request, _ in
            try await JSONAnswer.answering(request, [Int].self) { _ in
                begin.yield()
                do {
                    let count = try await look.run(within: .seconds(3600)) { connection in
                        try connection.integer(
                            "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
                    }
                    end.yield(nil)
                    return try JSONAnswer.of(count)
                } catch {
                    end.yield(error)
                    throw error
                }
            }
        }
        let application = Application(
            responder: router.buildResponder(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
        let serving = Task {
            // Whoever waits for a server that did not start waits no longer.
            defer { port.finish() }
            try await ServiceGroup(services: [application], logger: application.logger).run()
        }
        let number = try #require(await ports.first { _ in true })
        let page = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: number).get()
        try await page.writeAndFlush(
            ByteBuffer(string: "POST /endless HTTP/1.1\r\nHost: 127.0.0.1:\(number)\r\nContent-Length: 2\r\n\r\n[]"))
        _ = await begun.first { _ in true }
        try await page.close()
        let error = await ends.first { _ in true }
        #expect((error ?? nil) as? StudioError == StudioError(.tookTooLong, "nobody waits for it any more"))
        serving.cancel()
        _ = await serving.result
    }
}
