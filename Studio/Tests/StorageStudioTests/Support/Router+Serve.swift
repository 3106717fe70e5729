import Hummingbird
import NIOCore
import ServiceLifecycle
import Testing

extension Router<BasicRequestContext> {
    /// Serves for the length of a closure.
    ///
    /// - Parameter body: Is given the port.
    func serve(_ body: (Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: buildResponder(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
        let serving = Task {
            // Whoever waits for a server that did not start waits no longer.
            defer { port.finish() }
            try await ServiceGroup(services: [application], logger: application.logger).run()
        }
        defer { serving.cancel() }
        try await body(try #require(await ports.first { _ in true }))
        serving.cancel()
        _ = await serving.result
    }
}
