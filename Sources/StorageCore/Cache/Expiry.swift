extension Date {
    /// When an entry set now expires: at that moment it is gone. Nil for never, which a lifetime of 0 or less means.
    package func expiry(after ttl: TimeInterval) -> Date? {
        ttl > 0 && ttl.isFinite ? addingTimeInterval(ttl) : nil
    }
}
