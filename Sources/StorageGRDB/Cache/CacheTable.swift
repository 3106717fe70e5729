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
    private let sameSQL: String
    private let toldSQL: String
    private let observer: WriterObserver
    // Of the writer.
    private let (lastRow, lastSame) = (LastStatement(), LastStatement())
    private let (lastUpdate, lastTold) = (LastStatement(), LastStatement())
    /// Called when rows begin to wait for their times, inside of a transaction.
    private let onWaiting: @Sendable () -> Void

    /// The bytes of an entry. No blob is larger than 2^31; what says so, or is no number, is damaged, and must not add up to more
    /// than a number holds.
    private static let size = """
        CASE WHEN typeof("size") = 'integer' AND "size" BETWEEN 0 AND 2147483647 THEN "size" ELSE 0 END
        """

    private struct Account {
        /// The bytes of all entries; nil where they have to be counted.
        var total: Int?
        var dataVersion: Int?
        /// When the newest entry was set; nil where there is none, or it has to be looked up.
        var lastSet: Date?
        var known = KnownEntries()
        var numbers = CacheStatistics.Tier()

        /// A time later than that of any other entry, so that `updatedAt` says which was set last even where a clock stands
        /// still or goes back.
        mutating func timeToSet(at now: Date) -> Date {
            let time = lastSet.map { max(now, $0.addingTimeInterval(0.000_001)) } ?? now
            lastSet = time
            return time
        }
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
        updateSQL = #"UPDATE \#(table) SET "blob" = ?, "size" = ? WHERE rowid = ? AND "key" = ?"#
        rowSQL = #"SELECT rowid, \#(Self.size), "expiresAt", "updatedAt" FROM \#(table) WHERE "key" = ?"#
        sameSQL = #"\#(rowSQL) AND "blob" = ?"#
        toldSQL = """
            UPDATE \(table) SET "updatedAt" = ?, "expiresAt" = ?, "size" = ? WHERE rowid = ? AND "updatedAt" = ?
            """
    }

    // MARK: - One entry

    /// The entry of a key, or nil if there is none or it has expired.
    func get(_ key: String, now: Date, _ db: Database) throws -> Entry? {
        unlessExpired(try db.firstRow(selectSQL, [.text(key)]) { try Entry(&$0, now: now) }, key, now: now)
    }

    /// An entry that was found, unless it has expired. Damaged ones have not, for whoever reads them to say so.
    private func unlessExpired(_ found: Entry?, _ key: String, now: Date) -> Entry? {
        guard let entry = found, let set = entry.setBeforeExpiry else { return found }
        return account.withLock { $0.known.isAlive(key, setAt: set, now: now) } ? entry : nil
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
    ///
    /// - Parameter size: The bytes that count towards the quota; nil for those of the blob.
    func set(
        _ key: String, to blob: Data, size: Int? = nil, expiry: Date?, now: Date, quota: Int, _ db: Database
    ) throws {
        let size = size ?? blob.count
        try counting(db) { total in
            let row = try row(key, db)
            total -= row?.size ?? 0
            guard size <= quota else { return try delete(key, db) }
            total += size
            let mayStand = total <= quota && row?.mayStand(for: expiry, now: now) == true
            if mayStand, var row, try update(row, key, blob, size, db) {
                row.blob = nil
                try makeRoom(for: row) { try tellRows(db) }
                return wait(Renewal(key: key, row: row, size: size, expiry: expiry, now: now))
            }
            account.withLock { $0.known.remove(key) }
            try run(
                upsertSQL,
                [
                    .text(key), .blob(blob), timeToSet(at: now).storedValue(), expiry?.storedValue() ?? .null,
                    .integer(Int64(size)),
                ], db)
            // Where the row was not there, somebody has removed it without a word.
            if mayStand { total = try sumOfSizes(db) }
            if total > quota { total -= try evict(total - quota, now: now, db) }
        }
    }

    /// - Returns: Whether the row was there.
    private func update(_ row: Row, _ key: String, _ blob: Data, _ size: Int, _ db: Database) throws -> Bool {
        try run(lastUpdate, updateSQL, db) { arguments in
            try arguments.append(blob)
            try arguments.append(size)
            try arguments.append(row.rowid)
            try arguments.append(key)
        }
        return db.changesCount == 1
    }

    private func row(_ key: String, _ db: Database) throws -> Row? {
        if let row = account.withLock({ $0.known[key] }) { return row }
        return try lastRow.get(rowSQL, [.text(key)], in: db).firstRow { try Row(&$0) }
    }

    private func timeToSet(at now: Date) -> Date {
        account.withLock { $0.timeToSet(at: now) }
    }

    func remove(_ key: String, _ db: Database) throws {
        try counting(db) { total in
            total -= try row(key, db)?.size ?? 0
            try delete(key, db)
        }
    }

    private func delete(_ key: String, _ db: Database) throws {
        account.withLock { $0.known.remove(key) }
        try run(#"DELETE FROM \#(table) WHERE "key" = ?"#, [.text(key)], db)
    }

    // MARK: - Rows that wait

    /// What setting an entry again would come to, if it holds these bytes already and its row need not be told at once: nothing
    /// is written then. Not to be called within a transaction.
    func renewal(
        _ key: String, of blob: Data, size: Int, expiry: Date?, now: Date, quota: Int, _ db: Database
    ) throws -> Renewal? {
        let (total, known) = account.withLock { ($0.total, $0.known[key]) }
        guard let total, let row = try known?.blob == blob ? known : lookUp(key, holding: blob, db),
            row.mayStand(for: expiry, now: now), total - row.size + size <= quota
        else { return nil }
        try makeRoom(for: row) { try settle(db) }
        return Renewal(key: key, row: row, size: size, expiry: expiry, now: now)
    }

    private func lookUp(_ key: String, holding blob: Data, _ db: Database) throws -> Row? {
        try lastSame.get(sameSQL, [.text(key), .blob(blob)], in: db).firstRow { try Row(&$0, blob: blob) }
    }

    /// Sets an entry again as ``renewal(_:of:size:expiry:now:quota:_:)`` said.
    func renew(_ renewal: Renewal) {
        account.withLock { $0.total? += renewal.size - renewal.row.size }
        wait(renewal)
    }

    private func makeRoom(for row: Row, telling: () throws -> Void) throws {
        guard row.waiting == nil, account.withLock({ !$0.known.haveRoom }) else { return }
        try telling()
        account.withLock { $0.known.removeAll() }
    }

    private func wait(_ renewal: Renewal) {
        let isFirst = account.withLock { account in
            let wereTold = account.known.areTold
            account.known.wait(renewal, set: account.timeToSet(at: renewal.now))
            return wereTold
        }
        if isFirst { onWaiting() }
    }

    /// Tells the rows what waits for them, in a transaction of its own. If nothing does, the file is not locked.
    func settle(_ db: Database) throws {
        guard account.withLock({ !$0.known.areTold }) else { return }
        try db.inImmediateTransaction { try counting(db) { _ in try tellRows(db) } }
    }

    private func tellRows(_ db: Database) throws {
        for (key, row, facts) in account.withLock({ $0.known.takeWaiting() }) {
            try run(lastTold, toldSQL, db) { arguments in
                try arguments.append(facts.set)
                try arguments.append(facts.expiry)
                try arguments.append(facts.size)
                try arguments.append(row.rowid)
                try arguments.append(row.says.set)
            }
            if db.changesCount == 0 { account.withLock { $0.known.remove(key) } }
        }
    }

    // MARK: - Many entries

    func removeAll(_ db: Database) throws {
        try counting(db) { total in
            account.withLock { $0.known.removeAll() }
            try run("DELETE FROM \(table)", [], db)
            total = 0
        }
    }

    func removeExpired(now: Date, _ db: Database) throws {
        try counting(db) { total in
            try tellRows(db)
            account.withLock { $0.known.removeExpired(now: now) }
            let now = try now.storedValue()
            total -=
                try db.firstRow(#"SELECT TOTAL(\#(Self.size)) FROM \#(table) WHERE "expiresAt" <= ?"#, [now]) {
                    Int(try $0.next() as Double)
                } ?? 0
            try run(#"DELETE FROM \#(table) WHERE "expiresAt" <= ?"#, [now], db)
        }
    }

    /// - Returns: How many bytes went.
    private func evict(_ excess: Int, now: Date, _ db: Database) throws -> Int {
        try tellRows(db)
        var freed = 0
        let orders: [(String, [StoredValue])] = try [
            (#"WHERE "expiresAt" <= ? ORDER BY "expiresAt""#, [now.storedValue()]),
            (#"ORDER BY "updatedAt", rowid"#, []),
        ]
        for (order, arguments) in orders {
            while freed < excess,
                let (rowid, size, key) = try db.firstRow(
                    #"SELECT rowid, \#(Self.size), CAST("key" AS TEXT) FROM \#(table) \#(order) LIMIT 1"#, arguments,
                    { (try $0.next() as Int64, try $0.next() as Int, try $0.next() as String?) })
            {
                try run("DELETE FROM \(table) WHERE rowid = ?", [.integer(rowid)], db)
                freed += size
                account.withLock { account in
                    if let key { account.known.remove(key) }
                    account.numbers.evictions += 1
                }
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
            account.known.removeAll()
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
            account.known.removeAll()
            account.lastSet = [account.lastSet, lastSet?.flatMap { $0 }].compactMap { $0 }.max()
        }
        return try sumOfSizes(db)
    }

    private func sumOfSizes(_ db: Database) throws -> Int {
        try db.firstRow("SELECT TOTAL(\(Self.size)) FROM \(table)", []) { Int(try $0.next() as Double) } ?? 0
    }

    // MARK: - Statements

    private func run(_ sql: String, _ arguments: [StoredValue], _ db: Database) throws {
        try observer.run(sql, arguments, on: name, db)
    }

    private func run(
        _ last: LastStatement, _ sql: String, _ db: Database, bind: (inout RowWriter) throws -> Void
    ) throws {
        let statement = try last.get(sql, in: db)
        try EntityCodec.withWriter(of: statement, coders: .standard) { arguments in
            try bind(&arguments)
            try arguments.checkBindings()
            try observer.run(statement, on: name, db)
        }
    }

    // MARK: - Numbers

    func count(isHit: Bool) {
        account.withLock { account in
            if isHit { account.numbers.hits += 1 } else { account.numbers.misses += 1 }
        }
    }

    func statistics(_ db: Database) throws -> CacheStatistics.Tier {
        var tier = account.withLock { $0.numbers }
        let waiting = account.withLock { $0.known.addedBytes }
        tier.count = try db.firstRow("SELECT COUNT(*) FROM \(table)", []) { try $0.next() } ?? 0
        tier.bytes = try sumOfSizes(db) + waiting
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
