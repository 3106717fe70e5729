import SwiftSyntax

/// Writes the record beside the entity: its table, its relations and how it is made. What a record does stands in
/// `GeneratedRecord`.
struct RecordEmitter {
    let model: EntityModel
    private var access: String { model.access.prefix }

    // `E` and not its name: that may be a word which begins an accessor where it stands first in a property's braces.
    var declaration: String {
        """
        /// The row of ``\(model.name)`` in its table.
        \(model.availabilityLines)\(model.recordPrefix)nonisolated struct \(model.recordName): \(conformances) {
            \(access)typealias E = \(model.name)
            \(members.map(\.indented).lines(indent: 1))
        }
        """
    }

    /// Whether the record keeps the time of the last save, or the entity has a property for it.
    private var conformances: String {
        "StorageGRDB.GeneratedRecord" + (model.hasUpdatedAt ? "" : ", StorageGRDB.StampedRecord")
    }

    private var members: [String] {
        let held = """
            \(access)static var databaseTableName: Swift.String { \(model.table.source) }
            \(access)let _row: StorageGRDB.StoredRow<E>
            \(access)init(_row: StorageGRDB.StoredRow<E>) {
                self._row = _row
            }
            """
        return [held, memberwiseInitializer].compactMap(\.self) + model.properties.compactMap(association)
    }

    /// From the values of a row. None where an embedded value is called `updatedAt`, as the time of the last save is.
    private var memberwiseInitializer: String? {
        let properties = model.memberwise
        let isNamedTwice = !model.hasUpdatedAt && properties.contains { $0.columnName == "updatedAt" }
        guard model.isMadeInSight || InitializerEmitter(model: model).isSeenOutside, !isNamedTwice else { return nil }
        let access = properties.map(\.access).reduce(model.access, min).prefix
        let label = model.hasInitializer ? "_values: (), " : ""
        let arguments = model.properties.filter { !$0.isConstant }.compactMap { property -> String? in
            if property.role.isStored { return property.argument }
            let beginsAsNil = property.type?.beginsAsNil(isLet: property.isLet) == true
            let hasValue = beginsAsNil || property.defaultValue != nil || property.isChildren
            let isAsked = !hasValue && !model.hasInitializer
            return isAsked ? "\(property.name.asLabel): nil" : nil
        }
        let stamp = model.hasUpdatedAt ? [] : ["updatedAt: Foundation.Date"]
        let savedAt = model.hasUpdatedAt ? "" : ", savedAt: updatedAt"
        let row = "_row = StorageGRDB.StoredRow(Self.E(\(label)\(arguments.joined(separator: ", ")))\(savedAt))"
        return """
            \(access)init(\((properties.map(parameter) + stamp).joined(separator: ", "))) {
                \(model.body([row]))
            }
            """
    }

    private func parameter(_ property: StoredProperty) -> String {
        let type = property.type?.naming(model.scope, isOutside: true) ?? property.declaredType
        let isOptional = !property.isLet && property.type?.wrappedInOptional != nil
        return "\(property.parameter): \(type)\(isOptional ? " = nil" : "")"
    }

    /// GRDB's association, under the name of the property.
    private func association(_ property: StoredProperty) -> String? {
        let (function, other, foreignKey): (String, String, String)
        switch property.role {
        case .hasMany(let child, let key): (function, other, foreignKey) = ("hasMany", child, key)
        case .belongsTo(let parent, let key): (function, other, foreignKey) = ("belongsTo", parent, key)
        default: return nil
        }
        return "\(min(model.access, property.access).prefix)static let \(property.name) = "
            + "\(function)(\(outside(other)).Record.self, key: \(property.columnName.source), "
            + "using: StorageGRDB.ForeignKey(\([foreignKey].source)))"
    }

    /// The name of a type, which may stand in the entity, as it is out here, where `Self` is the record.
    private func outside(_ type: String) -> String {
        let path = type.split(separator: ".")
        if path.first == "Self" { return ([model.name[...]] + path.dropFirst()).joined(separator: ".") }
        let isInside = path.first.map { model.ownTypes.contains(String($0)) } ?? false
        return isInside ? "\(model.name).\(type)" : type
    }
}
