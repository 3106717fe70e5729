import SwiftParser
import SwiftSyntax

/// Writes the typed columns of an entity, and the description of its table.
///
/// Both stand in the struct, where the types of its properties mean what they mean to the properties. A column whose type can be
/// written out is computed: that is what the compiler is quickest with.
struct ColumnsEmitter {
    let model: EntityModel

    var declarations: [String] {
        [columns, hiddenColumns, description].compactMap(\.self)
    }

    private var columns: String {
        let access = model.access.prefix
        // `Record.E` and not the entity's name, which may be another type's in here.
        let unseen = model.hasUnseenColumns ? ["\(access)typealias _Entity = Record.E"] : []
        let lines =
            unseen + model.columns.filter { !$0.isHidden }.map(column) + seenColumns + model.relations.map(relation)
            + stamp
        let conformance = model.hasUnseenColumns ? "StorageGRDB.UnseenColumns" : "Swift.Sendable"
        let isStored = lines.contains { $0.contains("let ") }
        // A class, since of a struct that stores many the compiler makes functions that copy, move and destroy all of them.
        return """
            \(access)nonisolated \(isStored ? "final class" : "struct") StorageColumns: \(conformance) {
                \(lines.lines(indent: 1))
                fileprivate init() {
                }
            }
            \(access)nonisolated static \(isStored ? "let storageColumns =" : "var storageColumns: StorageColumns {") \
            StorageColumns()\(isStored ? "" : " }")
            """
    }

    /// The time of the last save, where the entity has nothing else of that name.
    private var stamp: [String] {
        let names = Relation.takenNames(of: model.properties)
            .union(model.properties.map(\.columnName)).union(model.relations.map(\.name.unquoted))
        guard !names.contains("updatedAt") else { return [] }
        return [#"\#(model.access.prefix)var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }"#]
    }

    private func column(_ property: StoredProperty) -> String {
        let access = min(model.access, property.access).prefix
        let name = property.name
        let literal = property.columnName.source
        switch property.form {
        case .value, .rawValue:
            return "\(access)var \(name): StorageGRDB.Column<\(property.typeInside)> { .init(\(literal)) }"
        case .json:
            return "\(access)var \(name): StorageGRDB.JSONColumn<\(property.typeInside)> { .init(\(literal)) }"
        case .embedded: return "\(access)let \(name) = \(embedded(property))"
        case .unknown, nil:
            return "\(access)let \(name) = StorageGRDB._column(\(literal), \(property.metatype))"
        }
    }

    private func embedded(_ property: StoredProperty) -> String {
        guard case .embedded(let value) = property.role else { return "" }
        return "StorageGRDB._embedded(\(property.columnName.source), \(value.prefix.source), \(property.metatype))"
    }

    /// Embedded values of types that only the struct itself may name stand where only the struct sees them.
    private var hiddenColumns: String? {
        let hidden = model.columns.filter { $0.isHidden && $0.isEmbedded }
        guard !hidden.isEmpty else { return nil }
        return """
            private nonisolated enum _HiddenColumns {
                \(hidden.map { "static let \($0.name) = \(embedded($0))" }.lines(indent: 1))
            }
            """
    }

    /// The fields of embedded values that can be seen, under the names that queries may give them. A name that would
    /// stand for two columns stands for none.
    private var seenColumns: [String] {
        let embedded = model.columns.filter { !$0.isHidden }.flatMap { property in
            guard case .embedded(let value) = property.role else { return [(StoredProperty, SeenColumn)]() }
            return (value.seen ?? []).map { (property, $0) }
        }
        let taken = Set(model.columns.map(\.columnName))
        let spellings = Dictionary(grouping: embedded) { $0.1.spelling }
        return embedded.compactMap { property, seen in
            let spelling = seen.spelling
            guard !seen.isPrivate, spelling.isIdentifier, !taken.contains(spelling), spellings[spelling]?.count == 1
            else { return nil }
            let name = seen.column.source
            let word = spelling.isValidSwiftIdentifier(for: .variableName) ? spelling : "`\(spelling)`"
            // From the value and not from the entity, whose name may be another type's in here.
            let wrapped = seen.keyPath.hasPrefix("?") ? property.type?.wrappedInOptional : nil
            // `Optional<Value>.?.x` would be read as an operator.
            let root = wrapped.map { $0.naming(model.scope, isOutside: false) + "?." } ?? property.typeInside
            return "\(min(model.access, property.access, seen.access).prefix)let \(word) = "
                + "StorageGRDB._column(\(name), StorageGRDB._type(at: \\\(root)\(seen.keyPath)))"
        }
    }
}

// MARK: - Relations

extension ColumnsEmitter {
    private func relation(_ relation: Relation) -> String {
        let access = min(model.access, relation.property.access).prefix
        let type: String
        var arguments: [String]
        switch relation.way {
        case .toOne(let key, let isOptional):
            type = isOptional ? "OptionalToOne" : "ToOne"
            arguments = [relation.name.unquoted.source, "key: \(key.source)"]
        case .toMany(let key):
            type = "ToMany"
            arguments = ["key: \(key.source)"]
        case .through(let link, let from, let to):
            type = "ToMany"
            arguments = ["through: \(model.scope.metatype(of: link))"]
            if let from { arguments.append("from: \(from.source)") }
            if let to { arguments.append("to: \(to.source)") }
        }
        // `Record.E` and not the entity's name, which may be another type's in here.
        if relation.isSettable { arguments.append("property: \\Record.E.\(relation.property.name)") }
        return "\(access)var \(relation.name): StorageGRDB.\(type)<\(relation.target)> "
            + "{ \(model.body([".init(\(arguments.joined(separator: ", ")))"])) }"
    }
}

// MARK: - The description

extension ColumnsEmitter {
    private var description: String {
        """
        \(model.access.prefix)nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
            \(model.body(statements))
        }
        """
    }

    /// One for each run of columns whose form is found by their type, and one for any other property.
    private var statements: [String] {
        var statements: [String] = []
        var run: [StoredProperty] = []
        func endRun() {
            guard !run.isEmpty else { return }
            let types = run.map(\.metatype).joined(separator: ", ")
            statements.append("table.columns(\(run.map(\.columnName).source), [\(types)])")
            run = []
        }
        for property in model.columns {
            switch property.role {
            case .json:
                endRun()
                statements.append("table.json(\(property.columnName.source), \(property.metatype))")
            case .embedded:
                endRun()
                let former = property.formerPrefixes
                let renamed = former.isEmpty ? "" : ", renamedFrom: \(former.source)"
                statements.append("table.embedded(\(property.columnReference)\(renamed))")
            default: run.append(property)
            }
        }
        endRun()
        return statements + DeclarationsEmitter(model: model).statements
    }
}
