/// How long a cache entry lives.
///
/// ```swift
/// try StorageKit.start(cacheTTL: .minutes(10))
/// try StorageKit.start(cacheTTL: 600)          // seconds
/// ```
public struct CacheTTL: Sendable, Hashable {
    /// The lifetime in seconds; 0 means that entries never expire.
    public let seconds: TimeInterval

    /// Creates a lifetime.
    ///
    /// - Parameter seconds: The seconds; 0 means that entries never expire.
    public init(seconds: TimeInterval) {
        self.seconds = seconds
    }

    /// A number of seconds.
    public static func seconds(_ count: Double) -> CacheTTL { CacheTTL(seconds: count) }

    /// A number of minutes.
    public static func minutes(_ count: Double) -> CacheTTL { CacheTTL(seconds: count * 60) }

    /// A number of hours.
    public static func hours(_ count: Double) -> CacheTTL { CacheTTL(seconds: count * 3600) }
}

extension CacheTTL: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A whole number of seconds.
    public init(integerLiteral seconds: Int) {
        self.init(seconds: TimeInterval(seconds))
    }

    /// A number of seconds.
    public init(floatLiteral seconds: Double) {
        self.init(seconds: seconds)
    }
}
