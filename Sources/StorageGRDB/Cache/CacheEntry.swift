extension CacheTable {
    /// What the entries of entities hold. They stand in the table under `KeyBuilder.entityKey`.
    ///
    /// An entry says that an entity was used within its lifetime, and no more: the entity itself is read from its row, which
    /// lies in the same file. So it is never older than the row, whoever wrote that: another process, a program without
    /// StorageKit. A copy could only be believed if the row were looked at as well.
    static let mark = Data("row".utf8)

    /// What the keys of an entity's entries begin with, before its id.
    static func keyPrefix<E: StorageKitEntity>(_ type: E.Type, _ config: StorageConfig) -> String {
        KeyBuilder(namespace: config.namespace).entityKey(type, id: "")
    }

    /// An entry as it stands in the table.
    struct Entry {
        let blob: Data
        /// Whether what should be the time to expire is none, or there are no bytes. To read such an entry is an error.
        let isDamaged: Bool
        /// Whether it has expired, by what the row says.
        let hasExpired: Bool
        /// When the row says that the entry was set. It is read if it has expired.
        let set: Date?

        /// Reads the bytes, the time to expire, and the time it was set.
        init(_ row: inout RowReader, now: Date) throws {
            let bytes: Data? = try row.next()
            let (expiry, hasNoExpiry) = row.nextExpiry()
            blob = bytes ?? Data()
            isDamaged = bytes == nil || hasNoExpiry
            hasExpired = expiry.map { $0 <= now } ?? false
            set = hasExpired ? try? row.next() : nil
        }

        /// Whether it is an entity's.
        var isOfTier: Bool { !isDamaged && blob == CacheTable.mark }
    }

    /// The row of an entry that is to be set again.
    struct Row: Sendable {
        /// What a row says of its entry.
        struct Facts: Sendable {
            let set: Date
            let expiry: Date?
            var size: Int
        }

        let rowid: Int64
        var says: Facts
        /// What is yet to be written to it.
        var waiting: Facts?
        /// What the entry holds, as far as that is known.
        var blob: Data?
        /// Whether others have committed since the row was read. It may say something else now, or be gone.
        var isDoubtful = false
        /// Whether what should be a time is none, or one outside the years that have a text.
        let isDamaged: Bool

        /// The bytes of the entry, as they were counted.
        var size: Int { (waiting ?? says).size }

        /// Reads the rowid, the size, the time to expire, and the time it was set.
        init(_ row: inout RowReader, blob: Data? = nil) throws {
            rowid = try row.next()
            let size: Int = try row.next()
            let (expiry, isDamaged) = row.nextExpiry()
            let set = isDamaged ? nil : (try? row.next() as Date).flatMap { DateText.isInYears($0) ? $0 : nil }
            says = Facts(set: set ?? .distantPast, expiry: expiry, size: size)
            self.isDamaged = set == nil
            self.blob = blob
        }

        /// Whether the end that the row says may stay for now: it is no later than the new one, and at least half of the lifetime is left.
        func mayStand(for new: Date?, now: Date) -> Bool {
            guard !isDamaged else { return false }
            guard let new, let expiry = says.expiry else { return new == nil && says.expiry == nil }
            return expiry <= new && expiry.timeIntervalSince(now) >= new.timeIntervalSince(now) / 2
        }
    }

    /// That an entry is set again whose times are written to its row later.
    struct Renewal {
        let key: StoredValue
        let row: Row
        let size: Int
        let expiry: Date?
        let now: Date
    }
}

extension RowReader {
    /// The time to expire, which is nil for an entry that never does, and whether there stands something else.
    fileprivate mutating func nextExpiry() -> (Date?, isDamaged: Bool) {
        do {
            return (try next(), false)
        } catch {
            return (nil, true)
        }
    }
}

/// An entry of the disk cache that is not what was put there.
struct BrokenEntryError: LocalizedError {
    var errorDescription: String? { "the entry was damaged, or comes from another version of the app" }
}
