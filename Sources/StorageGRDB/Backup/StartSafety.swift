/// What a start does so that a change of the schema can be undone.
///
/// ```swift
/// let context = try StorageKit.start(at: url, options: StartOptions(safety: .backup(keeping: 2))) { schema in
///     schema.autoSchema(NoteRecord.self)
/// }
/// ```
public enum StartSafety: Sendable, Hashable {
    /// The steps of the schema are one transaction, and that is all.
    case none
    /// The file is copied beside itself before anything in it changes, and checked before the change is committed.
    ///
    /// Nobody else can write meanwhile. A start that has nothing to change copies nothing, nor does one on a new file, in memory, or
    /// on a file of which there is a copy in this very state. Copies beyond the number are removed once the change is committed, the
    /// oldest first; 1 is the least.
    case backup(keeping: Int)
}
