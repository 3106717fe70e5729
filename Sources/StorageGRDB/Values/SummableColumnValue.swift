/// What can be summed up: numbers, and numbers that may be nil, which count as nothing then.
public protocol SummableColumnValue {
    /// The number.
    associatedtype Number: NumericColumnValue
}

extension Optional: SummableColumnValue where Wrapped: NumericColumnValue {
    /// The number that it may be.
    public typealias Number = Wrapped
}
