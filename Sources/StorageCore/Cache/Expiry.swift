extension Date {
    /// When an entry set now expires: at that moment it is gone. Nil for never, which a lifetime of 0 or less means, and
    /// one of thousands of years.
    @usableFromInline
    package func expiry(after ttl: TimeInterval) -> Date? {
        let expiry = addingTimeInterval(ttl)
        return ttl > 0 && expiry < .distantFuture ? expiry : nil
    }
}
