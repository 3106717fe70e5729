import GRDB
import GRDBSQLite

/// One row on its way out, its columns written by position.
///
/// Values are bound to a statement's parameters, or collected when they go elsewhere (GRDB's own insert and
/// update). Generated code calls `append(_:)` once for each column, in the order of the column list.
public struct RowWriter: ~Copyable {
    private let statement: OpaquePointer?
    let coders: JSONCoders
    private var madeEncoder: JSONEncoder?
    private(set) var collected: [StoredValue] = []
    /// The column being written, from 0; after an error it tells which one was at fault.
    @usableFromInline var index: Int32 = -1

    /// The first thing that SQLite said against a value: too long, or out of memory.
    private var bindResult = SQLITE_OK
    /// The column of that value.
    private var refusedIndex: Int32 = -1

    /// Binds to the parameters of a statement, which must have been reset.
    init(statement: OpaquePointer, coders: JSONCoders) {
        self.statement = statement
        self.coders = coders
    }

    /// Collects the values.
    init(coders: JSONCoders = .standard) {
        statement = nil
        self.coders = coders
    }

    /// Collects values with the coders of another writer.
    init(sharing other: borrowing RowWriter) {
        statement = nil
        coders = other.coders
        madeEncoder = other.madeEncoder
    }

    mutating func append(_ value: StoredValue) {
        index += 1
        bind(value)
    }

    /// Makes the encoder now, so that writers which share it need not.
    mutating func prepareEncoder() {
        _ = encoder()
    }

    /// One encoder serves all JSON columns of a row.
    private mutating func encoder() -> JSONEncoder {
        if let madeEncoder { return madeEncoder }
        let encoder = coders.makeEncoder()
        madeEncoder = encoder
        return encoder
    }

    mutating func json<Value: Encodable>(_ value: Value) throws -> String {
        try JSONText.encode(value, with: encoder())
    }

    /// - Throws: `DatabaseError` if SQLite refused a value, which would be NULL to it.
    func checkBindings() throws {
        guard bindResult == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: bindResult)) }
    }

    /// The column whose value SQLite refused as too long.
    var tooLongIndex: Int32? { bindResult == SQLITE_TOOBIG ? refusedIndex : nil }

    private mutating func check(_ result: Int32) {
        guard result != SQLITE_OK, bindResult == SQLITE_OK else { return }
        bindResult = result
        refusedIndex = index
    }
}

extension RowWriter {
    mutating func bind(_ value: StoredValue) {
        switch value {
        case .null: bindNull()
        case .integer(let value): bindInteger(value)
        case .real(let value): bindReal(value)
        case .text(let value): bindText(value)
        case .blob(let value): bindBlob(value)
        }
    }

    @usableFromInline
    mutating func bindNull() {
        if let statement {
            check(sqlite3_bind_null(statement, index + 1))
        } else {
            collected.append(.null)
        }
    }

    mutating func bindInteger(_ value: Int64) {
        if let statement {
            check(sqlite3_bind_int64(statement, index + 1, value))
        } else {
            collected.append(.integer(value))
        }
    }

    mutating func bindReal(_ value: Double) {
        if let statement {
            check(sqlite3_bind_double(statement, index + 1, value))
        } else {
            collected.append(.real(value))
        }
    }

    mutating func bindText(_ value: String) {
        if statement != nil {
            var value = value
            value.withUTF8 { bindText($0) }
        } else {
            collected.append(.text(value))
        }
    }

    mutating func bindText(_ utf8: UnsafeBufferPointer<UInt8>) {
        if let statement {
            // An empty string may have no address, and a null pointer would bind NULL.
            let start: UnsafeRawPointer = utf8.baseAddress.map { UnsafeRawPointer($0) } ?? emptyBytes
            let chars = start.assumingMemoryBound(to: CChar.self)
            check(
                sqlite3_bind_text64(statement, index + 1, chars, UInt64(utf8.count), copyAtOnce, UInt8(SQLITE_UTF8)))
        } else {
            collected.append(.text(String(decoding: utf8, as: UTF8.self)))
        }
    }

    mutating func bindBlob(_ value: Data) {
        if let statement {
            let index = index
            let result = value.withUnsafeBytes { bytes in
                sqlite3_bind_blob64(
                    statement, index + 1, bytes.baseAddress ?? emptyBytes, UInt64(bytes.count), copyAtOnce)
            }
            check(result)
        } else {
            collected.append(.blob(value))
        }
    }
}

/// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
nonisolated(unsafe) let copyAtOnce = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
/// An address for what has no bytes.
nonisolated(unsafe) let emptyBytes = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
