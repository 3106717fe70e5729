public import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
public import StorageCore

/// A page in the browser that shows a store and all that happens in it, for an app in development.
///
/// ```swift
/// let studio = StudioServer(file: url)
/// let context = try StorageKit.start(at: url, options: .init(monitor: studio.monitor()))
/// try await studio.run { address in print(address) }
/// ```
///
/// It listens on this machine alone. The address that it prints lets one browser in, once, within ten seconds.
public final class StudioServer: Sendable {
    /// How a studio is set up.
    public struct Options: Sendable {
        /// The port; 0 takes a free one.
        public var port: Int
        /// Whether rows can be looked at only.
        public var isReadOnly: Bool
        /// A database, or a file of SQL, whose schema the file ought to have: the page shows how they differ.
        public var model: URL?
        /// Whether it runs in a release build too, where it has no business otherwise.
        public var runsInReleaseBuilds: Bool

        /// Creates options.
        ///
        /// - Parameters:
        ///   - port: The port; 0 takes a free one.
        ///   - isReadOnly: Whether rows can be looked at only.
        ///   - model: A database, or a file of SQL, whose schema the file ought to have.
        ///   - runsInReleaseBuilds: Whether it runs in a release build too.
        public init(port: Int = 0, isReadOnly: Bool = false, model: URL? = nil, runsInReleaseBuilds: Bool = false) {
            self.port = port
            self.isReadOnly = isReadOnly
            self.model = model
            self.runsInReleaseBuilds = runsInReleaseBuilds
        }
    }

    /// Why a studio does not run.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// This is a release build, and ``Options/runsInReleaseBuilds`` is not set.
        case releaseBuild
        /// The file cannot be read, or is no database.
        case file(String)
        /// The port is taken already.
        case portTaken(Int)
        /// The system does not let this user listen on the port.
        case portForbidden(Int)

        /// A sentence.
        public var description: String {
            switch self {
            case .releaseBuild: "the studio does not run in a release build unless it is told to"
            case .file(let message): message
            case .portTaken(let port): "port \(port) is taken"
            case .portForbidden(let port): "the system does not let this user listen on port \(port)"
            }
        }
    }

    private let file: URL
    private let options: Options
    private let door: Door
    private let limits: ConnectionLimits
    private let events = StudioEvents()
    private let commits = KnownCommits()
    private let streams = StreamFigures()

    /// A studio for a file. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - file: The database.
    ///   - options: How it is set up.
    public convenience init(file: URL, options: Options = Options()) {
        self.init(file: file, options: options, door: Door(), limits: ConnectionLimits())
    }

    init(file: URL, options: Options, door: Door, limits: ConnectionLimits) {
        self.file = file
        self.options = options
        self.door = door
        self.limits = limits
    }

    /// Shows what the app's own store does in the page: its commits with all their rows, what its streams read, slow statements, failures and
    /// cache figures. It hands on what the other monitor asks for.
    ///
    /// - Parameter other: Another monitor that hears everything too.
    public func monitor(alongside other: (any StorageMonitor)? = nil) -> any StorageMonitor {
        StudioMonitor(events: events, commits: commits, streams: streams, other: other)
    }

    /// A new address, good for one browser within ten seconds; nil unless the studio runs.
    public func newAddress() -> String? { door.address() }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onRunning: Called with the address to open once the studio listens.
    /// - Throws: ``Failure``; an error of the system if it does not let the port be listened on.
    public func run(onRunning: @escaping @Sendable (String) async -> Void) async throws {
        if let refusal = StudioServer.refusal(options, isDebugBuild: StudioServer.isDebugBuild) { throw refusal }
        let studio = try opened()
        let watch = CommitWatch(studio.watch, commits)
        let routes = StudioRoutes(studio: studio, door: door, events: events, watch: watch, streams: streams)
        let door = door
        var logger = Logger(label: "StorageStudio")
        // The page tells what goes wrong; what a connection says that ends is nobody's concern.
        logger.logLevel = .critical
        let application = Application(
            responder: DoorResponder(door: door, inner: routes.router().buildResponder()),
            server: .http1(configuration: .init(idleTimeout: limits.idleTime)),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: options.port), serverName: nil,
                availableConnectionsDelegate: .maximum(limits.most, logger: logger)),
            services: [CommitService(watch: watch, streams: streams, events: events)],
            onServerRunning: { channel in
                door.authority = "127.0.0.1:\(channel.localAddress?.port ?? 0)"
                if let address = door.address() { await onRunning(address) }
            },
            logger: logger)
        defer { door.authority = nil }
        do {
            try await ServiceGroup(
                configuration: .init(services: [.init(service: application)], logger: logger)
            ).run()
        } catch let error as IOError {
            throw StudioServer.reason(of: error, port: options.port)
        }
    }

    private func opened() throws -> StudioFile {
        do {
            _ = try DatabaseFile(file.path).follow()
            let model = try options.model.map { try SchemaFacts(ofFile: $0.path) }
            return StudioFile(file.path, isReadOnly: options.isReadOnly, model: model, commits: commits, events: events)
        } catch let error as ToolError {
            throw Failure.file(error.message)
        }
    }

    /// What an error of the system says of the port; the error itself where it says nothing of it.
    static func reason(of error: IOError, port: Int) -> any Error {
        switch error.errnoCode {
        case EADDRINUSE: return Failure.portTaken(port)
        case EACCES: return Failure.portForbidden(port)
        default: return error
        }
    }

    /// Why a studio may not run in a build; nil if it may.
    static func refusal(_ options: Options, isDebugBuild: Bool) -> Failure? {
        isDebugBuild || options.runsInReleaseBuilds ? nil : .releaseBuild
    }

    private static var isDebugBuild: Bool {
        var isDebug = false
        // Compiled into debug builds alone.
        assert(
            {
                isDebug = true
                return true
            }())
        return isDebug
    }
}

/// Looks for commits as long as a page listens.
private struct CommitService: Service {
    let watch: CommitWatch
    let streams: StreamFigures
    let events: StudioEvents

    private static let interval = Duration.milliseconds(100)
    /// So many looks pass between two signs of life.
    private static let looksPerSign = 100

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var trouble: String?
            var looks = 0
            while !Task.isCancelled {
                try await Task.sleep(for: CommitService.interval)
                guard events.isHeard else { continue }
                do {
                    if let commit = try await watch.poll() { events.tell(.commit(commit)) }
                    trouble = nil
                } catch let error as StudioError {
                    // Said once, and not for a lock that is gone at the next look.
                    if error.kind != .locked, trouble != error.message { events.tell(.trouble(error.message)) }
                    trouble = error.message
                }
                let figures = streams.takeChanged()
                if !figures.isEmpty { events.tell(.streams(figures)) }
                looks += 1
                if looks % CommitService.looksPerSign == 0 { events.tell(.quiet) }
            }
        }
    }
}

/// Tells the pages what the app's store tells its monitor.
struct StudioMonitor: StorageMonitor {
    let events: StudioEvents
    let commits: KnownCommits
    let streams: StreamFigures
    let other: (any StorageMonitor)?

    var slowStatementThreshold: Duration? { other?.slowStatementThreshold ?? .milliseconds(100) }
    var tellsMissingIndexes: Bool { other?.tellsMissingIndexes ?? false }
    var tellsStreamReads: Bool { true }
    var committedRowLimit: Int { max(KnownCommits.mostRows, other?.committedRowLimit ?? 0) }

    func record(_ event: StorageEvent) {
        var isWanted = true
        switch event {
        case .slowStatement(let statement):
            events.tell(.slow(statement))
            isWanted = other?.slowStatementThreshold != nil
        case .streamRead(let read):
            streams.add(read)
            isWanted = other?.tellsStreamReads == true
        case .commit(let rows):
            // Without a page nobody takes them away.
            if events.isHeard { commits.add(rows) }
            let limit = other?.committedRowLimit ?? 0
            if limit > 0 { other?.record(.commit(rows.limited(to: limit))) }
            return
        default: events.tell(.note("\(event)", isProblem: event.isProblem))
        }
        if isWanted { other?.record(event) }
    }
}
