import Synchronization

/// An embedded type with its columns, found once per type and process.
final class EmbeddedType<Value: Codable & Sendable>: Sendable {
    let shape: EmbeddedShape
    let leaves: [EmbeddedLeaf]
    let problem: String?
    /// Which column a chain of key paths leads to; nil for one that leads to none.
    private let leafOfSteps = Mutex<[Steps: Int?]>([:])

    /// Keys that are encoded but never decoded.
    fileprivate let constants: Set<String>

    private init() {
        let decoder = ShapeDecoder()
        var learned: Set<String> = []
        do {
            let sample = try Value(from: decoder)
            if LeafCoder.isPlain(Value.self) { throw ShapeProblem.notFlat }
            let found = try decoder.shape ?? { throw ShapeProblem.notFlat }()
            let columns = FlatColumns(learning: found.columnCount)
            try? sample.encode(to: FlatEncoder(found, into: columns))
            learned = columns.constants
            if let path = EmbeddedType.path(amongst: learned, readByTurnsOf: found) {
                throw ShapeProblem.ofSomeValues(at: path)
            }
            shape = found
            problem = nil
        } catch {
            let problem = error as? ShapeProblem ?? .noSample(of: "\(Value.self)", at: "")
            self.problem = problem.message(type: "\(Value.self)")
            shape = EmbeddedShape([])
        }
        constants = learned
        leaves = shape.leaves(optional: false)
    }

    /// One of some keys without a column that is read where another field has another value: what it holds then would be lost.
    private static func path(amongst keys: Set<String>, readByTurnsOf shape: EmbeddedShape) -> String? {
        guard !keys.isEmpty else { return nil }
        for leaf in shape.leaves(optional: false) {
            let decoder = ShapeDecoder(varying: leaf.path)
            guard (try? Value(from: decoder)) != nil, let varied = decoder.shape else { continue }
            let paths = varied.leaves(optional: false).map { $0.path.joined(separator: ".") }
            if let path = paths.first(where: keys.contains) { return path }
        }
        return nil
    }

    static var shared: EmbeddedType<Value> {
        embeddedTypes.value(of: Value.self) { EmbeddedType() }
    }
}

private let embeddedTypes = TypeMemo()

// MARK: - Key paths

/// Key paths from a value to a field of it, one step after the other. Those of stored properties capture nothing, so
/// that they may be shared.
struct Steps: Hashable, @unchecked Sendable {
    var keyPaths: [AnyKeyPath] = []
}

extension EmbeddedType {
    /// The column of the field that the steps lead to.
    ///
    /// A key path does not tell its name. But a value in which that one field has another sample differs, seen
    /// through the key path, from a value in which no field has: so the column is found, whatever its coding key.
    ///
    /// - Parameters:
    ///   - steps: Key paths of stored properties.
    ///   - stored: What is stored of the field.
    func leaf(at steps: Steps, _ stored: (Value) -> StoredValue?) -> EmbeddedLeaf? {
        if let known = leafOfSteps.withLock({ $0[steps] }) { return known.map { leaves[$0] } }
        let position = findLeaf(stored)
        leafOfSteps.withLock { $0[steps] = .some(position) }
        return position.map { leaves[$0] }
    }

    /// The keys that lead to the field, or to the value with fields of its own, that the steps lead to.
    func path(at steps: Steps, _ stored: (Value) -> StoredValue?) -> [String]? {
        // Each step is a key.
        let count = steps.keyPaths.count
        if let leaf = leaf(at: steps, stored) {
            // Of a value with a single field that field was found: the value itself is as many keys deep as there are steps. What has
            // no fields may be encoded deeper than that, so its whole path counts.
            let part = (try? Value(from: ShapeDecoder())).flatMap(stored)
            let hasFields = if case .text(let json)? = part { json.hasPrefix("{") } else { false }
            return hasFields ? Array(leaf.path.prefix(count)) : leaf.path
        }
        // All fields of a value differ where it does.
        let paths = Set(changing(stored).matches.map { leaves[$0].path.prefix(count) })
        return paths.count == 1 ? paths.first.map(Array.init) : nil
    }

    private func findLeaf(_ stored: (Value) -> StoredValue?) -> Int? {
        let (matches, lookAlikes) = changing(stored)
        let found = matches.isEmpty ? lookAlikes : matches
        return found.count == 1 ? found[0] : nil
    }

    /// The fields with which a part of the value changes, and those that hold the same and have one sample only.
    private func changing(_ stored: (Value) -> StoredValue?) -> (matches: [Int], lookAlikes: [Int]) {
        guard let plain = try? Value(from: ShapeDecoder()), let before = stored(plain) else { return ([], []) }
        let columns = columns(of: plain)
        var matches: [Int] = []
        // Fields of which there is one sample only are told by what is in them, if that is in no other.
        var lookAlikes: [Int] = []
        for position in leaves.indices {
            guard let varied = try? Value(from: ShapeDecoder(varying: leaves[position].path)) else { continue }
            if let after = stored(varied), after != before {
                matches.append(position)
            } else if columns[position] == before, self.columns(of: varied)[position] == before {
                lookAlikes.append(position)
            }
        }
        return (matches, lookAlikes)
    }

    /// The columns of the optional field that is nil exactly when `isNil` says so; nil if there is no such field.
    func leaves(whereNil isNil: (Value) -> Bool) -> [EmbeddedLeaf]? {
        guard let plain = try? Value(from: ShapeDecoder()), !isNil(plain) else { return nil }
        let paths = shape.optionalPaths.filter { path in
            (try? Value(from: ShapeDecoder(without: path))).map(isNil) ?? false
        }
        // Without a value, those inside it are nil too: the innermost is meant.
        guard let path = paths.max(by: { $0.count < $1.count }) else { return nil }
        return leaves.filter { $0.path.starts(with: path) }
    }

    private func columns(of value: Value) -> [StoredValue] {
        let columns = FlatColumns(learning: shape.columnCount)
        try? value.encode(to: FlatEncoder(shape, into: columns))
        return columns.values
    }
}

// MARK: - Rows

extension RowReader {
    /// Reads the columns of an embedded value.
    ///
    /// - Throws: ``ColumnDecodingError`` naming the column at fault.
    public mutating func next<Value>(_ columns: EmbeddedColumns<Value, Value>) throws -> Value {
        let type = columns.type
        return try next(type.shape, named: columns.property, prefix: columns.prefix)
    }

    /// Reads the columns of a value that has a shape.
    ///
    /// - Parameters:
    ///   - name: What the value is called, for errors.
    ///   - prefix: What the names of its columns begin with.
    mutating func next<Value: Decodable>(
        _ shape: EmbeddedShape, named name: String, prefix: String
    ) throws -> Value {
        let first = index
        index += shape.columnCount
        if shape.hasJSON { prepareDecoder() }
        let row = SharedRow(self)
        do {
            return try Value(from: FlatDecoder(shape, row: row, first: first))
        } catch let error as ColumnDecodingError {
            throw error
        } catch {
            let place = error.placeInValue
            let column = place.isEmpty ? name : prefix + place.replacingOccurrences(of: ".", with: "_")
            throw ColumnDecodingError(
                column: column, expected: "\(Value.self)", found: "a value", refusal: "\(Swift.type(of: error))")
        }
    }

    /// Reads the columns of an embedded value that may be missing: nil if all of them are NULL.
    ///
    /// - Throws: ``ColumnDecodingError`` naming the column at fault.
    public mutating func next<Value>(_ columns: OptionalEmbeddedColumns<Value, Value>) throws -> Value? {
        try nextUnlessNull(columns.columns.type.shape.columnCount) { try $0.next(columns.columns) }
    }

    /// Reads a value of several columns, which is nil if all of them are NULL.
    mutating func nextUnlessNull<Value>(
        _ columnCount: Int32, _ read: (inout RowReader) throws -> Value
    ) rethrows -> Value? {
        let end = index + columnCount
        guard (index..<end).allSatisfy({ isNull(at: $0) }) else { return try read(&self) }
        index = end
        return nil
    }

    /// Passes over the columns of a constant, which a row cannot change.
    public mutating func skip<Value>(_ columns: EmbeddedColumns<Value, Value>) {
        index += columns.type.shape.columnCount
    }

    /// Passes over the columns of a constant that may be missing.
    public mutating func skip<Value>(_ columns: OptionalEmbeddedColumns<Value, Value>) {
        skip(columns.columns)
    }
}

extension RowWriter {
    /// Passes over the columns of an embedded value that has none.
    public mutating func skip<Value>(_ columns: EmbeddedColumns<Value, Value>) {
        skip(Int(columns.type.shape.columnCount))
    }

    /// Passes over the columns of an embedded value that may be missing and has none.
    public mutating func skip<Value>(_ columns: OptionalEmbeddedColumns<Value, Value>) {
        skip(columns.columns)
    }

    /// Writes the columns of an embedded value.
    ///
    /// - Throws: ``ColumnEncodingError`` naming the column at fault.
    public mutating func append<Value>(_ value: Value, _ columns: EmbeddedColumns<Value, Value>) throws {
        try append(value, OptionalEmbeddedColumns(columns: columns))
    }

    /// Writes the columns of an embedded value that may be missing, all NULL for nil.
    ///
    /// - Throws: ``ColumnEncodingError`` naming the column at fault.
    public mutating func append<Value>(_ value: Value?, _ columns: OptionalEmbeddedColumns<Value, Value>) throws {
        let columns = columns.columns
        let type = columns.type
        guard isWanted(next: type.shape.columnCount) else { return skip(columns) }
        if type.shape.hasJSON { prepareEncoder() }
        let flat = FlatColumns(count: type.shape.columnCount, constants: type.constants, sharing: self)
        do {
            try value?.encode(to: FlatEncoder(type.shape, into: flat))
        } catch {
            throw named(error, columns, flat.current)
        }
        for (leaf, stored) in zip(type.leaves, flat.values) {
            if value != nil, stored == .null, !leaf.storage.isNullable {
                throw ColumnEncodingError(column: columns.prefix + leaf.name, reason: "it is decoded but not encoded")
            }
            append(stored)
        }
    }

    /// The error with its column.
    private func named<Value>(
        _ error: any Error, _ columns: EmbeddedColumns<Value, Value>, _ current: Int?
    ) -> ColumnEncodingError {
        var named = ColumnEncodingError(error, of: "\(Value.self)")
        if named.column == nil {
            named.column = current.map { columns.prefix + columns.type.leaves[$0].name } ?? columns.property
        }
        return named
    }
}
