/// A cache of rows, known by their ids.
package protocol RowCache: AnyObject, Sendable {
    /// Forgets rows. What is read now or later may be kept, what was being read before may not.
    func forget(_ change: TableChange)
}

/// A cache that is not kept alive.
struct WeakCache: Sendable {
    weak var cache: (any RowCache)?
}

/// Somebody who wants to know of each commit.
package protocol ChangeListener: AnyObject, Sendable {
    /// Notes what a commit changed. Called inside the hub's lock: it has to be quick, and must not call the hub.
    func note(_ changes: ChangeSet)
}
