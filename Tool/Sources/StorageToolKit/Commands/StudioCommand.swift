import ArgumentParser
import Foundation
import StorageStudio
import Synchronization

struct StudioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Look at a file in the browser, and edit its rows.",
        discussion: """
            Serves a page on this machine alone and opens it. The address lets one browser in, once, within ten seconds; Return prints \
            another one. Ctrl-C ends it.

            Rows are written when you save them there, in one transaction, and only if they are what the page showed. SQL that writes \
            asks first. With --read-only nothing can be written. In a file with a write-ahead log, the files -wal and -shm are made if \
            they are not there, and stay.

            Examples:
              storagekit studio app.sqlite
              storagekit studio app.sqlite --read-only --no-open
              storagekit studio app.sqlite --model Tests/Schemas/1.4.sql
            """)

    @OptionGroup var source: FileArgument

    @Option(help: "The port to listen on; a free one unless it is given.")
    var port = 0

    @Flag(help: "Look, and write nothing.")
    var readOnly = false

    @Flag(inversion: .prefixedNo, help: "Open the page in the browser.")
    var open = true

    @Option(help: "A database, or a file of SQL, to compare the schema with.", completion: .file())
    var model: String?

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
    }

    func run() throws {
        _ = try DatabaseFile(source.file).follow()
        if let model { _ = try SchemaFacts(ofFile: model) }
        let server = StudioServer(
            file: URL(asWritten: source.file),
            options: .init(
                port: port, isReadOnly: readOnly, model: model.map { URL(asWritten: $0) },
                runsInReleaseBuilds: true))
        let interrupt = InterruptSignal()
        let failure = Mutex<ToolError?>(nil)
        let opens = open
        // The main thread waits; nothing else is on it.
        let serving = Task {
            do {
                try await server.run { address in StudioCommand.show(address, opens: opens) }
            } catch is CancellationError {
            } catch StudioServer.Failure.portTaken(let port) {
                failure.withLock { $0 = ToolError(.temporary, "\(StudioServer.Failure.portTaken(port))") }
            } catch StudioServer.Failure.portForbidden(let port) {
                failure.withLock { $0 = ToolError(.noPermission, "\(StudioServer.Failure.portForbidden(port))") }
            } catch {
                failure.withLock { $0 = ToolError(.inputOutput, "the studio cannot run: \(error)") }
            }
            interrupt.raise()
        }
        if Terminal.isTerminal(STDIN_FILENO) { StudioCommand.answerReturn(server) }
        interrupt.wait()
        serving.cancel()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private static func show(_ address: String, opens: Bool) {
        try? Output.standard.write(lines: [
            "The studio is open at \(address)",
            "The address lets one browser in within ten seconds; Return prints another one. Ctrl-C ends.",
        ])
        if opens { BrowserProgram.open(address) }
    }

    /// Prints a new address each time that Return is pressed.
    private static func answerReturn(_ server: StudioServer) {
        Thread.detachNewThread {
            while readLine() != nil {
                if let address = server.newAddress() { try? Output.standard.write(lines: [address]) }
            }
        }
    }
}

/// The browser of whoever runs the program.
private enum BrowserProgram {
    /// Opens an address; where there is no browser the address is printed all the same.
    static func open(_ address: String) {
        #if os(macOS)
        let program = "open"
        #else
        let program = "xdg-open"
        #endif
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program, address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
