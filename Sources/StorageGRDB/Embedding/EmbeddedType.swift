import Synchronization

/// An embedded type with its columns, found once per type and process.
final class EmbeddedType<Value: Codable & Sendable>: Sendable {
    let shape: EmbeddedShape
    let leaves: [EmbeddedLeaf]
    let problem: String?
    /// Which column a key path leads to; nil for one that leads to none.
    private let leafOfKeyPath = Mutex<[Int: [(keyPath: SendableKeyPath, leaf: Int?)]]>([:])

    private init() {
        let decoder = ShapeDecoder()
        do {
            _ = try Value(from: decoder)
            if LeafCoder.isPlain(Value.self) { throw ShapeProblem.notFlat }
            shape = try decoder.shape ?? { throw ShapeProblem.notFlat }()
            problem = nil
        } catch {
            let problem = error as? ShapeProblem ?? .noSample(of: "\(Value.self)", at: "")
            self.problem = problem.message(type: "\(Value.self)")
            shape = EmbeddedShape([])
        }
        leaves = shape.leaves(optional: false)
    }

    static var shared: EmbeddedType<Value> {
        embeddedTypes.withLock { known in
            if let type = known[ObjectIdentifier(Value.self)] {
                return unsafeDowncast(type, to: EmbeddedType<Value>.self)
            }
            let type = EmbeddedType<Value>()
            known[ObjectIdentifier(Value.self)] = type
            return type
        }
    }
}

private let embeddedTypes = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

// MARK: - Key paths

/// Key paths of types like these capture nothing but the types, so that they may be shared.
private struct SendableKeyPath: @unchecked Sendable {
    let keyPath: AnyKeyPath
}

extension EmbeddedType {
    /// The column that a key path leads to.
    ///
    /// A key path does not tell its name. But a value in which that one field has another sample differs, seen
    /// through the key path, from a value in which no field has: so the column is found, whatever its coding key.
    func leaf<T>(at keyPath: KeyPath<Value, T>, _ stored: (T) -> StoredValue?) -> EmbeddedLeaf? {
        let key = keyPath.hashValue
        let known = leafOfKeyPath.withLock { $0[key]?.first { $0.keyPath.keyPath == keyPath } }
        let position: Int?
        if let known {
            position = known.leaf
        } else {
            position = findLeaf(at: keyPath, stored)
            let entry = SendableKeyPath(keyPath: keyPath)
            leafOfKeyPath.withLock { $0[key, default: []].append((entry, position)) }
        }
        return position.map { leaves[$0] }
    }

    private func findLeaf<T>(at keyPath: KeyPath<Value, T>, _ stored: (T) -> StoredValue?) -> Int? {
        guard let plain = try? Value(from: ShapeDecoder()), let before = stored(plain[keyPath: keyPath]) else {
            return nil
        }
        let matches = leaves.indices.filter { position in
            let decoder = ShapeDecoder(varied: leaves[position].path[...])
            guard let varied = try? Value(from: decoder), let after = stored(varied[keyPath: keyPath]) else {
                return false
            }
            // The column holds exactly what the key path shows, or a computed property might pass for it.
            return before != after && columns(of: plain)[position] == before && columns(of: varied)[position] == after
        }
        return matches.count == 1 ? matches[0] : nil
    }

    private func columns(of value: Value) -> [StoredValue] {
        let columns = FlatColumns(count: shape.columnCount, coders: .standard)
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
        let first = index
        index += columns.type.shape.columnCount
        return try Value(from: FlatDecoder(columns.type.shape, row: SharedRow(self), first: first))
    }

    /// Reads the columns of an embedded value that may be missing: nil if all of them are NULL.
    ///
    /// - Throws: ``ColumnDecodingError`` naming the column at fault.
    public mutating func next<Value>(_ columns: EmbeddedColumns<Value, Value>) throws -> Value? {
        let end = index + columns.type.shape.columnCount
        guard (index..<end).allSatisfy({ isNull(at: $0) }) else {
            return try self.next(columns) as Value
        }
        index = end
        return nil
    }

    /// Passes over the columns of a constant, which a row cannot change.
    public mutating func skip<Value>(_ columns: EmbeddedColumns<Value, Value>) {
        index += columns.type.shape.columnCount
    }
}

extension RowWriter {
    /// Writes the columns of an embedded value, all NULL for nil.
    ///
    /// - Throws: ``ColumnEncodingError`` naming the column at fault.
    public mutating func append<Value>(_ value: Value?, _ columns: EmbeddedColumns<Value, Value>) throws {
        let type = columns.type
        let flat = FlatColumns(count: type.shape.columnCount, coders: coders)
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

    private func named<Value>(
        _ error: any Error, _ columns: EmbeddedColumns<Value, Value>, _ current: Int?
    ) -> any Error {
        guard var named = error as? ColumnEncodingError, named.column == nil else { return error }
        named.column = current.map { columns.prefix + columns.type.leaves[$0].name } ?? columns.property
        return named
    }
}
