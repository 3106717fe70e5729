import GRDBSQLite

/// Text in and out of SQL functions. GRDB's functions get text up to its first NUL only, so that ours are SQLite's own.
enum SQLFunction {
    /// Adds a function of one argument, whose result depends on that alone.
    static func add(
        _ name: String, to connection: OpaquePointer?,
        _ function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) {
        sqlite3_create_function_v2(
            connection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, function, nil, nil, nil)
    }

    static func text(of argument: OpaquePointer?) -> String? {
        guard let start = sqlite3_value_text(argument) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument))), as: UTF8.self)
    }

    static func give(_ text: String, _ context: OpaquePointer?) {
        var text = text
        text.withUTF8 { utf8 in
            let chars = (utf8.baseAddress.map { UnsafeRawPointer($0) } ?? emptyBytes)
                .assumingMemoryBound(to: CChar.self)
            sqlite3_result_text64(context, chars, UInt64(utf8.count), copyAtOnce, UInt8(SQLITE_UTF8))
        }
    }
}
