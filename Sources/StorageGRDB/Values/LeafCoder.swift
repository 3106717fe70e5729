/// How a value whose type is known at run time only becomes a column, as a field of an embedded value is. The form is chosen by the
/// same rule that the compiler follows for properties of the entity itself.
class LeafCoder: @unchecked Sendable {
    let storage: ColumnStorage
    let type: Any.Type

    fileprivate init(_ storage: ColumnStorage, _ type: Any.Type) {
        self.storage = storage
        self.type = type
    }

    /// This coder as one for a type, or nil if it is for another.
    func typed<T>(_ type: T.Type) -> TypedLeafCoder<T>? {
        type == self.type ? unsafeDowncast(self, to: TypedLeafCoder<T>.self) : nil
    }

    var isJSON: Bool { false }

    /// Why a value cannot be read; nil if it can.
    func readingError(of value: StoredValue, column: String, coders: JSONCoders) -> ColumnDecodingError? { nil }

    /// What a save stores of a value that was read; nil where it cannot be read. Not for JSON.
    func storedAgain(_ value: StoredValue) -> StoredValue? { nil }

    /// All values there are, where the type says so.
    var caseValues: [StoredValue] { [] }

    /// The coder of a property of the entity itself; nil where nothing is known of its type.
    static func ofProperty(_ type: Any.Type) -> LeafCoder? {
        if let type = type as? any ColumnValue.Type { return type.leafCoder }
        return (type as? any RawRepresentable.Type)?.rawLeafCoder
    }

    /// The coder of a property that is kept as JSON.
    static func ofJSON(_ type: Any.Type) -> LeafCoder? {
        (type as? any Decodable.Type).map { makeJSON($0) }
    }

    private static func makeJSON<T: Decodable>(_ type: T.Type) -> LeafCoder { JSONLeafCoder<T>() }

    /// The coder of a type that is kept in one column.
    static func make<T: Decodable>(_ type: T.Type) -> TypedLeafCoder<T> {
        ofProperty(type)?.typed(T.self) ?? JSONLeafCoder<T>()
    }

    /// How a column of the type is read; nil for a type that no column has. Of a type parameter it is known at run time only.
    ///
    /// - Parameter orJSON: Whether the column may hold JSON.
    static func ofColumn<T>(_ type: T.Type, orJSON: Bool = false) -> TypedLeafCoder<T>? {
        let coder = ofProperty(type) ?? (type as? any OptionalLeaf.Type)?.leafCoder(orJSON: orJSON)
        return (coder ?? (orJSON ? ofJSON(type) : nil))?.typed(type)
    }
}

/// A ``LeafCoder`` with the type it is for.
class TypedLeafCoder<T>: LeafCoder, @unchecked Sendable {
    fileprivate init(_ storage: ColumnStorage) {
        super.init(storage, T.self)
    }

    func read(from row: inout RowReader, at index: Int32) throws -> T {
        throw row.mismatch(at: index, expected: T.self)
    }

    /// Reads the next column.
    func next(_ row: inout RowReader) throws -> T {
        defer { row.skip() }
        return try read(from: &row, at: row.index)
    }

    func storedValue(_ value: T, in row: inout RowWriter) throws -> StoredValue {
        throw ColumnEncodingError(reason: "\(T.self) has no form that can be stored")
    }

    override func readingError(of value: StoredValue, column: String, coders: JSONCoders) -> ColumnDecodingError? {
        var row = RowReader(values: [value], names: [column], coders: coders)
        do {
            _ = try read(from: &row, at: 0)
            return nil
        } catch {
            return error as? ColumnDecodingError ?? row.mismatch(at: 0, expected: T.self)
        }
    }

    override func storedAgain(_ value: StoredValue) -> StoredValue? {
        var reader = RowReader(values: [value], names: [""])
        var writer = RowWriter()
        return try? storedValue(read(from: &reader, at: 0), in: &writer)
    }

    override var caseValues: [StoredValue] {
        guard let type = T.self as? any CaseIterable.Type else { return [] }
        var row = RowWriter()
        return type.values(as: T.self).compactMap { try? storedValue($0, in: &row) }
    }
}

extension CaseIterable {
    fileprivate static func values<T>(as type: T.Type) -> [T] { allCases.compactMap { $0 as? T } }
}

private final class ValueLeafCoder<T: ColumnValue>: TypedLeafCoder<T>, @unchecked Sendable {
    init() {
        super.init(.of(T.self))
    }

    override func read(from row: inout RowReader, at index: Int32) throws -> T {
        try T.read(from: row, at: index)
    }

    override func storedValue(_ value: T, in row: inout RowWriter) throws -> StoredValue {
        try value.storedValue()
    }
}

private final class RawLeafCoder<T: RawRepresentable>: TypedLeafCoder<T>, @unchecked Sendable {
    private let raw: TypedLeafCoder<T.RawValue>

    init(_ raw: TypedLeafCoder<T.RawValue>) {
        self.raw = raw
        super.init(raw.storage)
    }

    override func read(from row: inout RowReader, at index: Int32) throws -> T {
        guard let value = T(rawValue: try raw.read(from: &row, at: index)) else {
            throw row.mismatch(at: index, expected: T.self)
        }
        return value
    }

    override func storedValue(_ value: T, in row: inout RowWriter) throws -> StoredValue {
        try raw.storedValue(value.rawValue, in: &row)
    }
}

private final class OptionalLeafCoder<Wrapped>: TypedLeafCoder<Wrapped?>, @unchecked Sendable {
    private let wrapped: TypedLeafCoder<Wrapped>

    init(_ wrapped: TypedLeafCoder<Wrapped>) {
        self.wrapped = wrapped
        super.init(ColumnStorage(type: wrapped.storage.type, isNullable: true))
    }

    override func read(from row: inout RowReader, at index: Int32) throws -> Wrapped? {
        row.isNull(at: index) ? nil : try wrapped.read(from: &row, at: index)
    }

    override func storedValue(_ value: Wrapped?, in row: inout RowWriter) throws -> StoredValue {
        try value.map { try wrapped.storedValue($0, in: &row) } ?? .null
    }
}

private final class JSONLeafCoder<T: Decodable>: TypedLeafCoder<T>, @unchecked Sendable {
    init() {
        super.init(ColumnStorage(type: .text))
    }

    override var isJSON: Bool { true }

    override func read(from row: inout RowReader, at index: Int32) throws -> T {
        try row.json(at: index)
    }

    override func storedValue(_ value: T, in row: inout RowWriter) throws -> StoredValue {
        guard let value = value as? any Encodable else { return try super.storedValue(value, in: &row) }
        return .text(try row.json(value))
    }
}

private protocol OptionalLeaf {
    static func leafCoder(orJSON: Bool) -> LeafCoder?
}

extension Optional: OptionalLeaf {
    fileprivate static func leafCoder(orJSON: Bool) -> LeafCoder? {
        LeafCoder.ofColumn(Wrapped.self, orJSON: orJSON).map { OptionalLeafCoder($0) }
    }
}

extension ColumnValue {
    fileprivate static var leafCoder: LeafCoder { ValueLeafCoder<Self>() }
}

extension RawRepresentable {
    fileprivate static var rawLeafCoder: LeafCoder? {
        (RawValue.self as? any ColumnValue.Type)?.leafCoder.typed(RawValue.self).map { RawLeafCoder<Self>($0) }
    }
}
