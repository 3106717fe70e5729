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
}
