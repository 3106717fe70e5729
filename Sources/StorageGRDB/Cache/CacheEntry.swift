extension CacheTable {
    /// An entry as it stands in the table.
    struct Entry {
        let blob: Data
        /// Whether what should be the time to expire is none. To read such an entry is an error.
        let isDamaged: Bool
        /// When the row says that the entry was set, if by what it says it has expired.
        let setBeforeExpiry: StoredValue?

        /// Reads the bytes, the time to expire, and the time it was set.
        init(_ row: inout RowReader, now: Date) throws {
            blob = try row.next()
            let expiry: Date?
            (expiry, isDamaged) = row.nextExpiry()
            setBeforeExpiry = expiry.map { $0 <= now } == true ? row.storedValue(at: 2) : nil
        }
    }

    /// What the table says of an entry that is to be set again.
    struct Row {
        let rowid: Int64
        let size: Int
        let expiry: Date?
        let isDamaged: Bool
        /// The value of `updatedAt`.
        let set: StoredValue

        /// Reads the rowid, the size, the time to expire, and the time it was set.
        init(_ row: inout RowReader) throws {
            rowid = try row.next()
            size = try row.next()
            (expiry, isDamaged) = row.nextExpiry()
            set = row.storedValue(at: 3)
        }
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
