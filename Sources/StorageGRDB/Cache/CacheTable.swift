import GRDB
import Synchronization

/// The table of the disk cache: entries by key, each with a time to expire, all of them together within a quota.
///
/// The bytes in the table are counted once and then followed, so that setting an entry scans nothing. That other connections have committed
/// is noticed by SQLite's `data_version`: what they have set is found by its time, and what they have removed where the quota would be
/// passed, by counting anew. Entries are set and removed in a transaction of the caller's, which calls ``forgetCount()`` if it does
/// not commit.
package final class CacheTable: Sendable {
    let name: String
    private let sql: CacheSQL
    private let account = Mutex(CacheAccount())
    /// Called when times begin to wait to be written to their rows.
    private let onWaiting: @Sendable () -> Void

    /// - Parameter onWaiting: Called on the writer's thread when times begin to wait to be written to their rows.
    init(name: String, onWaiting: @escaping @Sendable () -> Void) {
        self.name = name
        self.onWaiting = onWaiting
        sql = CacheSQL(table: name)
    }

    // MARK: - One entry

    /// The entry of a key, or nil if there is none or it has expired.
    func get(_ key: String, now: Date, _ db: Database) throws -> Entry? {
        unlessExpired(try db.firstRow(sql.select, [.text(key)]) { try Entry(&$0, now: now) }, key, now: now)
    }

    /// An entry that was found, unless it has expired. Damaged ones have not, for whoever reads them to say so.
    private func unlessExpired(_ found: Entry?, _ key: String, now: Date) -> Entry? {
        guard let entry = found, entry.hasExpired else { return found }
        let isAlive = entry.set.map { set in
            account.withLock { $0.known.isAlive(.text(key), setAt: set, now: now) }
        }
        return isAlive == true ? entry : nil
    }

    /// The entry of a key, read on the calling thread.
    ///
    /// - Returns: Nil if no connection is free.
    func getAtOnce(_ key: String, now: Date, _ db: DatabaseActor) -> Entry?? {
        var found: Entry?
        guard db.readRowAtOnce(sql.select, [.text(key)], .standard, { found = try Entry(&$0, now: now) }) else {
            return nil
        }
        return .some(unlessExpired(found, key, now: now))
    }

    /// Sets an entry. Over the quota, expired entries go first, then those that were set longest ago. An entry that is
    /// larger than the quota is not kept.
    ///
    /// - Parameter size: The bytes that count towards the quota; nil for those of the blob.
    func set(
        _ key: String, to blob: Data, size: Int? = nil, expiry: Date?, now: Date, quota: Int, _ db: Database
    ) throws {
        // Of an entity it holds the same each time.
        let holdsMark = size != nil
        let (key, size) = (StoredValue.text(key), size ?? blob.count)
        try counting(db) { total in
            let row = try row(key, db)
            total.bytes -= row?.size ?? 0
            guard size <= quota else { return try delete(key, row, &total, db) }
            total.bytes += size
            // Others find what was set by its time. A row that stands keeps its own, so that what has grown is written anew.
            let mayStand =
                total.bytes <= quota
                && row.map { size <= $0.says.size && $0.mayStand(for: expiry, now: now) } == true
            if mayStand, var row, try update(row, key, blob, size, db) {
                row.isDoubtful = false
                row.blob = holdsMark ? blob : nil
                row.says.size = size
                if account.withLock({ !$0.known.haveRoom(for: key) }) {
                    try writeTimes(&total, db)
                    account.withLock { $0.known.removeAll() }
                }
                return wait(Renewal(key: key, row: row, size: size, expiry: expiry, now: now))
            }
            let time = account.withLock { account in
                account.known.remove(key)
                return account.timeToSet(at: now)
            }
            try db.run(
                sql.upsert,
                [key, .blob(blob), time.storedValue(), expiry?.storedValue() ?? .null, .integer(Int64(size))])
            account.withLock { $0.wrote(time) }
            if let row, mayStand || row.isDoubtful { total.mayHaveLost(row) }
            guard total.bytes > quota else { return }
            try writeTimes(&total, db)
            var bytesToKeep = quota
            if total.isUpperBound {
                total = try count(db)
                bytesToKeep = max(total.bytesToKeep(of: quota), size)
            }
            if total.bytes > bytesToKeep { try evict(&total, to: bytesToKeep, now: now, db) }
        }
    }

    /// - Returns: Whether the row was there.
    private func update(_ row: Row, _ key: StoredValue, _ blob: Data, _ size: Int, _ db: Database) throws -> Bool {
        try db.run(sql.update) { arguments in
            try arguments.append(blob)
            try arguments.append(size)
            try arguments.append(row.rowid)
            arguments.append(key)
            try arguments.append(row.says.set)
        }
        return db.changesCount == 1
    }

    private func row(_ key: StoredValue, _ db: Database) throws -> Row? {
        if let row = account.withLock({ $0.known[key] }) { return row }
        return try db.firstRow(sql.row, [key]) { try Row(&$0) }
    }

    func remove(_ key: String, _ db: Database) throws {
        try counting(db) { total in
            let key = StoredValue.text(key)
            let row = try row(key, db)
            total.bytes -= row?.size ?? 0
            try delete(key, row, &total, db)
        }
    }

    /// - Parameters:
    ///   - row: The row of the entry, as far as that is known.
    ///   - total: The bytes of all others.
    private func delete(_ key: StoredValue, _ row: Row?, _ total: inout CacheTotal, _ db: Database) throws {
        account.withLock { $0.known.remove(key) }
        try db.run(#"DELETE FROM \#(sql.table) WHERE "key" = ?"#, [key])
        if let row, db.changesCount == 0 { total.mayHaveLost(row) }
    }

    // MARK: - Rows that wait

    /// What setting an entry again would come to, if it holds these bytes already and its times need not be written at once: nothing
    /// is written then.
    func renewal(
        _ key: String, of blob: Data, size: Int, expiry: Date?, now: Date, quota: Int, _ db: Database
    ) throws -> Renewal? {
        let key = StoredValue.text(key)
        let (total, known, haveRoom) = account.withLock { account in
            (account.total, account.known[key], account.known.haveRoom(for: key))
        }
        guard let total, haveRoom, try dataVersion(db) == account.withLock({ $0.dataVersion }),
            let row = try known?.blob == blob ? known : sameRow(key, holding: blob, db),
            !row.isDoubtful, row.mayStand(for: expiry, now: now), total.bytes - row.size + size <= quota
        else { return nil }
        return Renewal(key: key, row: row, size: size, expiry: expiry, now: now)
    }

    private func sameRow(_ key: StoredValue, holding blob: Data, _ db: Database) throws -> Row? {
        try db.firstRow(sql.sameRow, [key, .blob(blob)]) { try Row(&$0, blob: blob) }
    }

    /// Sets an entry again as ``renewal(_:of:size:expiry:now:quota:_:)`` said.
    func renew(_ renewal: Renewal) {
        account.withLock { $0.total?.bytes += renewal.size - renewal.row.size }
        wait(renewal)
    }

    private func wait(_ renewal: Renewal) {
        let isFirst = account.withLock { account in
            let wereWritten = account.known.areWritten
            account.known.wait(renewal, set: account.timeToSet(at: renewal.now))
            return wereWritten
        }
        if isFirst { onWaiting() }
    }

    /// Writes the times that wait to their rows, in a transaction of its own. If nothing does, the file is not locked. If another
    /// connection has locked it, they go on waiting.
    func writeWaitingTimes(_ db: Database) throws {
        guard account.withLock({ !$0.known.areWritten }) else { return }
        do {
            try db.atomically({ try counting(db) { try writeTimes(&$0, db) } }, ifUndone: forgetCount)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            onWaiting()
        }
    }

    /// - Parameter total: May be less where a row was not there any more.
    private func writeTimes(_ total: inout CacheTotal, _ db: Database) throws {
        if try writeTimes(db) { total.isUpperBound = true }
    }

    /// - Returns: Whether a row was not there any more.
    private func writeTimes(_ db: Database) throws -> Bool {
        var isOneMissing = false
        for (key, row, facts) in account.withLock({ $0.known.takeWaiting() }) {
            try db.run(sql.updateTimes) { arguments in
                try arguments.append(facts.set)
                try arguments.append(facts.expiry)
                try arguments.append(facts.size)
                try arguments.append(row.rowid)
                arguments.append(key)
                try arguments.append(row.says.set)
            }
            let isThere = db.changesCount > 0
            isOneMissing = isOneMissing || !isThere
            account.withLock { isThere ? $0.wrote(facts.set) : $0.known.remove(key) }
        }
        return isOneMissing
    }

    // MARK: - Many entries

    func removeAll(_ db: Database) throws {
        try counting(db) { total in
            account.withLock { $0.known.removeAll() }
            try db.run("DELETE FROM \(sql.table)", [])
            total = CacheTotal(bytes: 0, countedRows: 0)
        }
    }

    func removeExpired(now: Date, _ db: Database) throws {
        try counting(db) { total in
            try writeTimes(&total, db)
            account.withLock { $0.known.removeExpired(now: now) }
            let condition = #"WHERE "expiresAt" <= ?"#
            let now = try now.storedValue()
            total.bytes -= try bytes(condition, [now], db).bytes
            try db.run("DELETE FROM \(sql.table) \(condition)", [now])
        }
    }

    private func evict(_ total: inout CacheTotal, to bytesToKeep: Int, now: Date, _ db: Database) throws {
        let orders: [(String, [StoredValue])] = try [
            (#"WHERE "expiresAt" <= ? ORDER BY "expiresAt""#, [now.storedValue()]),
            (#"ORDER BY "updatedAt", rowid"#, []),
        ]
        for (order, arguments) in orders {
            while total.bytes > bytesToKeep,
                let (rowid, size, key) = try db.firstRow(
                    #"SELECT rowid, \#(CacheSQL.size), CAST("key" AS TEXT) FROM \#(sql.table) \#(order) LIMIT 1"#,
                    arguments, { (try $0.next() as Int64, try $0.next() as Int, try $0.next() as String?) })
            {
                try db.run("DELETE FROM \(sql.table) WHERE rowid = ?", [.integer(rowid)])
                total.bytes -= size
                account.withLock { account in
                    if let key { account.known.remove(.text(key)) }
                    account.numbers.evictions += 1
                }
            }
        }
    }

    // MARK: - The count

    /// To be called when a transaction that wrote here was not committed, before another begins.
    func forgetCount() {
        account.withLock { $0.forget() }
    }

    private func counting(_ db: Database, _ body: (inout CacheTotal) throws -> Void) throws {
        do {
            var total = try currentTotal(db)
            try body(&total)
            total.operations += 1
            account.withLock { $0.total = total }
        } catch {
            forgetCount()
            throw error
        }
    }

    private func currentTotal(_ db: Database) throws -> CacheTotal {
        let version = try dataVersion(db)
        var (total, isCurrent, newest) = account.withLock { ($0.total, $0.dataVersion == version, $0.newest) }
        if !isCurrent {
            if let newest {
                total?.addOthers(try bytes(#"WHERE "updatedAt" > ?"#, [newest.storedValue()], db).bytes)
            } else {
                total = nil
            }
            let last = try db.firstRow(#"SELECT MAX("updatedAt") FROM \#(sql.table)"#, []) { try? $0.next() as Date? }
            account.withLock { $0.note(dataVersion: version, lastSet: last?.flatMap { $0 }) }
        }
        if let total, !total.isToBeCountedAgain { return total }
        // A row whose size is written later counts for what it will be, if it is still there.
        _ = try writeTimes(db)
        return try count(db)
    }

    /// SQLite's number of what other connections have committed.
    private func dataVersion(_ db: Database) throws -> Int? {
        try db.firstRow("PRAGMA data_version", []) { try $0.next() }
    }

    /// The bytes of all entries, those included that are yet to be written to their rows.
    private func count(_ db: Database) throws -> CacheTotal {
        let (bytes, rows) = try bytes("", [], db)
        return CacheTotal(bytes: bytes + account.withLock { $0.known.addedBytes }, countedRows: rows)
    }

    private func bytes(
        _ condition: String, _ arguments: [StoredValue], _ db: Database
    ) throws -> (bytes: Int, rows: Int) {
        let sum = "SELECT TOTAL(\(CacheSQL.size)), COUNT(*) FROM \(sql.table) \(condition)"
        return try db.firstRow(sum, arguments) { (Int(try $0.next() as Double), try $0.next()) } ?? (0, 0)
    }

    // MARK: - Numbers

    func noteRead(isHit: Bool) {
        account.withLock { account in
            if isHit { account.numbers.hits += 1 } else { account.numbers.misses += 1 }
        }
    }

    func statistics(_ db: Database) throws -> CacheStatistics.Tier {
        var tier = account.withLock { $0.numbers }
        let total = try count(db)
        tier.count = total.countedRows
        tier.bytes = total.bytes
        return tier
    }
}
