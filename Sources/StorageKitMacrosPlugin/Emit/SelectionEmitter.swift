/// Writes the `columns` function of a selection, and the names by which it finds the columns of a statement in SQL.
struct SelectionEmitter {
    struct Property {
        /// As it stands in the source, in backticks where it does.
        let name: String
        let type: String
    }

    let properties: [Property]
    let access: Access
    /// Whether the struct says itself how it is made, so that the compiler gives it no initialiser.
    let hasInitializer: Bool

    var declarations: [String] {
        hasInitializer ? [columns, reading, initializer] : [columns, reading]
    }

    private var columns: String {
        let parameters = properties.map { "\($0.name): some StorageGRDB.Selectable<\($0.type)>" }
        let names = properties.map(\.name)
        return """
            \(access.prefix)nonisolated static func columns(\(parameters.joined(separator: ", "))) \
            -> StorageGRDB.RowOf<Self> {
                StorageGRDB._row({ Self(\(arguments)) }, \(names.joined(separator: ", ")))
            }
            """
    }

    private var reading: String {
        let arguments = properties.map { property in
            let column = property.name.replacing("`", with: "")
            return "\(property.name.asLabel): columns.column(\"\(column)\", StorageGRDB._Type<\(property.type)>.itself)"
        }
        return """
            \(access.prefix)nonisolated static func _reading(_ columns: StorageGRDB.SQLColumns) throws \
            -> @Sendable (inout StorageGRDB.RowReader) throws -> Self {
                try Self.columns(\(arguments.joined(separator: ", ")))._reading
            }
            """
    }

    private var arguments: String {
        properties.enumerated().map { position, property in
            hasInitializer
                ? position == 0 ? "_selected: $0" : "$\(position)" : "\(property.name.asLabel): $\(position)"
        }.joined(separator: ", ")
    }

    private var initializer: String {
        let parameters = properties.enumerated().map { position, property in
            "\(position == 0 ? "_selected" : "_") \(property.name): \(property.type)"
        }
        let assignments = properties.map { "self.\($0.name) = \($0.name)" }
        return """
            private nonisolated init(\(parameters.joined(separator: ", "))) {
                \(assignments.lines(indent: 1))
            }
            """
    }
}
