import GRDB
import Synchronization

/// Something that the schema says, found out once for each epoch of the hub.
final class SchemaMemo<Value: Sendable>: Sendable {
    private let findOut: @Sendable (Database) throws -> Value
    private let known = Mutex<(epoch: Int, value: Value)?>(nil)

    init(_ findOut: @escaping @Sendable (Database) throws -> Value) {
        self.findOut = findOut
    }

    /// What it is, if that was found out in that epoch.
    func known(epoch: Int) -> Value? {
        known.withLock { $0?.epoch == epoch ? $0?.value : nil }
    }

    /// - Parameter epoch: The hub's, from before the state that `db` sees.
    func value(_ db: Database, epoch: Int) throws -> Value {
        if let value = known(epoch: epoch) { return value }
        let value = try findOut(db)
        known.withLock { $0 = (epoch, value) }
        return value
    }
}
