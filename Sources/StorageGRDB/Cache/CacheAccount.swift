/// What is kept in mind of the disk cache's table.
struct CacheAccount {
    /// The bytes of all entries; nil where they have to be counted.
    var total: CacheTotal?
    /// SQLite's number of what other connections have committed, when we last looked at the table.
    private(set) var dataVersion: Int?
    /// When we set the newest entry; nil where there is none.
    private var lastSet: Date?
    /// When the newest entry was set that stood in the table after a commit of another connection; nil where there was none.
    private var lastFound: Date?
    /// The newest `updatedAt` that we have written to the table. Times that still wait in `known` are not in it.
    private var lastWritten: Date?
    var known = KnownEntries()
    var numbers = CacheStatistics.Tier()

    /// Notes that another connection has committed.
    ///
    /// - Parameter lastSet: When the newest entry in the table was set.
    mutating func note(dataVersion: Int?, lastSet: Date?) {
        self.dataVersion = dataVersion
        lastFound = lastSet
        known.doubt()
    }

    /// The newest time in the table, when we last looked at it or wrote to it. What others set has later ones.
    var newest: Date? {
        guard let lastWritten, let lastFound else { return lastWritten ?? lastFound }
        // What is a century ahead is damaged: others set behind it, as we do.
        return lastFound.timeIntervalSince(lastWritten) < CacheAccount.secondsOfCentury
            ? max(lastWritten, lastFound) : lastWritten
    }

    /// Notes that a row was written with a time.
    mutating func wrote(_ set: Date) {
        lastWritten = lastWritten.map { max($0, set) } ?? set
    }

    /// A time later than that of any other entry, so that `updatedAt` says which was set last even where a clock stands
    /// still or goes back.
    mutating func timeToSet(at now: Date) -> Date {
        // A clock may be wrong by decades, as after the start of a device. What is further ahead is damaged, and behind
        // it there may be no time that has a text.
        let last = [lastSet, lastFound].compactMap(\.self)
            .filter { $0.timeIntervalSince(now) < CacheAccount.secondsOfCentury }.max()
        let time = last.map { max(now, $0.addingTimeInterval(0.000_001)) } ?? now
        lastSet = time
        return time
    }

    private static let secondsOfCentury: TimeInterval = 36_525 * 86_400

    mutating func forget() {
        total = nil
        lastWritten = nil
        // Entries that are there may end too early for it, or count for what they were before.
        known.removeAll()
    }
}
