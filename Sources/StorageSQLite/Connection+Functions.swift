public import Foundation
import GRDBSQLite

extension Connection {
    /// Adds an SQL function of one argument. Unlike GRDB's, it gets texts beyond their first NUL.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - function: The function, whose result depends on the argument alone.
    public func addFunction(_ name: String, _ function: @escaping @Sendable (SQLiteValue) -> SQLiteValue) {
        sqlite3_create_function_v2(
            pointer, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, Box(function).retained,
            { context, _, arguments in
                let function = Box<@Sendable (SQLiteValue) -> SQLiteValue>.value(sqlite3_user_data(context))
                context?.setResult(function(ColumnCell(arguments?[0]).value))
            }, nil, nil, { Box<@Sendable (SQLiteValue) -> SQLiteValue>.release($0) })
    }

    /// Adds a collation.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - compare: The order of two texts.
    public func addCollation(_ name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult) {
        sqlite3_create_collation_v2(
            pointer, name, SQLITE_UTF8, Box(compare).retained,
            { box, leftCount, left, rightCount, right in
                let compare = Box<@Sendable (String, String) -> ComparisonResult>.value(box)
                return Int32(compare(text(left, leftCount), text(right, rightCount)).rawValue)
            }, { Box<@Sendable (String, String) -> ComparisonResult>.release($0) })
    }
}

private func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
}

/// What SQLite holds for as long as it has a function or a collation: retained once when it is added, released by SQLite.
private final class Box<Value> {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }

    var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func value(_ box: UnsafeMutableRawPointer?) -> Value {
        guard let box else { preconditionFailure("SQLite calls a function without what it was given with it") }
        return Unmanaged<Box<Value>>.fromOpaque(box).takeUnretainedValue().value
    }

    static func release(_ box: UnsafeMutableRawPointer?) {
        box.map { Unmanaged<Box<Value>>.fromOpaque($0).release() }
    }
}

extension OpaquePointer {
    /// Gives an SQL function's result to the context that it was called with.
    fileprivate func setResult(_ value: SQLiteValue) {
        switch value {
        case .null: sqlite3_result_null(self)
        case .integer(let number): sqlite3_result_int64(self, number)
        case .real(let number): sqlite3_result_double(self, number)
        case .text(let text):
            text.withBytes { utf8 in
                let start = UnsafeRawPointer(utf8.baseAddress).map { $0 } ?? BytesOwnership.noBytes
                sqlite3_result_text64(
                    self, start.assumingMemoryBound(to: CChar.self), UInt64(utf8.count), BytesOwnership.transient,
                    UInt8(SQLITE_UTF8))
            }
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                sqlite3_result_blob64(
                    self, bytes.baseAddress ?? BytesOwnership.noBytes, UInt64(bytes.count), BytesOwnership.transient)
            }
        }
    }
}
