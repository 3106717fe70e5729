/// Writes the `columns` function of a selection, the names by which it finds the columns of a statement in SQL, and what queries of its
/// rows know of its properties.
struct SelectionEmitter {
    struct Property {
        /// As it stands in the source, in backticks where it does.
        let name: String
        let type: String
        /// Who may see it, and so its type.
        let access: Access
        /// Whether an initialiser sets it behind all others, as that of an entity does.
        let isSetLast: Bool

        /// Its name, as a text.
        var literal: String { name.unquoted.source }
        /// Its type itself, as a value.
        var metatype: String { "StorageGRDB._Type<\(type)>.itself" }
    }

    let properties: [Property]
    let access: Access
    /// Whether the struct says itself how it is made, so that the compiler gives it no initialiser.
    let hasInitializer: Bool
    /// `@available` of the struct, which its extension needs too: a line for each.
    let availabilityLines: String

    var declarations: [String] {
        [columns, reading] + (isMadeMemberwise ? [] : [initializer]) + [askedColumns, layout]
    }

    /// Whether the compiler's initialiser makes it. Of what is set last that would ask for the wrapper.
    private var isMadeMemberwise: Bool { !hasInitializer && !properties.contains(where: \.isSetLast) }

    private var columnsAccess: Access { properties.map(\.access).reduce(access, min) }

    private var columns: String {
        let parameters = properties.map { "\($0.name): some StorageGRDB.Selectable<\($0.type)>" }
        let names = properties.map(\.name)
        return """
            \(columnsAccess.prefix)nonisolated static func columns(\(parameters.joined(separator: ", "))) \
            -> StorageGRDB.RowOf<Self> {
                StorageGRDB._row({ Self(\(arguments)) }, \(names.joined(separator: ", ")))
            }
            """
    }

    private var reading: String {
        let arguments = properties.map { property in
            "\(property.name.asLabel): columns.column(\(property.literal), \(property.metatype))"
        }
        return """
            \(access.prefix)nonisolated static func _reading(_ columns: StorageGRDB.SQLColumns) throws \
            -> @Sendable (inout StorageGRDB.RowReader) throws -> Self {
                try Self.columns(\(arguments.joined(separator: ", ")))._reading
            }
            """
    }

    /// A class, as that of an entity: of a struct that stores many the compiler makes functions that copy, move and destroy all of them.
    private var askedColumns: String {
        let lines = properties.map { property in
            "\(min(access, property.access).prefix)let \(property.name) = StorageGRDB._selectedColumn(\(property.literal), \(property.metatype))"
        }
        return """
            \(access.prefix)nonisolated final class StorageColumns: Swift.Sendable {
                \(lines.lines(indent: 1))
                fileprivate init() {
                }
            }
            \(access.prefix)nonisolated static var storageColumns: StorageColumns { StorageColumns() }
            """
    }

    private var layout: String {
        let names = properties.map(\.literal).joined(separator: ", ")
        let types = properties.map(\.metatype).joined(separator: ", ")
        return
            "\(access.prefix)nonisolated static var _layout: StorageGRDB._RowLayout { _layout([\(names)], [\(types)]) }"
    }

    private var arguments: String {
        properties.enumerated().map { position, property in
            isMadeMemberwise
                ? "\(property.name.asLabel): $\(position)" : position == 0 ? "_selected: $0" : "$\(position)"
        }.joined(separator: ", ")
    }

    private var initializer: String {
        let parameters = properties.enumerated().map { position, property in
            "\(position == 0 ? "_selected" : "_") \(property.name.asValue): \(property.type)"
        }
        let assignments = properties.settingLast(\.isSetLast).map { "self.\($0.name) = \($0.name.asValue)" }
        return """
            private nonisolated init(\(parameters.joined(separator: ", "))) {
                \(assignments.lines(indent: 1))
            }
            """
    }
}
