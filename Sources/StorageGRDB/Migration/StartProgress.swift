/// How far a start is.
///
/// ```swift
/// let context = try await StorageKit.open(at: url, progress: { print("\(Int($0.fraction * 100)) %") }) { schema in
///     schema.autoSchema(NoteRecord.self)
/// }
/// ```
public struct StartProgress: Sendable, Hashable {
    /// What a start is at.
    public enum Step: Sendable, Hashable {
        /// The file is copied, before anything changes.
        case backup
        /// A step of the schema runs: the id of a migration of the app's, or of one of StorageKit's own.
        case migration(id: String)
        /// The changed file is checked.
        case check
        /// The store is open, and its schema the one that was described.
        case done
    }

    /// What the start is at.
    public let step: Step
    /// The table that is worked on, where it can be told.
    public let table: String?
    /// How many of its rows are done: counted where a full-text index is built, else estimated by the work that SQLite has done; nil
    /// where nothing is known. While the file is copied, pages of it.
    public let rowsDone: Int?
    /// How many rows, or pages, there are to do; nil where nothing is known.
    public let rowsExpected: Int?
    /// The part of the start that is done, from 0 to 1. It never falls. Each step that is due counts as much as any other.
    public let fraction: Double
}
