/// What one stored property adds to the table of its entity.
public protocol SchemaPart: Sendable {
    /// The columns, in order, each with the place in the entity that it comes from (`address.city`).
    var _columns: [(name: String, column: ColumnSchema)] { get }
    /// Why the property cannot have columns, if so.
    var _problem: String? { get }
}

/// What makes a list of columns unfit for a table, in words that say what to change; nil if it is fit.
func schemaProblem(of columns: [(name: String, column: ColumnSchema)], entity: String) -> String? {
    var places: [String: String] = [:]
    for (place, column) in columns {
        let name = column.name
        if name.isEmpty || name.contains("\"") || name.contains("\0") {
            return "'\(place)' of '\(entity)' cannot be a column: '\(name)' is no name that a column can have"
        }
        // SQLite does not tell columns apart by case.
        if let other = places.updateValue(place, forKey: name.lowercased()) {
            return "'\(other)' and '\(place)' of '\(entity)' would both be the column '\(name)'; "
                + "rename one or give an embedded value another prefix"
        }
    }
    return nil
}
