public import GRDB

/// How the connections of a store are set up.
///
/// ```swift
/// PoolOptions(configure: { $0.maximumReaderCount = 4 })
/// ```
public struct PoolOptions: Sendable {
    /// The pragmas each connection runs when it opens.
    public struct Preset: Sendable {
        /// The statements, in order.
        public var pragmas: [String]

        /// Creates a preset.
        ///
        /// - Parameter pragmas: The statements, in order.
        public init(pragmas: [String]) {
            self.pragmas = pragmas
        }

        /// Foreign keys on, write-ahead log on.
        public static let `default` = Preset(pragmas: ["PRAGMA foreign_keys = ON", "PRAGMA journal_mode = WAL"])
        /// Nothing. GRDB itself still turns on foreign keys and the write-ahead log of a pool.
        public static let none = Preset(pragmas: [])
    }

    /// Where the preset's pragmas run beside what `configure` prepares.
    public enum PragmasPlacement: Sendable {
        /// Before it.
        case prepend
        /// After it.
        case append
    }

    /// The pragmas each connection runs when it opens.
    public var preset: Preset
    /// Whether they run before or after what ``configure`` prepares.
    public var pragmasPlacement: PragmasPlacement
    /// Changes GRDB's configuration: reader count, busy mode, functions, collations.
    public var configure: (@Sendable (inout Configuration) -> Void)?

    /// Whether a query that turns out to take long on the calling thread may be stopped and begin again on another.
    package var mayRestartQueries = true

    /// Creates the options of a pool.
    ///
    /// - Parameters:
    ///   - preset: The pragmas each connection runs when it opens.
    ///   - pragmasPlacement: Whether they run before or after what `configure` prepares.
    ///   - configure: Changes GRDB's configuration.
    public init(
        preset: Preset = .default,
        pragmasPlacement: PragmasPlacement = .append,
        configure: (@Sendable (inout Configuration) -> Void)? = nil
    ) {
        self.preset = preset
        self.pragmasPlacement = pragmasPlacement
        self.configure = configure
    }

    /// Has each connection prepared by `body` too, behind what ``configure`` prepares.
    package mutating func alsoPrepare(_ body: @escaping @Sendable (Database) throws -> Void) {
        let before = configure
        configure = { configuration in
            before?(&configuration)
            configuration.prepareDatabase(body)
        }
    }

    /// GRDB's configuration, with foreign keys on and five seconds of patience for other processes' locks.
    package func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            db.addFunctions()
            // As GRDB sets it behind all this: what it is then was asked for.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        let pragmas = preset.pragmas
        let run: @Sendable (Database) throws -> Void = { db in
            for pragma in pragmas {
                // A read-only connection cannot change the journal mode, and has no need to.
                if db.configuration.readonly, pragma.lowercased().contains("journal_mode") { continue }
                try db.execute(sql: pragma)
            }
        }
        if pragmasPlacement == .prepend { configuration.prepareDatabase(run) }
        configure?(&configuration)
        if pragmasPlacement == .append { configuration.prepareDatabase(run) }
        return configuration
    }
}

extension Configuration {
    /// - Throws: `StorageError.invalidConfiguration` for what GRDB would trap on.
    func check() throws {
        if maximumReaderCount < 1 {
            throw StorageError.invalidConfiguration(
                message: "a pool has 1 reader or more, and not \(maximumReaderCount)")
        }
        if case .timeout(let seconds) = busyMode, !(0...Self.longestTimeout ~= seconds) {
            throw StorageError.invalidConfiguration(
                message: "the busy timeout is 0 to \(Int(Self.longestTimeout)) seconds, and not \(seconds)")
        }
    }

    /// SQLite counts milliseconds in 32 bits.
    private static let longestTimeout = 2_147_483.0
}
