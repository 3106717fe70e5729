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
        bytes.reserveCapacity(24 + values.count * 16)
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
            case .text(let value): bytes.append(Tag.text.rawValue, value.utf8)
            case .blob(let value): bytes.append(Tag.blob.rawValue, value)
            }
        }
        bytes.append(integer: bytes.fnv1a)
        return Data(bytes)
    }

    /// - Returns: Nil for anything that this did not encode, for this table.
    func decode(_ data: Data) -> (values: [StoredValue], schema: Int)? {
        let bytes = [UInt8](data)
        guard bytes.count >= 24, bytes.suffix(8).integer == bytes.dropLast(8).fnv1a, bytes.prefix(8).integer == shape
        else { return nil }
        let schema = Int(Int64(bitPattern: bytes[8..<16].integer))
        var rest = bytes.dropFirst(16).dropLast(8)
        var values: [StoredValue] = []
        while let byte = rest.popFirst() {
            guard let value = Tag(rawValue: byte).flatMap({ rest.popValue($0) }) else { return nil }
            values.append(value)
        }
        return (values, schema)
    }
}

extension [UInt8] {
    fileprivate mutating func append(integer: UInt64) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(_ tag: UInt8, _ content: some Collection<UInt8>) {
        append(tag)
        append(integer: UInt64(content.count))
        append(contentsOf: content)
    }
}

extension ArraySlice<UInt8> {
    /// Eight bytes as a number, the least significant first.
    fileprivate var integer: UInt64 {
        reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func popInteger() -> UInt64? {
        guard count >= 8 else { return nil }
        defer { removeFirst(8) }
        return prefix(8).integer
    }

    fileprivate mutating func popValue(_ tag: EntityBlob.Tag) -> StoredValue? {
        switch tag {
        case .null: return .null
        case .integer: return popInteger().map { .integer(Int64(bitPattern: $0)) }
        case .real: return popInteger().map { .real(Double(bitPattern: $0)) }
        case .text, .blob:
            guard let count = popInteger(), count <= self.count else { return nil }
            defer { removeFirst(Int(count)) }
            let content = prefix(Int(count))
            return tag == .text ? .text(String(decoding: content, as: UTF8.self)) : .blob(Data(content))
        }
    }
}
