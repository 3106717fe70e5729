/// The fields of a value type as its Codable conformance names them, found once per type.
///
/// A macro sees no type but the one it stands on, so the columns of an embedded value are found here: the type is
/// decoded from a decoder that notes each key, type and optionality, and answers with samples.
struct EmbeddedShape: Sendable {
    let fields: [Field]
    /// The fields of fields that are flattened count one by one.
    let columnCount: Int32
    /// Whether some column holds JSON, for which coders are needed.
    let hasJSON: Bool
    private let positions: [String: Int]

    struct Field: Sendable {
        let key: String
        let isOptional: Bool
        let kind: Kind
        /// The column of the field, or the first of its columns, counted from the beginning of the shape.
        let column: Int32
    }

    enum Kind: Sendable {
        case leaf(LeafCoder)
        case nested(EmbeddedShape)

        var columnCount: Int32 {
            switch self {
            case .leaf: 1
            case .nested(let shape): shape.columnCount
            }
        }

        var hasJSON: Bool {
            switch self {
            case .leaf(let coder): coder.isJSON
            case .nested(let shape): shape.hasJSON
            }
        }
    }

    init(_ found: [(key: String, isOptional: Bool, kind: Kind)]) {
        var column: Int32 = 0
        fields = found.map { field in
            defer { column += field.kind.columnCount }
            return Field(key: field.key, isOptional: field.isOptional, kind: field.kind, column: column)
        }
        columnCount = column
        hasJSON = fields.contains(where: \.kind.hasJSON)
        positions = Dictionary(fields.enumerated().map { ($1.key, $0) }) { first, _ in first }
    }

    /// The position of a key. Codable asks for keys in their order, so that the expected one is nearly always
    /// right.
    func position(of key: String, expected: Int) -> Int? {
        if expected < fields.count, fields[expected].key == key { return expected }
        return positions[key]
    }
}

/// A column that an embedded value has, seen from the embedded value.
struct EmbeddedLeaf: Sendable {
    /// The keys that lead to it.
    let path: [String]
    let storage: ColumnStorage
    let coder: LeafCoder

    /// Deeper values join their names: `geo_latitude`.
    var name: String { path.joined(separator: "_") }
}

extension EmbeddedShape {
    /// What is stored of the field that keys lead to.
    func kind(at path: [String]) -> Kind? {
        guard let first = path.first, let position = position(of: first, expected: 0) else { return nil }
        let kind = fields[position].kind
        guard path.count > 1 else { return kind }
        guard case .nested(let shape) = kind else { return nil }
        return shape.kind(at: Array(path.dropFirst()))
    }

    /// The keys that lead to each field that may be nil, deeper ones included.
    var optionalPaths: [[String]] {
        fields.flatMap { field in
            var paths = field.isOptional ? [[field.key]] : []
            if case .nested(let shape) = field.kind { paths += shape.optionalPaths.map { [field.key] + $0 } }
            return paths
        }
    }

    /// All columns in order, those of deeper values in place.
    func leaves(optional: Bool) -> [EmbeddedLeaf] {
        fields.flatMap { field in
            let optional = optional || field.isOptional
            switch field.kind {
            case .leaf(let coder):
                var storage = coder.storage
                storage.isNullable = storage.isNullable || optional
                return [EmbeddedLeaf(path: [field.key], storage: storage, coder: coder)]
            case .nested(let shape):
                return shape.leaves(optional: optional).map {
                    EmbeddedLeaf(path: [field.key] + $0.path, storage: $0.storage, coder: $0.coder)
                }
            }
        }
    }
}
