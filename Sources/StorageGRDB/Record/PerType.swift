import Synchronization

/// What is found out once for each type and kept as long as the process runs.
final class PerType: Sendable {
    private let known = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// The value of a type, made at the first call.
    ///
    /// It is made outside the lock, since making it runs code of the app. Of two that are made at once one is kept.
    func value<T, Value: AnyObject & Sendable>(of type: T.Type, make: () -> Value) -> Value {
        let key = ObjectIdentifier(type)
        if let value = known.withLock({ $0[key] }) {
            return unsafeDowncast(value, to: Value.self)
        }
        let made = make()
        return known.withLock { known in
            if let value = known[key] {
                return unsafeDowncast(value, to: Value.self)
            }
            known[key] = made
            return made
        }
    }
}
