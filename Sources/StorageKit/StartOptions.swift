public import StorageRepo

extension StorageKit {
    /// All settings of a store.
    public struct StartOptions: Sendable {
        /// The first part of every cache key.
        public var namespace: String
        /// Seconds a cache entry lives; 0 means for ever.
        public var defaultTTL: TimeInterval
        /// The bytes that the values in the disk cache may have. An entity counts with its size.
        public var diskQuotaBytes: Int
        /// How connections are set up.
        public var pool: PoolOptions
        /// The source of time, for `updatedAt` and the caches.
        public var clock: any Clock
        /// How many entities of each type the tier in memory keeps; 0 turns it off.
        public var memoryCapacity: Int
        /// Whether entities are kept in the disk cache, where the schema has one.
        public var usesDiskCache: Bool
        /// Called with what goes wrong in a cache. The read or write that it served goes on without it.
        public var onCacheError: ErrorHandler?
        /// Called with what goes wrong in a stream of entities that has no handler of its own, on the main actor. The
        /// stream goes on. Without it, and without a monitor, each such error stands once in the system's log.
        public var onObservationError: ErrorHandler?
        /// Whether streams notice commits of other processes by themselves, within a tenth of a second. Nothing looks for
        /// them while there are no streams.
        public var watchesOtherProcesses: Bool
        /// Whether a database file that is made is for its user alone (mode 0600), with all that SQLite keeps beside it.
        /// Without it, the file has the permissions that other new files have. A file that is there already is left as it
        /// is, and a folder that is made has the permissions of other new folders. Backups have those of the file.
        public var createsPrivateFile: Bool
        /// Whether other processes of the app, as extensions and widgets, open the file too. It is then opened, and its schema
        /// brought up to date, by one of them at a time (on Apple's systems); the files of its log stay when the last closes it,
        /// for those that may only read; and ``StorageKit/suspendSharedStores()`` reaches it. A store in memory has no file to
        /// share.
        public var sharesFile: Bool
        /// What a start does so that a change of the schema can be undone.
        public var safety: StartSafety
        /// Hears of slow statements, migrations and errors that nobody was thrown; nil for nobody.
        public var monitor: (any StorageMonitor)?
        /// Changes each new encoder of JSON columns and cache entries.
        public var configureEncoder: (@Sendable (inout JSONEncoder) -> Void)?
        /// Changes each new decoder of JSON columns and cache entries.
        public var configureDecoder: (@Sendable (inout JSONDecoder) -> Void)?

        /// Creates options.
        ///
        /// - Parameters:
        ///   - namespace: The first part of every cache key.
        ///   - defaultTTL: Seconds a cache entry lives; 0 means for ever.
        ///   - diskQuotaBytes: The bytes that the values in the disk cache may have. An entity counts with its size.
        ///   - pool: How connections are set up.
        ///   - clock: The source of time.
        ///   - memoryCapacity: How many entities of each type the tier in memory keeps; 0 turns it off.
        ///   - usesDiskCache: Whether entities are kept in the disk cache, where the schema has one.
        ///   - onCacheError: Called with what goes wrong in a cache.
        ///   - onObservationError: Called with what goes wrong in a stream of entities.
        ///   - watchesOtherProcesses: Whether streams notice commits of other processes by themselves.
        ///   - createsPrivateFile: Whether a database file that is made is for its user alone.
        ///   - sharesFile: Whether other processes of the app open the file too.
        ///   - safety: What a start does so that a change of the schema can be undone.
        ///   - monitor: Hears of slow statements, migrations and errors that nobody was thrown.
        ///   - configureEncoder: Changes each new encoder, after its dates were set to ISO 8601 and its keys to be
        ///     sorted.
        ///   - configureDecoder: Changes each new decoder, after its dates were set to ISO 8601.
        public init(
            namespace: String = "storage",
            defaultTTL: TimeInterval = 300,
            diskQuotaBytes: Int = 30 * 1024 * 1024,
            pool: PoolOptions = PoolOptions(),
            clock: any Clock = SystemClock(),
            memoryCapacity: Int = 1000,
            usesDiskCache: Bool = true,
            onCacheError: ErrorHandler? = nil,
            onObservationError: ErrorHandler? = nil,
            watchesOtherProcesses: Bool = true,
            createsPrivateFile: Bool = false,
            sharesFile: Bool = false,
            safety: StartSafety = .none,
            monitor: (any StorageMonitor)? = nil,
            configureEncoder: (@Sendable (inout JSONEncoder) -> Void)? = nil,
            configureDecoder: (@Sendable (inout JSONDecoder) -> Void)? = nil
        ) {
            self.namespace = namespace
            self.defaultTTL = defaultTTL
            self.diskQuotaBytes = diskQuotaBytes
            self.pool = pool
            self.clock = clock
            self.memoryCapacity = memoryCapacity
            self.usesDiskCache = usesDiskCache
            self.onCacheError = onCacheError
            self.onObservationError = onObservationError
            self.watchesOtherProcesses = watchesOtherProcesses
            self.createsPrivateFile = createsPrivateFile
            self.sharesFile = sharesFile
            self.safety = safety
            self.monitor = monitor
            self.configureEncoder = configureEncoder
            self.configureDecoder = configureDecoder
        }

        package func makeConfig() -> StorageConfig {
            StorageConfig(
                defaultTTL: defaultTTL, diskQuotaBytes: diskQuotaBytes, clock: clock, namespace: namespace,
                memoryCapacity: memoryCapacity, usesDiskCache: usesDiskCache,
                onCacheError: told(onCacheError) { .cacheError($0) },
                onObservationError: told(streamErrorHandler) { .streamError($0) }, monitor: monitor,
                configureEncoder: configureEncoder, configureDecoder: configureDecoder)
        }

        private var streamErrorHandler: ErrorHandler? {
            onObservationError == nil && monitor == nil ? SystemLog().tell : onObservationError
        }

        /// A handler that tells the monitor too, where there is one.
        private func told(
            _ handler: ErrorHandler?, _ event: @escaping @Sendable (any Error) -> StorageEvent
        ) -> ErrorHandler? {
            guard let monitor else { return handler }
            return { error in
                monitor.record(event(error))
                handler?(error)
            }
        }
    }
}

/// All settings of a store: a shorter name of ``StorageKit/StartOptions``.
public typealias StartOptions = StorageKit.StartOptions
