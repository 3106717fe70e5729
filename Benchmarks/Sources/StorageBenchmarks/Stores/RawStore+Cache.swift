import Foundation
import GRDBSQLite

/// What a program does that keeps values in a table of its own.
extension RawStore {
    /// Selects the bytes of each key.
    ///
    /// - Returns: How many were there.
    func countEach(_ keys: [String], in table: String, decoding: Bool = false) throws -> Int {
        let select = try prepare(#"SELECT "blob" FROM \#(table) WHERE "key" = ?"#)
        var found = 0
        for key in keys {
            select.reset()
            select.bind(key, at: 1)
            guard try select.step() else { continue }
            let blob = RawUsers.data(select.handle, 0)
            if decoding {
                found += try JSONDecoder().decode(Setting.self, from: blob).text.isEmpty ? 0 : 1
            } else {
                found += blob.isEmpty ? 0 : 1
            }
        }
        select.reset()
        return found
    }

    /// Sets each key to a number as JSON, in a transaction of its own.
    func setEach(_ keys: [String], from number: Int, in table: String) throws -> Int {
        let save = try prepare(
            """
            INSERT INTO \(table) ("key", "blob", "updatedAt", "expiresAt", "size") VALUES (?, ?, ?, ?, ?)
            ON CONFLICT("key") DO UPDATE SET "blob" = excluded."blob", "updatedAt" = excluded."updatedAt",
                "expiresAt" = excluded."expiresAt", "size" = excluded."size"
            """)
        let now = Date()
        for (offset, key) in keys.enumerated() {
            let blob = try JSONEncoder().encode(Setting(number + offset))
            save.reset()
            save.bind(key, at: 1)
            save.bind(blob, at: 2)
            RawDate.bind(now, save.handle, 3)
            RawDate.bind(now + 300, save.handle, 4)
            sqlite3_bind_int64(save.handle, 5, Int64(blob.count))
            _ = try save.step()
        }
        save.reset()
        return keys.count
    }
}
