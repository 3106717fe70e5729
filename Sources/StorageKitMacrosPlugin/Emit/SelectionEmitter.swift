/// Writes the `columns` function of a selection.
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
        hasInitializer ? [columns, initializer] : [columns]
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
