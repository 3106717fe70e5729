import Foundation
import GRDBSQLite

/// The collation and the function that StorageKit adds to its connections, for schemas and queries that name them.
enum StorageKitSQL {
    static func add(to handle: OpaquePointer) {
        sqlite3_create_collation_v2(
            handle, "storagekit_decimal", SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                StorageKitSQL.compare(
                    StorageKitSQL.text(left, leftCount), StorageKitSQL.text(right, rightCount))
            }, nil)
        sqlite3_create_function_v2(
            handle, "storagekit_fold", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { context, _, values in
                guard let value = values?[0], sqlite3_value_type(value) == SQLITE_TEXT else {
                    return sqlite3_result_null(context)
                }
                let count = sqlite3_value_bytes(value)
                var folded = StorageKitSQL.text(sqlite3_value_text(value), count).uppercased().lowercased()
                folded.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { chars in
                        sqlite3_result_text64(
                            context, chars.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64(chars.count),
                            unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
                    }
                }
            }, nil, nil, nil)
    }

    private static func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Decimal texts by their numbers, others behind them by their bytes.
    private static func compare(_ left: String, _ right: String) -> Int32 {
        switch (Decimal(string: left), Decimal(string: right)) {
        case (let left?, let right?): return left < right ? -1 : left == right ? 0 : 1
        case (nil, nil): break
        case (.some, nil): return -1
        case (nil, .some): return 1
        }
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }
}
