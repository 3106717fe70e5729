import Synchronization

/// What is found out once for each type, and kept.
final class TypeMemo: Sendable {
    typealias Value = AnyObject & Sendable

    private let known = Mutex<[ObjectIdentifier: any Value]>([:])

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
    var all: [any Value] { known.withLock { Array($0.values) } }

    /// Not generic on purpose: generic code would look up the type's metadata at each call.
    private func value(of key: ObjectIdentifier, make: () -> any Value) -> any Value {
        if let value = known.withLock({ $0[key] }) { return value }
        let made = make()
        return known.withLock { known in
            if let value = known[key] { return value }
            known[key] = made
            return made
        }
    }
}
