import GRDB
import GRDBSQLite
import StorageSQLite

/// One row on its way out, its columns written by position.
///
/// Values are bound to a statement's parameters, or collected when they go elsewhere (GRDB's own insert and
/// update). Generated code calls `append(_:)` once for each column, in the order of the column list.
public struct RowWriter: ~Copyable {
    private let statement: StatementHandle?
    /// Where bound bytes stand, so that SQLite need not copy each into memory of its own.
    private let room: UnsafeMutableRawBufferPointer
    /// How much of the room is taken.
    private var used = 0
    let coders: JSONCoders
    private var madeEncoder: JSONEncoder?
    private(set) var collected: [StoredValue] = []
    /// The one column that is asked for; nil for all. The others' JSON and embedded values are not written.
    private let wanted: Int32?
    /// The column being written, from 0; after an error it tells which one was at fault.
    @usableFromInline var index: Int32 = -1

    /// The first thing that SQLite said against a value: too long, or out of memory.
    private var bindResult = SQLITE_OK
    /// The column of that value.
    private var refusedIndex: Int32 = -1

    /// Binds to the parameters of a statement, which must have been reset.
    ///
    /// - Parameter room: Memory that stays until the parameters are bound anew or cleared. What does not fit into it SQLite
    ///   copies.
    init(statement: StatementHandle, coders: JSONCoders, room: UnsafeMutableRawBufferPointer) {
        self.statement = statement
        self.coders = coders
        self.room = room
        wanted = nil
    }

    /// Starts again at the first column, for another row of the same statement. What was bound is void.
    mutating func rewind() {
        index = -1
        used = 0
    }

    /// Collects the values.
    ///
    /// - Parameters:
    ///   - coders: Make the encoder, where there is none yet.
    ///   - encoder: One that they made.
    ///   - wanted: The one column that is asked for; nil for all.
    init(coders: JSONCoders = .standard, encoder: JSONEncoder? = nil, wanted: Int32? = nil) {
        statement = nil
        room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        self.coders = coders
        madeEncoder = encoder
        self.wanted = wanted
    }

    /// Collects values with the coders of another writer.
    init(sharing other: borrowing RowWriter) {
        self.init(coders: other.coders, encoder: other.madeEncoder)
    }

    /// Whether one of the next columns is asked for.
    func isWanted(next count: Int32) -> Bool {
        guard let wanted else { return true }
        return index < wanted && wanted <= index + count
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
    /// Keeps a value, behind a NULL for each column before it that could not be written.
    private mutating func collect(_ value: StoredValue) {
        while collected.count < index { collected.append(.null) }
        collected.append(value)
    }

    /// Binds what a value is stored as. Where another column is asked for it is passed over: the row was read, and may hold what cannot be
    /// stored.
    mutating func bindStored(_ value: some ColumnValue) throws {
        if wanted == nil || wanted == index { bind(try value.storedValue()) } else { bindNull() }
    }

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
            check(statement.bindNull(at: index + 1))
        } else {
            collect(.null)
        }
    }

    mutating func bindInteger(_ value: Int64) {
        if let statement {
            check(statement.bind(value, at: index + 1))
        } else {
            collect(.integer(value))
        }
    }

    mutating func bindReal(_ value: Double) {
        if let statement {
            check(statement.bind(value, at: index + 1))
        } else {
            collect(.real(value))
        }
    }

    mutating func bindText(_ value: String) {
        guard statement != nil else { return collect(.text(value)) }
        value.withBytes { bindText($0) }
    }

    mutating func bindText(_ utf8: UnsafeBufferPointer<UInt8>) {
        if let statement {
            let (bytes, ownership) = placed(UnsafeRawBufferPointer(utf8))
            check(statement.bindText(bytes, at: index + 1, ownership))
        } else {
            collect(.text(String(decoding: utf8, as: UTF8.self)))
        }
    }

    mutating func bindBlob(_ value: Data) {
        if let statement {
            value.withUnsafeBytes {
                let (bytes, ownership) = placed($0)
                check(statement.bindBlob(bytes, at: index + 1, ownership))
            }
        } else {
            collect(.blob(value))
        }
    }

    /// Binds a date, written where it stays.
    ///
    /// - Returns: False if that cannot be; nothing is bound then.
    mutating func bindInPlace(_ date: Date) -> Bool {
        guard let statement, let start = room.baseAddress, room.count - used >= DateText.longestCount,
            let count = DateText.put(date, to: start + used)
        else { return false }
        let text = UnsafeRawBufferPointer(start: start + used, count: count)
        check(statement.bindText(text, at: index + 1, .leftInPlace))
        used += count
        return true
    }

    /// Puts bytes where they stay, if there is room, and says what SQLite is to do with them.
    private mutating func placed(_ bytes: UnsafeRawBufferPointer) -> (UnsafeRawBufferPointer, BytesOwnership) {
        guard let source = bytes.baseAddress, let start = room.baseAddress, bytes.count <= room.count - used else {
            return (bytes, .copied)
        }
        let place = start + used
        place.copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count
        return (UnsafeRawBufferPointer(start: place, count: bytes.count), .leftInPlace)
    }
}
