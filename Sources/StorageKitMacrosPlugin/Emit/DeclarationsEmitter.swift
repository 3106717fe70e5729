import SwiftSyntax

/// Writes what an entity declares of its table beside the columns: nothing for one that declares nothing.
struct DeclarationsEmitter {
    let model: EntityModel

    var statements: [String] {
        let keys = model.keys
        return (keys.formerTables.isEmpty ? [] : ["table.renamed(from: \(keys.formerTables.source))"])
            + keys.indexes.map { "table.index(\($0.names.source))" }
            + keys.unique.map { "table.unique(\($0.names.source))" }
            + model.columns.flatMap(statements)
    }

    private func statements(_ property: StoredProperty) -> [String] {
        let traits = property.traits
        var name: String { property.columnName.source }
        var statements: [String] = []
        if let unique = traits.unique {
            statements.append("table.unique([\(name)]\(unique.ignoresCase ? ", ignoringCase: true" : ""))")
        }
        if let reference = traits.reference {
            let actions = [("onDelete", reference.onDelete), ("onUpdate", reference.onUpdate)].compactMap {
                label, action in action.map { ", \(label): .\($0)" }
            }
            let parent = model.scope.metatype(of: reference.parent)
            statements.append("table.reference(\(name), \(property.metatype), to: \(parent)\(actions.joined()))")
        }
        if property.role.isSingleColumn, !traits.formerNames.isEmpty {
            statements.append("table.renamed(\(name), from: \(traits.formerNames.map(\.name).source))")
        }
        return statements
    }
}
