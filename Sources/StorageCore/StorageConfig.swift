/// What is done with an error that does not end what it happened in.
public typealias ErrorHandler = @Sendable (any Error) -> Void

/// The settings of one store: cache lifetime and size, JSON coders, clock and key namespace.
///
/// Coders are made anew for each use by the two factories, because `JSONEncoder` and `JSONDecoder` must not
/// be shared between tasks.
public struct StorageConfig: Sendable {
    /// Seconds a cache entry lives when no other lifetime is given. 0 means that it never expires.
    public var defaultTTL: TimeInterval
    /// The bytes that the values in the disk cache may have. An entity counts with its size, although the cache has no copy of it.
    public var diskQuotaBytes: Int
    /// Makes the encoder of JSON columns and cache entries.
    public var makeEncoder: @Sendable () -> JSONEncoder
    /// Makes the decoder of JSON columns and cache entries.
    public var makeDecoder: @Sendable () -> JSONDecoder
    /// The source of time.
    public var clock: any Clock
    /// The first part of every cache key, which keeps several stores in one cache apart.
    public var namespace: String
    /// How many entities of each type the tier in memory keeps; 0 turns it off.
    public var memoryCapacity: Int
    /// Whether entities are kept in the disk cache, where the schema has one.
    public var usesDiskCache: Bool
    /// Called with what goes wrong in a cache. The read or write that it served goes on without it.
    public var onCacheError: ErrorHandler?
    /// Called with what goes wrong in a stream of entities that has no handler of its own. The stream goes on.
    public var onObservationError: ErrorHandler?
    /// Hears what happens inside the store; nil for nobody.
    public var monitor: (any StorageMonitor)?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - defaultTTL: Seconds a cache entry lives; 0 means for ever.
    ///   - diskQuotaBytes: The bytes that the values in the disk cache may have. An entity counts with its size.
    ///   - clock: The source of time.
    ///   - namespace: The first part of every cache key.
    ///   - memoryCapacity: How many entities of each type the tier in memory keeps; 0 turns it off.
    ///   - usesDiskCache: Whether entities are kept in the disk cache, where the schema has one.
    ///   - onCacheError: Called with what goes wrong in a cache.
    ///   - onObservationError: Called with what goes wrong in a stream of entities.
    ///   - monitor: Hears what happens inside the store.
    ///   - configureEncoder: Changes each new encoder, after its dates were set to ISO 8601 and its keys to be
    ///     sorted.
    ///   - configureDecoder: Changes each new decoder, after its dates were set to ISO 8601.
    public init(
        defaultTTL: TimeInterval = 300,
        diskQuotaBytes: Int = 20 * 1024 * 1024,
        clock: any Clock = SystemClock(),
        namespace: String = "storage",
        memoryCapacity: Int = 1000,
        usesDiskCache: Bool = true,
        onCacheError: ErrorHandler? = nil,
        onObservationError: ErrorHandler? = nil,
        monitor: (any StorageMonitor)? = nil,
        configureEncoder: (@Sendable (inout JSONEncoder) -> Void)? = nil,
        configureDecoder: (@Sendable (inout JSONDecoder) -> Void)? = nil
    ) {
        self.defaultTTL = defaultTTL
        self.diskQuotaBytes = diskQuotaBytes
        self.clock = clock
        self.namespace = namespace
        self.memoryCapacity = memoryCapacity
        self.usesDiskCache = usesDiskCache
        self.onCacheError = onCacheError
        self.onObservationError = onObservationError
        self.monitor = monitor
        makeEncoder = {
            var encoder = JSONCoders.standardEncoder()
            configureEncoder?(&encoder)
            // SQLite compares the letters of a key, and finds none that has a slash as `\/`.
            encoder.outputFormatting.insert(.withoutEscapingSlashes)
            return encoder
        }
        makeDecoder = {
            var decoder = JSONCoders.standardDecoder()
            configureDecoder?(&decoder)
            return decoder
        }
    }

    /// The initialiser that the documents declare, with its six labels, for who passes it on as a function.
    @_disfavoredOverload
    public init(
        defaultTTL: TimeInterval, diskQuotaBytes: Int, clock: any Clock, namespace: String,
        configureEncoder: (@Sendable (inout JSONEncoder) -> Void)?,
        configureDecoder: (@Sendable (inout JSONDecoder) -> Void)?
    ) {
        self.init(
            defaultTTL: defaultTTL, diskQuotaBytes: diskQuotaBytes, clock: clock, namespace: namespace,
            onCacheError: nil, configureEncoder: configureEncoder, configureDecoder: configureDecoder)
    }
}

extension StorageConfig {
    package var coders: JSONCoders { JSONCoders(makeEncoder: makeEncoder, makeDecoder: makeDecoder) }
}
