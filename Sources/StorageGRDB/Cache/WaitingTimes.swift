/// When entries of the disk cache were set and when they expire, of those that were set again and whose rows do not say so
/// yet.
///
/// Each time has an index, so that to change both takes four pages more to write than the entry itself. A row that was
/// set again therefore keeps its times for a moment, and is told the new ones together with others. Until then it says
/// too early an end, never one that is too late: whoever reads it without knowing of these, after a crash or from another
/// process, misses an entry at worst. A second context of this process that sets the same entry meanwhile is not told of.
struct WaitingTimes: Sendable {
    /// Above so many, rows are told at once.
    private static let limit = 4096

    struct Times: Sendable {
        let rowid: Int64
        /// When the row says that the entry was set. If it says something else by now, another has set it.
        let row: StoredValue
        let set: Date
        let expiry: Date?
    }

    private var byKey: [String: Times] = [:]

    var isEmpty: Bool { byKey.isEmpty }

    /// Keeps times that a row need not be told at once.
    ///
    /// - Returns: Whether it need not: what it says lies not too far behind, and there are not too many.
    mutating func add(_ key: String, _ row: CacheTable.Row, set: Date, expiry: Date?, now: Date) -> Bool {
        guard byKey.count < WaitingTimes.limit || byKey[key] != nil, row.mayStand(for: expiry, now: now) else {
            byKey[key] = nil
            return false
        }
        byKey[key] = Times(rowid: row.rowid, row: row.set, set: set, expiry: expiry)
        return true
    }

    /// Whether an entry lives on whose row says that it has expired.
    ///
    /// - Parameter row: When the row says that it was set.
    func isAlive(_ key: String, setAt row: StoredValue, now: Date) -> Bool {
        guard let times = byKey[key], times.row == row else { return false }
        return times.expiry.map { $0 > now } ?? true
    }

    mutating func remove(_ key: String) {
        byKey[key] = nil
    }

    /// Takes all of them.
    mutating func take() -> some Collection<Times> {
        defer { byKey = [:] }
        return byKey.values
    }
}

extension CacheTable.Row {
    /// Whether the row may say its own end a while longer: one that is no later, and leaves half of the lifetime.
    fileprivate func mayStand(for new: Date?, now: Date) -> Bool {
        guard let new, let expiry else { return new == nil && expiry == nil && !isDamaged }
        return expiry <= new && expiry.timeIntervalSince(now) >= new.timeIntervalSince(now) / 2
    }
}
