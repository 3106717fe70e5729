import GRDB
import Synchronization

/// The tier in the database file, for one entity type. Its entries stand in the cache table under
/// `KeyBuilder.entityKey`.
///
/// Triggers on the entity's table empty an entry in the very transaction that changes its row, whoever writes:
/// another process, a program without StorageKit. A row that SQLite takes away without a word to triggers (by REPLACE,
/// for another row with the same unique value) is noticed when its entry is read, since the row is looked for too.
package final class DiskTier<R: StorageKitEntityRecord>: Sendable {
    let cache: CacheTable
    private let table: RecordTable<R>
    private let keyPrefix: String
    private let blobs: EntityBlob
    private let clock: any Clock
    private let quota: Int
    private let triggers: [CacheTrigger]
    private let rowExists: String
    /// The schema in which the triggers were seen last; nil before, and once another was seen inside a transaction.
    private let checkedSchema = Mutex<Int?>(nil)

    init(_ table: RecordTable<R>, in cache: CacheTable, config: StorageConfig) {
        self.table = table
        self.cache = cache
        clock = config.clock
        quota = config.diskQuotaBytes
        keyPrefix = KeyBuilder(namespace: config.namespace).entityKey(R.E.self, id: "")
        blobs = EntityBlob(of: table)
        rowExists =
            "EXISTS (SELECT 1 FROM \(table.name.quotedIdentifier) WHERE \(table.idColumn.quotedIdentifier) = ?)"
        triggers = CacheTrigger.all(on: table.name, id: table.idColumn, cache: cache.name, keyPrefix: keyPrefix)
    }

    /// The key of an entry; nil for an id that has no text to know it by.
    private func key(_ id: StoredValue) -> String? {
        id.keyText.flatMap { $0.utf8.contains(0) ? nil : keyPrefix + $0 }
    }

    // MARK: - Reading

    /// What the tier has of an id.
    enum Found {
        case entity(R.E)
        case nothing
        /// An entry that cannot be read, and why.
        case broken(key: String, any Error)
    }

    func get(_ id: StoredValue, _ db: Database) throws -> Found {
        guard let key = key(id) else { return .nothing }
        guard let schema = try schemaWithTriggers(db),
            let entry = try cache.get(key, now: clock.now, db, if: rowExists, [id]), !entry.blob.isEmpty
        else {
            cache.count(isHit: false)
            return .nothing
        }
        do {
            let entity = try decode(entry, schema: schema)
            cache.count(isHit: entity != nil)
            return entity.map { .entity($0) } ?? .nothing
        } catch {
            cache.count(isHit: false)
            return .broken(
                key: key, StorageError.cacheDecodingFailed(key: key, type: "\(R.E.self)", underlying: error))
        }
    }

    /// - Returns: Nil for an entry of another schema.
    private func decode(_ entry: CacheTable.Entry, schema: Int) throws -> R.E? {
        guard !entry.isDamaged, let found = blobs.decode(entry.blob), found.values.count == table.columns.count else {
            throw BrokenEntryError()
        }
        return found.schema == schema ? try table.entity(from: found.values) : nil
    }

    // MARK: - Writing

    /// Sets the entry of an entity, inside the transaction that saved it or has just read it.
    ///
    /// - Parameter ttl: Seconds the entry lives; 0 for ever.
    func set(_ id: StoredValue, to values: [StoredValue], ttl: TimeInterval, _ db: Database) throws {
        guard let key = key(id), let schema = try ensureTriggers(db) else { return }
        let cached = clock.now
        let blob = blobs.encode(values, schema: schema)
        try cache.set(key, to: blob, expiry: cached.expiry(after: ttl), now: cached, quota: quota, db)
    }

    // MARK: - Triggers

    /// Entries can be believed only if triggers watched over them all the time.
    ///
    /// - Returns: The number of the schema; nil if it has not all the triggers.
    private func schemaWithTriggers(_ db: Database) throws -> Int? {
        guard let schema = try db.schemaCookie() else { return nil }
        if checkedSchema.withLock({ $0 }) == schema { return schema }
        let names = triggers.map(\.name.quotedLiteral).joined(separator: ", ")
        let sql = "SELECT sql FROM main.sqlite_master WHERE type = 'trigger' AND name IN (\(names))"
        guard try Set(String.fetchAll(db, sql: sql)) == Set(triggers.map(\.sql)) else { return nil }
        // A schema inside a transaction may yet be rolled back, and its number be another's.
        checkedSchema.withLock { $0 = db.isInsideTransaction ? nil : schema }
        return schema
    }

    /// Makes the triggers before the first transaction that needs them in a schema: only of one that was committed it is
    /// remembered that it has them.
    func prepare(_ db: Database) throws {
        if checkedSchema.withLock({ $0 == nil }) { _ = try ensureTriggers(db) }
    }

    /// Makes the triggers unless they are there.
    ///
    /// - Returns: The number of the schema that has them.
    private func ensureTriggers(_ db: Database) throws -> Int? {
        if let schema = try schemaWithTriggers(db) { return schema }
        try db.inSavepoint {
            // What was kept before, nobody watched over. It fails if there is no table, which SQLite would not tell.
            try cache.removeAll(prefix: keyPrefix, db)
            for trigger in triggers {
                try db.execute(sql: "DROP TRIGGER IF EXISTS main.\(trigger.name.quotedIdentifier)")
                try db.execute(sql: trigger.sql)
            }
            return .commit
        }
        return try db.schemaCookie()
    }
}

/// A trigger that empties entries of the disk cache when their rows change.
struct CacheTrigger: Sendable {
    /// What the names of all begin with.
    static let namePrefix = "storagekit_cache_"

    let name: String
    let sql: String

    /// The table that the SQL of a trigger writes to.
    static func cache(in sql: String) -> String? {
        let bytes = Array(sql.utf8)
        guard let begin = bytes.firstRange(of: Array("BEGIN UPDATE \"".utf8)) else { return nil }
        var (name, rest) = ([UInt8](), bytes[begin.upperBound...])
        while let byte = rest.popFirst() {
            // Within the name a quotation mark stands twice.
            if byte == UInt8(ascii: "\""), rest.popFirst() != byte { return String(decoding: name, as: UTF8.self) }
            name.append(byte)
        }
        return nil
    }

    static func all(on table: String, id: String, cache: String, keyPrefix: String) -> [CacheTrigger] {
        let column = id.quotedIdentifier
        func set(_ values: String, for row: String, if condition: String = "") -> String {
            "UPDATE \(cache.quotedIdentifier) SET \(values) "
                + "WHERE \"key\" = \(keyPrefix.quotedLiteral) || \(row).\(column)\(condition);"
        }
        // A changed row has a new entry soon, most often in the same transaction: no index need change for that. An entry
        // whose row is gone is the first to be evicted.
        let (empty, expire) = ("\"blob\" = x''", "\"expiresAt\" = '1970-01-01 00:00:00.000', \"blob\" = x''")
        // As texts, which is what keys are made of: a collation may see no difference where there is one.
        let isOther = " AND ('' || new.\(column)) IS NOT ('' || old.\(column))"
        let hash = String("\(table)|\(keyPrefix)|\(cache)".utf8.fnv1a, radix: 36)
        let events = [
            ("INSERT", set(empty, for: "new")),
            ("UPDATE", set(empty, for: "old") + " " + set(empty, for: "new", if: isOther)),
            ("DELETE", set(expire, for: "old")),
        ]
        return events.map { event, body in
            let name = "\(namePrefix)\(hash)_\(event.lowercased())"
            return CacheTrigger(
                name: name,
                sql: "CREATE TRIGGER \(name.quotedIdentifier) AFTER \(event) ON \(table.quotedIdentifier) "
                    + "BEGIN \(body) END")
        }
    }
}

/// An entry of the disk cache that is not what was put there.
struct BrokenEntryError: LocalizedError {
    var errorDescription: String? { "the entry was damaged, or comes from another version of the app" }
}
