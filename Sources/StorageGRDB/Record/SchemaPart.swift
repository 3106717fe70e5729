/// What one stored property adds to the table of its entity.
struct SchemaPart: Sendable {
    /// The columns, in order, each with the place in the entity that it comes from (`address.city`).
    let columns: [(name: String, column: ColumnSchema)]
    /// Why the property cannot have columns, if so.
    var problem: String?
    /// For each embedded value that may be nil, the property's own or one inside it: the names of its columns.
    var optionalValues: [[String]] = []
    /// How its columns are read, where that is known: it tells which values they take. Made when it is asked for, which is seldom.
    var leafCoders: @Sendable () -> [(String, LeafCoder)] = { [] }
}

extension StorageKitEntityRecord {
    /// What its properties add to the table; empty for a record written by hand, of which nobody knows.
    static var knownParts: [SchemaPart] { (self as? any GeneratedRecord.Type)?.parts ?? [] }
}

extension [SchemaPart] {
    /// How a column is read, if that is known.
    func leafCoder(of column: String) -> LeafCoder? {
        first { $0.columns.contains { $0.column.name == column } }?.leafCoders().first { $0.0 == column }?.1
    }

    /// Whether a column is not that of a property by itself.
    func isInEmbeddedValue(_ column: String) -> Bool {
        !contains { $0.columns.contains { $0.name == column } }
    }
}

extension EmbeddedColumns {
    /// One column for each field, deeper ones in place.
    var schemaPart: SchemaPart {
        let columns = type.leaves.map { leaf in
            var storage = leaf.storage
            storage.isNullable = storage.isNullable || isOptional
            return (([property] + leaf.path).joined(separator: "."), storage.schema(name: prefix + leaf.name))
        }
        let coders = type.leaves.map { (prefix + $0.name, $0.coder) }
        return SchemaPart(
            columns: columns, problem: problem, optionalValues: optionalValues, leafCoders: { coders })
    }

    /// The columns of the value, if it may be nil, and of each inside it that may be.
    private var optionalValues: [[String]] {
        ((isOptional ? [[]] : []) + type.shape.optionalPaths).compactMap { path in
            let leaves = type.leaves.filter { $0.path.count > path.count && $0.path.starts(with: path) }
            return leaves.isEmpty ? nil : leaves.map { prefix + $0.name }
        }
    }
}

/// What makes a list of columns unfit for a table, in words that say what to change; nil if it is fit.
func schemaProblem(
    of columns: [(name: String, column: ColumnSchema)], entity: @autoclosure () -> String
) -> String? {
    var places: [String: String] = [:]
    places.reserveCapacity(columns.count)
    for (place, column) in columns {
        let name = column.name
        guard name.isName else {
            return "'\(place)' of '\(entity())' cannot be a column: '\(name)' is no name that a column can have, "
                + "since it is empty or has a double quotation mark or a NUL in it"
        }
        guard !name.isOwnName else {
            return "'\(place)' of '\(entity())' cannot be a column: names that begin with '\(FunctionName.ownPrefix)' "
                + "are StorageKit's own. With '\(name)' as its former name another one keeps the values"
        }
        guard column.type.isColumnType else {
            return "'\(place)' of '\(entity())' cannot be a column: '\(column.type)' is no type that a column can have"
        }
        // SQLite takes letters of ASCII for the same in both cases, and GRDB all letters: a row of the two would have
        // one value under both names.
        if let other = places.updateValue(place, forKey: name.lowercased()) {
            return "'\(other)' and '\(place)' of '\(entity())' would both be the column '\(name)'; "
                + "rename one or give an embedded value another prefix"
        }
    }
    return nil
}

extension String {
    /// Whether it is what SQL takes for a type and nothing else: words, then perhaps one or two numbers in parentheses. By
    /// scalars again: some letters make one with what stands behind them.
    fileprivate var isColumnType: Bool {
        // Nearly all are one word. A regular expression takes longer to make than all the rest of a start, and there is one
        // for each column.
        if utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) { return true }
        let type = /[\w ]*(\( *[+-]?[0-9]+ *(, *[+-]?[0-9]+ *)?\))?/
        return wholeMatch(of: type.matchingSemantics(.unicodeScalar)) != nil
    }
}
