/// An entity as the disk cache keeps it: the columns of its row, behind a mark of the table's shape and the number of the
/// schema, and before a checksum. JSON would take several times as long, and would not notice every flipped bit.
struct EntityBlob: Sendable {
    /// The table, its columns and their types: an entry of an older model has another.
    private let shape: UInt64

    init<R: StorageKitEntityRecord>(of table: RecordTable<R>) {
        let columns = table.columns.map { "\($0.name) \($0.type) \($0.notNull)" }
        shape = ([table.name, "\(R.self)"] + columns).joined(separator: "\u{1F}").utf8.fnv1a
    }

    fileprivate enum Tag: UInt8 {
        case null, integer, real, text, blob
    }

    /// - Parameter schema: The number of the schema. Another may have changed rows without a trigger, as a column that is
    ///   dropped and added does.
    func encode(_ values: [StoredValue], schema: Int) -> Data {
        var bytes = [UInt8]()
        bytes.reserveCapacity(24 + values.reduce(0) { $0 + 9 + $1.storedSize })
        bytes.append(integer: shape)
        bytes.append(integer: UInt64(bitPattern: Int64(schema)))
        for value in values {
            switch value {
            case .null: bytes.append(Tag.null.rawValue)
            case .integer(let value):
                bytes.append(Tag.integer.rawValue)
                bytes.append(integer: UInt64(bitPattern: value))
            case .real(let value):
                bytes.append(Tag.real.rawValue)
                bytes.append(integer: value.bitPattern)
            case .text(var value): value.withUTF8 { bytes.append(Tag.text.rawValue, UnsafeRawBufferPointer($0)) }
            case .blob(let value): value.withUnsafeBytes { bytes.append(Tag.blob.rawValue, $0) }
            }
        }
        bytes.append(integer: bytes.withUnsafeBytes { $0.fnv1a })
        return Data(bytes)
    }

    /// - Returns: Nil for anything that this did not encode, for this table.
    func decode(_ data: Data) -> (values: [StoredValue], schema: Int)? {
        data.withUnsafeBytes { bytes in
            guard bytes.count >= 24 else { return nil }
            var rest = BlobReader(bytes: UnsafeRawBufferPointer(rebasing: bytes.dropLast(8)))
            guard bytes.integer(at: bytes.count - 8) == rest.bytes.fnv1a, rest.popInteger() == shape,
                let schema = rest.popInteger()
            else { return nil }
            var values: [StoredValue] = []
            while let tag = rest.popByte() {
                guard let value = Tag(rawValue: tag).flatMap({ rest.popValue($0) }) else { return nil }
                values.append(value)
            }
            return (values, Int(Int64(bitPattern: schema)))
        }
    }
}

extension StoredValue {
    /// The bytes that the value takes, as stored.
    var storedSize: Int {
        switch self {
        case .null: 1
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(integer: UInt64) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(_ tag: UInt8, _ content: UnsafeRawBufferPointer) {
        append(tag)
        append(integer: UInt64(content.count))
        append(contentsOf: content)
    }
}

extension UnsafeRawBufferPointer {
    /// Eight bytes as a number, the least significant first.
    fileprivate func integer(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

/// Takes an entry apart from its first byte to its last.
private struct BlobReader {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    mutating func popByte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func popInteger() -> UInt64? {
        guard bytes.count - offset >= 8 else { return nil }
        defer { offset += 8 }
        return bytes.integer(at: offset)
    }

    mutating func popValue(_ tag: EntityBlob.Tag) -> StoredValue? {
        switch tag {
        case .null: return .null
        case .integer: return popInteger().map { .integer(Int64(bitPattern: $0)) }
        case .real: return popInteger().map { .real(Double(bitPattern: $0)) }
        case .text, .blob:
            guard let count = popInteger(), count <= bytes.count - offset else { return nil }
            defer { offset += Int(count) }
            let content = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)])
            return tag == .text ? .text(String(decoding: content, as: UTF8.self)) : .blob(Data(content))
        }
    }
}
