/// Where a store gets the current time from: for `updatedAt`, for the expiry of cache entries, for the
/// default of an added date column.
///
/// Replace it in tests to make time stand still:
///
/// ```swift
/// struct MockClock: Clock {
///     var now: Date
/// }
/// ```
public protocol Clock: Sendable {
    /// The current time. It is asked while a cache in memory is locked, so that it may not use the store.
    var now: Date { get }
}

/// The clock of the operating system, the default everywhere.
public struct SystemClock: Clock {
    /// Creates the clock; all values are alike.
    public init() {}

    /// The current time of the operating system.
    public var now: Date { Date() }
}
