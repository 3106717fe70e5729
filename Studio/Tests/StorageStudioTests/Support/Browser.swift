import Foundation
import HTTPTypes
import Testing

/// A headless Chromium, driven by its driver over WebDriver.
final class Browser: Sendable {
    private let driver: Process
    private let port: Int
    /// The path of the session.
    private let session: String

    /// Whether the tests that drive a browser can run. In CI they have to.
    static var isNeeded: Bool { path("chromedriver") != nil || ProcessInfo.processInfo.environment["CI"] != nil }

    private static func path(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts the driver and a browser; ``end()`` ends them.
    init() async throws {
        (driver, port) = try await Browser.startDriver()
        session = try await Browser.startSession(port)
    }

    deinit {
        // A program that is started here has the polite signals blocked.
        if driver.isRunning { kill(driver.processIdentifier, SIGKILL) }
    }

    /// Ends the browser, and then its driver. A browser would outlive a driver that is ended by force.
    func end() async throws {
        _ = try await Browser.send(port, .delete, session, nil)
        _ = try await Exchange(port: port, .get, "/shutdown").text()
    }

    /// Starts the driver, and waits until it says which port it listens on.
    ///
    /// It takes a free port and then the same one of the other internet protocol, which somebody else may have by then: it ends,
    /// and another one is started.
    private static func startDriver(attempts: Int = 5) async throws -> (Process, port: Int) {
        let path = try #require(Browser.path("chromedriver"), "chromium-driver is missing: scripts/prepare browser")
        let driver = Process()
        driver.executableURL = URL(fileURLWithPath: path)
        driver.arguments = ["--port=0"]
        let pipe = Pipe()
        driver.standardOutput = pipe
        driver.standardError = pipe
        try driver.run()
        var text = ""
        for await part in output(of: pipe.fileHandleForReading) {
            text += part
            if let match = text.firstMatch(of: /started successfully on port (\d+)\./) {
                return (driver, try #require(Int(match.1)))
            }
        }
        guard attempts > 1 else { throw BrowserError(message: "The driver ended by itself: \(text)") }
        return try await startDriver(attempts: attempts - 1)
    }

    /// Has the driver start a browser. One that does not come up in the driver's time is started again.
    ///
    /// - Returns: The path of the session.
    private static func startSession(_ port: Int, attempts: Int = 3) async throws -> String {
        let options: [String: Any] = [
            "args": [
                // As root, as in a container, Chromium has no sandbox of its own.
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,800",
            ]
        ]
        let capabilities: [String: Any] = [
            "alwaysMatch": ["goog:chromeOptions": options, "timeouts": ["script": 300_000]]
        ]
        do {
            let answer = try await send(port, .post, "/session", ["capabilities": capabilities]) as? [String: Any]
            return "/session/" + (try #require(answer?["sessionId"] as? String))
        } catch is BrowserError where attempts > 1 {
            return try await startSession(port, attempts: attempts - 1)
        }
    }

    /// What comes out of a pipe. The reads wait, and so have a thread of their own, which goes on until the driver ends.
    private static func output(of handle: FileHandle) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while true {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    continuation.yield(String(decoding: data, as: UTF8.self))
                }
                continuation.finish()
            }
        }
    }

    // MARK: - Commands

    func open(_ address: String) async throws {
        _ = try await send("url", ["url": address])
    }

    /// Loads the page again, and waits until it has come.
    func reload() async throws {
        _ = try await send("refresh", [:])
    }

    /// Runs a script and returns what it returns, as text.
    @discardableResult
    func run(_ script: String) async throws -> String {
        let value = try await send("execute/sync", ["script": script, "args": [String]()])
        return (value as? String) ?? value.map { "\($0)" } ?? ""
    }

    /// Runs a script that calls `done` with what it has found, and returns that.
    func runWaiting(_ script: String) async throws -> String {
        let whole = "const done = arguments[0]; " + script
        return try await send("execute/async", ["script": whole, "args": [String]()]) as? String ?? ""
    }

    /// Waits until an expression is true in the page: asked before each frame that the browser draws.
    func wait(_ expression: String, at location: SourceLocation = #_sourceLocation) async throws {
        let script = """
            const done = arguments[0];
            const end = Date.now() + 280000;
            const look = () => {
              let isTrue = false;
              try { isTrue = Boolean(\(expression)); } catch { isTrue = false; }
              if (isTrue) done("yes");
              else if (Date.now() > end) done("no: " + document.body.innerText.slice(0, 600));
              else setTimeout(look, 20);
            };
            look();
            """
        let question: [String: Any] = ["script": script, "args": [String]()]
        let value: String?
        do {
            value = try await send("execute/async", question) as? String
        } catch is BrowserError {
            // A page that loads itself again takes the script along.
            value = try await send("execute/async", question) as? String
        }
        #expect(value == "yes", "\(expression)", sourceLocation: location)
        if value != "yes" { throw CocoaError(.featureUnsupported) }
    }

    /// Presses keys, one after the other; the names are those of `Key`.
    func press(_ keys: String..., with modifier: String? = nil) async throws {
        func action(_ type: String, _ key: String) -> [String: String] { ["type": type, "value": key] }
        let strokes = keys.flatMap { [action("keyDown", $0), action("keyUp", $0)] }
        let all =
            [modifier.map { action("keyDown", $0) }].compactMap { $0 } + strokes
            + [modifier.map { action("keyUp", $0) }].compactMap { $0 }
        _ = try await send("actions", ["actions": [["type": "key", "id": "keyboard", "actions": all]]])
    }

    func type(_ text: String) async throws {
        for letter in text { try await press(String(letter)) }
    }

    /// A command of Chromium's own protocol.
    @discardableResult
    func chromium(_ command: String, _ parameters: [String: Any]) async throws -> Any? {
        try await send("goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    /// The picture of the page, as PNG.
    func screenshot() async throws -> Data {
        let text = try await Browser.send(port, .get, session + "/screenshot", nil) as? String
        return try #require(text.flatMap { Data(base64Encoded: $0) })
    }

    private func send(_ path: String, _ body: [String: Any]) async throws -> Any? {
        try await Browser.send(port, .post, session + "/" + path, body)
    }

    private static func send(
        _ port: Int, _ method: HTTPRequest.Method, _ path: String, _ body: [String: Any]?
    ) async throws -> Any? {
        let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let exchange = try await Exchange(
            port: port, method, path, text, headers: [("Content-Type", "application/json")])
        let content = Data(try await exchange.text().utf8)
        let answer = try JSONSerialization.jsonObject(with: content) as? [String: Any]
        if let problem = answer?["value"] as? [String: Any], let error = problem["error"] as? String {
            throw BrowserError(message: "\(error): \(problem["message"] ?? "")")
        }
        return answer?["value"]
    }
}

struct BrowserError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

/// Keys without a letter, as WebDriver names them.
enum Key {
    static let enter = "\u{E007}"
    static let tab = "\u{E004}"
    static let escape = "\u{E00C}"
    static let control = "\u{E009}"
    static let down = "\u{E015}"
    static let right = "\u{E014}"
    static let home = "\u{E011}"
    static let end = "\u{E010}"
    static let delete = "\u{E017}"
}
