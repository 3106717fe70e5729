public import ArgumentParser
import ContactBookModel
import Hummingbird
import Logging
import NIOCore
import StorageKit

/// The program `contactserver`.
public struct ContactServerCommand: AsyncParsableCommand {
    /// What the help says.
    public static let configuration = CommandConfiguration(
        commandName: "contactserver",
        abstract: "Serve an address book over HTTP.",
        discussion: """
            The file is one that 'contactbook' can use too, at the same time. Ctrl-C, or a polite kill, lets requests \
            end, closes the file and ends the program.

            Nobody is asked who they are. Listen on the loopback address, or stand behind something that asks.

            Example:
              contactserver --file book.sqlite --port 8080
            """)

    @Option(help: "The database file, created if missing. Default: contactbook.sqlite in your data folder.")
    var file: String?
    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8080

    @Option(help: "Log statements that take at least so many milliseconds, with their query plan.")
    var slow: Int?

    /// A command without options, for the parser.
    public init() {}

    /// Refuses options that cannot be meant.
    public func validate() throws {
        if let file, file.isEmpty { throw ValidationError("The path after --file is empty.") }
        if host.isEmpty { throw ValidationError("The address after --host is empty.") }
        if let slow, slow < 0 { throw ValidationError("The milliseconds after --slow are below 0.") }
        if !(0...65535).contains(port) { throw ValidationError("The port must be 0 to 65535.") }
    }

    /// Serves until the process is told to end.
    public func run() async throws {
        let monitor = LogMonitor(
            logger: Logger(label: "store"), slowStatementThreshold: slow.map { .milliseconds($0) })
        let book = try ContactBook(
            at: file.map { URL(fileURLWithPath: $0) } ?? ContactBook.defaultURL(), monitor: monitor)
        do {
            try await ContactServer(book: book).application(host: host, port: port).runService()
        } catch {
            throw ContactServerCommand.explained(error, port: port)
        }
    }

    /// An error that ended the server, in words for whoever started it.
    static func explained(_ error: any Error, port: Int) -> any Error {
        if (error as? IOError)?.errnoCode == EADDRINUSE { return PortTaken(port: port) }
        return error
    }
}

/// The port is taken already.
private struct PortTaken: Error, CustomStringConvertible {
    let port: Int

    var description: String { "port \(port) is taken" }
}
