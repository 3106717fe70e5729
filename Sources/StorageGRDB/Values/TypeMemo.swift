import Synchronization

/// What is found out once for each type, and kept.
final class TypeMemo: Sendable {
    typealias Value = AnyObject & Sendable

    private let known = Mutex(Known())

    private struct Known {
        var values: [ObjectIdentifier: any Value] = [:]
        /// What was asked for last, which is likely asked for next.
        var last: (key: ObjectIdentifier, value: any Value)?

        mutating func value(of key: ObjectIdentifier) -> (any Value)? {
            if let last, last.key == key { return last.value }
            guard let value = values[key] else { return nil }
            last = (key, value)
            return value
        }
    }

    /// The value of a type, made at the first call.
    ///
    /// It is made outside the lock, since making it runs code of the app. Of two that are made at once one is kept.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - make: Makes the value, of the same class each time.
    @inline(__always)
    func value<Made: Value>(of type: Any.Type, make: () -> Made) -> Made {
        unsafeDowncast(value(of: ObjectIdentifier(type), make: make), to: Made.self)
    }

    /// All that is kept.
    var all: [any Value] { known.withLock { Array($0.values.values) } }

    /// Knows no types, since code for any type looks its metadata up at each call.
    private func value(of key: ObjectIdentifier, make: () -> any Value) -> any Value {
        if let value = known.withLock({ $0.value(of: key) }) { return value }
        let made = make()
        return known.withLock { known in
            if let value = known.value(of: key) { return value }
            known.values[key] = made
            return made
        }
    }
}
