/// What the disk cache says to its table.
final class CacheSQL: Sendable {
    let table: String
    let select: String
    let upsert: String
    let update: String
    let row: String
    let sameRow: String
    let updateTimes: String

    /// The bytes of an entry. The length of a blob stands in front of it, its column of sizes behind: of a large one SQLite would go through
    /// all pages for it. No blob is larger than 2^31; what says so, or is no number, is damaged, and must not add up to more than a number
    /// holds.
    static let size = """
        CASE WHEN typeof("blob") = 'blob' AND length("blob") > 400 THEN length("blob") \
        WHEN typeof("size") = 'integer' AND "size" BETWEEN 0 AND 2147483647 THEN "size" ELSE 0 END
        """

    init(table name: String) {
        table = name.quotedIdentifier
        // Whatever stands there is read as bytes, for the reader to judge.
        select = #"SELECT CAST("blob" AS BLOB), "expiresAt", "updatedAt" FROM \#(table) WHERE "key" = ?"#
        // REPLACE would take the old entry out of four B-trees and put the new one in.
        upsert = """
            INSERT INTO \(table) ("key", "blob", "updatedAt", "expiresAt", "size") VALUES (?, ?, ?, ?, ?) \
            ON CONFLICT("key") DO UPDATE SET "blob" = excluded."blob", "updatedAt" = excluded."updatedAt", \
            "expiresAt" = excluded."expiresAt", "size" = excluded."size"
            """
        // What is known of a row may no longer be so: its number alone could be another's by now.
        update = #"UPDATE \#(table) SET "blob" = ?, "size" = ? WHERE rowid = ? AND "key" = ? AND "updatedAt" = ?"#
        row = #"SELECT rowid, \#(CacheSQL.size), "expiresAt", "updatedAt" FROM \#(table) WHERE "key" = ?"#
        sameRow = #"\#(row) AND "blob" = ?"#
        updateTimes = """
            UPDATE \(table) SET "updatedAt" = ?, "expiresAt" = ?, "size" = ? \
            WHERE rowid = ? AND "key" = ? AND "updatedAt" = ?
            """
    }
}
