/// Rows of the disk cache that were set again: the times that stand in the table, and the newer ones that are still to be
/// written there. Of an entity, its size too.
///
/// Each time has an index, so that to change both takes four pages more to write than the entry itself. A row that was
/// set again therefore keeps its times for a moment, and the new ones are written together with others. Until then it says
/// too early an end, never one that is too late: whoever reads it without knowing of these, after a crash or from another
/// process, misses an entry at worst. A second context of this process that sets the same entry meanwhile is not told of.
///
/// What the rows say spares looking them up when they are set once more. A row that another has changed or removed meanwhile
/// is not found when its times are written, and is then forgotten.
struct KnownEntries: Sendable {
    /// Above so many, all are forgotten.
    static let limit = 8192

    // By values, since Swift takes two texts for one key that SQLite does not.
    private var rows: [StoredValue: CacheTable.Row] = [:]
    /// The keys of the rows that wait, and of some that no longer do.
    private var waiting: [StoredValue] = []

    var areWritten: Bool { waiting.isEmpty }

    /// How many bytes more the entries have than their rows say.
    var addedBytes: Int {
        Set(waiting).reduce(0) { sum, key in sum + (rows[key].map { $0.size - $0.says.size } ?? 0) }
    }

    subscript(key: StoredValue) -> CacheTable.Row? { rows[key] }

    /// Whether a row may be kept in mind, or those that wait have to be written first.
    func haveRoom(for key: StoredValue) -> Bool {
        rows[key] != nil || max(rows.count, waiting.count) < KnownEntries.limit
    }

    /// Keeps what need not be written to a row at once.
    mutating func wait(_ renewal: CacheTable.Renewal, set: Date) {
        var row = renewal.row
        if rows[renewal.key]?.waiting == nil { waiting.append(renewal.key) }
        row.waiting = CacheTable.Row.Facts(set: set, expiry: renewal.expiry, size: renewal.size)
        rows[renewal.key] = row
    }

    /// Whether an entry lives on whose row says that it has expired.
    ///
    /// - Parameter set: When the row says that it was set.
    func isAlive(_ key: StoredValue, setAt set: Date, now: Date) -> Bool {
        guard let row = rows[key], row.says.set == set, let waiting = row.waiting else { return false }
        return waiting.expiry.map { $0 > now } ?? true
    }

    mutating func remove(_ key: StoredValue) {
        rows[key] = nil
    }

    /// Removes the entries that have expired by what their rows say.
    mutating func removeExpired(now: Date) {
        rows = rows.filter { $0.value.says.expiry.map { $0 > now } ?? true }
    }

    mutating func removeAll() {
        self = KnownEntries()
    }

    /// Forgets what another connection may have made untrue.
    ///
    /// What is yet to be written to rows of entities is still right, if they are there: all that set them again hold the same, and
    /// one that was to end sooner would have written its row. Where others commit all the time they would else never be written.
    mutating func doubt() {
        rows = rows.filter { $0.value.waiting != nil && $0.value.blob != nil }
            .mapValues { row in
                var row = row
                row.isDoubtful = true
                return row
            }
        waiting = Array(rows.keys)
    }

    /// Takes the rows to which something is to be written. They are known as if it had been.
    mutating func takeWaiting() -> [(key: StoredValue, row: CacheTable.Row, facts: CacheTable.Row.Facts)] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting.compactMap { key in
            guard let place = rows.index(forKey: key), let facts = rows.values[place].waiting else { return nil }
            let row = rows.values[place]
            rows.values[place].says = facts
            rows.values[place].waiting = nil
            rows.values[place].isDoubtful = false
            return (key, row, facts)
        }
    }
}
