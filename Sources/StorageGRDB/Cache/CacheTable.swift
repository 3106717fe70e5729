import GRDB
import Synchronization

/// The table of the disk cache: entries by key, each with a time to expire, all of them together within a quota.
///
/// The bytes in the table are counted once and then followed, so that setting an entry scans nothing. What other
/// connections change is noticed by SQLite's `data_version`, and counted anew. All writing is done in a transaction of
/// the caller's, which calls ``forgetCount()`` if it does not commit.
package final class CacheTable: Sendable {
    let name: String
    private let account = Mutex(Account())
    private let table: String
    private let selectSQL: String
    private let upsertSQL: String
    private let updateSQL: String
    private let rowSQL: String
    private let timesSQL: String
    private let observer: WriterObserver
    // Of the writer.
    private let (lastRow, lastUpdate, lastTimes) = (LastStatement(), LastStatement(), LastStatement())
    /// Called when rows begin to wait for their times, inside of a transaction.
    private let onWaiting: @Sendable () -> Void

    private struct Account {
        /// The bytes of all entries; nil where they have to be counted.
        var total: Int?
        var dataVersion: Int?
        /// When the newest entry was set; nil where there is none, or it has to be looked up.
        var lastSet: Date?
        var waiting = WaitingTimes()
        var numbers = CacheStatistics.Tier()
    }

    /// - Parameters:
    ///   - observer: The observer of the connection that writes.
    ///   - onWaiting: Called when rows begin to wait for their times, inside of a transaction.
    init(name: String, observer: WriterObserver, onWaiting: @escaping @Sendable () -> Void) {
        self.name = name
        self.observer = observer
        self.onWaiting = onWaiting
        table = name.quotedIdentifier
        // Whatever stands there is read as bytes, for the reader to judge.
        selectSQL = #"SELECT CAST("blob" AS BLOB), "expiresAt", "updatedAt" FROM \#(table) WHERE "key" = ?"#
        // REPLACE would take the old entry out of four B-trees and put the new one in.
        upsertSQL = """
            INSERT INTO \(table) ("key", "blob", "updatedAt", "expiresAt", "size") VALUES (?, ?, ?, ?, ?) \
            ON CONFLICT("key") DO UPDATE SET "blob" = excluded."blob", "updatedAt" = excluded."updatedAt", \
            "expiresAt" = excluded."expiresAt", "size" = excluded."size"
            """
        updateSQL = #"UPDATE \#(table) SET "blob" = ?, "size" = ? WHERE rowid = ?"#
        rowSQL = #"SELECT rowid, "size", "expiresAt", "updatedAt" FROM \#(table) WHERE "key" = ?"#
        // A trigger may have emptied the entry meanwhile, for good.
        timesSQL = """
            UPDATE \(table) SET "updatedAt" = ?, "expiresAt" = ? \
            WHERE rowid = ? AND "updatedAt" = ? AND "blob" <> x''
            """
    }

    // MARK: - One entry

    /// The entry of a key, or nil if there is none or it has expired.
    ///
    /// - Parameters:
    ///   - condition: SQL that has to hold, too.
    ///   - arguments: The arguments of the condition.
    func get(
        _ key: String, now: Date, _ db: Database, if condition: String? = nil, _ arguments: [StoredValue] = []
    ) throws -> Entry? {
        let sql = condition.map { "\(selectSQL) AND \($0)" } ?? selectSQL
        return unlessExpired(try db.firstRow(sql, [.text(key)] + arguments) { try Entry(&$0, now: now) }, key, now: now)
    }

    /// An entry that was found, unless it has expired. Damaged ones have not, for whoever reads them to say so.
    private func unlessExpired(_ found: Entry?, _ key: String, now: Date) -> Entry? {
        guard let entry = found, let set = entry.setBeforeExpiry else { return found }
        return account.withLock { $0.waiting.isAlive(key, setAt: set, now: now) } ? entry : nil
    }

    /// The entry of a key, which counts as a hit or a miss.
    func countingGet(_ key: String, now: Date, _ db: Database) throws -> Entry? {
        let entry = try get(key, now: now, db)
        count(isHit: entry != nil)
        return entry
    }

    /// The same by a lane.
    ///
    /// - Returns: Nil if no lane could tell.
    func countingGet(_ key: String, now: Date, _ lanes: ReadLanes?) -> Entry?? {
        var found: Entry?
        let read = { (row: inout RowReader) in found = try Entry(&row, now: now) }
        guard lanes?.firstRow(selectSQL, .text(key), coders: .standard, read) == true else { return nil }
        let entry = unlessExpired(found, key, now: now)
        count(isHit: entry != nil)
        return .some(entry)
    }

    /// Sets an entry. Over the quota, expired entries go first, then those that were set longest ago. An entry that is
    /// larger than the quota is not kept.
    func set(_ key: String, to blob: Data, expiry: Date?, now: Date, quota: Int, _ db: Database) throws {
        try counting(db) { total in
            let row = try row(key, db)
            total -= row?.size ?? 0
            guard blob.count <= quota else { return try delete(key, db) }
            total += blob.count
            let time = timeToSet(at: now)
            if let row, total <= quota, mayWait(key, row, set: time, expiry: expiry, now: now) {
                let arguments: [StoredValue] = [.blob(blob), .integer(Int64(blob.count)), .integer(row.rowid)]
                return try run(lastUpdate.get(updateSQL, arguments, in: db), db)
            }
            try run(
                upsertSQL,
                [
                    .text(key), .blob(blob), time.storedValue(), expiry?.storedValue() ?? .null,
                    .integer(Int64(blob.count)),
                ], db)
            if total > quota { total -= try evict(total - quota, now: now, db) }
        }
    }

    private func row(_ key: String, _ db: Database) throws -> Row? {
        try lastRow.get(rowSQL, [.text(key)], in: db).firstRow { try Row(&$0) }
    }

    /// A time later than that of any other entry, so that `updatedAt` says which was set last even where a clock stands still
    /// or goes back.
    private func timeToSet(at now: Date) -> Date {
        account.withLock { account in
            let time = account.lastSet.map { max(now, $0.addingTimeInterval(0.000_001)) } ?? now
            account.lastSet = time
            return time
        }
    }

    func remove(_ key: String, _ db: Database) throws {
        try counting(db) { total in
            total -= try row(key, db)?.size ?? 0
            try delete(key, db)
        }
    }

    private func delete(_ key: String, _ db: Database) throws {
        account.withLock { $0.waiting.remove(key) }
        try run(#"DELETE FROM \#(table) WHERE "key" = ?"#, [.text(key)], db)
    }

    // MARK: - Times that wait

    private func mayWait(_ key: String, _ row: Row, set: Date, expiry: Date?, now: Date) -> Bool {
        let (wait, isFirst) = account.withLock { account in
            let wasEmpty = account.waiting.isEmpty
            let waits = account.waiting.add(key, row, set: set, expiry: expiry, now: now)
            return (waits, waits && wasEmpty)
        }
        if isFirst { onWaiting() }
        return wait
    }

    /// Tells the rows what waits for them, in a transaction of its own. If nothing does, the file is not locked.
    func settleTimes(_ db: Database) throws {
        guard account.withLock({ !$0.waiting.isEmpty }) else { return }
        try db.inImmediateTransaction { try counting(db) { _ in try writeTimes(db) } }
    }

    private func writeTimes(_ db: Database) throws {
        for times in account.withLock({ $0.waiting.take() }) {
            let arguments: [StoredValue] = [
                try times.set.storedValue(), try times.expiry?.storedValue() ?? .null, .integer(times.rowid), times.row,
            ]
            try run(lastTimes.get(timesSQL, arguments, in: db), db)
        }
    }

    // MARK: - Many entries

    func removeAll(_ db: Database) throws {
        try counting(db) { total in
            account.withLock { $0.waiting = WaitingTimes() }
            try run("DELETE FROM \(table)", [], db)
            total = 0
        }
    }

    func removeExpired(now: Date, _ db: Database) throws {
        try counting(db) { total in
            try writeTimes(db)
            let now = try now.storedValue()
            total -=
                try db.firstRow(#"SELECT SUM("size") FROM \#(table) WHERE "expiresAt" <= ?"#, [now]) {
                    try $0.next() as Int?
                }.flatMap { $0 } ?? 0
            try run(#"DELETE FROM \#(table) WHERE "expiresAt" <= ?"#, [now], db)
        }
    }

    /// Removes the entries whose key begins so.
    func removeAll(prefix: String, _ db: Database) throws {
        forgetCount()
        try run(
            #"DELETE FROM \#(table) WHERE substr("key", 1, ?) = ?"#,
            [.integer(Int64(prefix.unicodeScalars.count)), .text(prefix)], db)
    }

    /// - Returns: How many bytes went.
    private func evict(_ excess: Int, now: Date, _ db: Database) throws -> Int {
        try writeTimes(db)
        var freed = 0
        let orders: [(String, [StoredValue])] = try [
            (#"WHERE "expiresAt" <= ? ORDER BY "expiresAt""#, [now.storedValue()]),
            (#"ORDER BY "updatedAt", rowid"#, []),
        ]
        for (order, arguments) in orders {
            while freed < excess,
                let (rowid, size) = try db.firstRow(
                    #"SELECT rowid, "size" FROM \#(table) \#(order) LIMIT 1"#, arguments,
                    { (try $0.next() as Int64, try $0.next() as Int) })
            {
                try run("DELETE FROM \(table) WHERE rowid = ?", [.integer(rowid)], db)
                freed += size
                account.withLock { $0.numbers.evictions += 1 }
            }
        }
        return freed
    }

    // MARK: - The count

    /// To be called when a transaction that wrote here was not committed.
    func forgetCount() {
        account.withLock { account in
            account.total = nil
            // Entries that are there may end too early for it, and that is all.
            account.waiting = WaitingTimes()
        }
    }

    private func counting(_ db: Database, _ body: (inout Int) throws -> Void) throws {
        do {
            var total = try countedBytes(db)
            try body(&total)
            account.withLock { $0.total = total }
        } catch {
            forgetCount()
            throw error
        }
    }

    private func countedBytes(_ db: Database) throws -> Int {
        let version = try db.firstRow("PRAGMA data_version", []) { try $0.next() as Int }
        if let known = account.withLock({ $0.dataVersion == version ? $0.total : nil }) { return known }
        let lastSet = try db.firstRow(#"SELECT MAX("updatedAt") FROM \#(table)"#, []) { try? $0.next() as Date? }
        account.withLock { account in
            account.dataVersion = version
            // Another may have set the same entries without telling their rows.
            account.waiting = WaitingTimes()
            account.lastSet = [account.lastSet, lastSet?.flatMap { $0 }].compactMap { $0 }.max()
        }
        return try db.firstRow(#"SELECT SUM("size") FROM \#(table)"#, []) { try $0.next() as Int? }.flatMap { $0 } ?? 0
    }

    // MARK: - Statements

    private func run(_ sql: String, _ arguments: [StoredValue], _ db: Database) throws {
        try observer.run(sql, arguments, on: name, db)
    }

    private func run(_ statement: Statement, _ db: Database) throws {
        try observer.run(statement, on: name, db)
    }

    // MARK: - Numbers

    func count(isHit: Bool) {
        account.withLock { account in
            if isHit { account.numbers.hits += 1 } else { account.numbers.misses += 1 }
        }
    }

    func statistics(_ db: Database) throws -> CacheStatistics.Tier {
        var tier = account.withLock { $0.numbers }
        let counts = try db.firstRow(#"SELECT COUNT(*), SUM("size") FROM \#(table)"#, []) {
            (try $0.next() as Int, try $0.next() as Int?)
        }
        (tier.count, tier.bytes) = (counts?.0 ?? 0, counts?.1 ?? 0)
        return tier
    }
}

extension Database {
    /// Runs a statement that stays prepared and reads its first row.
    func firstRow<T>(
        _ sql: String, _ arguments: [StoredValue], _ read: (inout RowReader) throws -> T
    ) throws -> T? {
        let statement = try cachedStatement(sql: sql)
        if !arguments.isEmpty { try statement.bind(arguments) }
        return try statement.firstRow(read)
    }
}
