import GRDB
import GRDBSQLite

/// An SQL function that makes upper and lower case the same in all of Unicode; SQLite's own `lower` knows ASCII alone.
/// Raw SQL may use it: `storagekit_fold(name)`.
enum CaseFolding {
    static let functionName = "storagekit_fold"

    /// GRDB's functions get text up to its first NUL only, so that this one is SQLite's own.
    static func add(to db: Database) {
        sqlite3_create_function_v2(
            db.sqliteConnection, functionName, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { context, _, values in
                guard let value = values?[0], sqlite3_value_type(value) == SQLITE_TEXT,
                    let start = sqlite3_value_text(value)
                else { return sqlite3_result_null(context) }
                let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
                var folded = String(decoding: bytes, as: UTF8.self).caseFolded
                folded.withUTF8 { utf8 in
                    let chars = UnsafeRawPointer(utf8.baseAddress ?? UnsafePointer(start))
                        .assumingMemoryBound(to: CChar.self)
                    sqlite3_result_text64(context, chars, UInt64(utf8.count), copyAtOnce, UInt8(SQLITE_UTF8))
                }
            }, nil, nil, nil)
    }
}

extension String {
    /// The text without difference of case. Capitals first, which are one where there are two small letters (σ, ς) or
    /// two capitals where there is one small letter (ß).
    var caseFolded: String { uppercased().lowercased() }
}
