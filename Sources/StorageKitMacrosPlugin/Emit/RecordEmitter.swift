import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the record beside the entity: its table, its columns, its relations, and two lines of codec each of which
/// calls the entity. What a record does stands in `GeneratedRecord`.
struct RecordEmitter {
    private let model: EntityModel
    private let access: String

    init(_ model: EntityModel) {
        self.model = model
        access = model.access.prefix
    }

    // `E` and not its name: that may be a word which begins an accessor where it stands first in a property's braces.
    var declaration: DeclSyntax {
        """
        /// The row of ``\(raw: model.name)`` in its table.
        \(raw: model.availabilityLines)\(raw: model.recordPrefix)nonisolated struct \(raw: model.recordName): StorageGRDB.GeneratedRecord {
            \(raw: access)typealias E = \(raw: model.name)
            \(raw: access)static let databaseTableName: Swift.String = \(literal: model.table)
            \(raw: access)static let schemaColumns: [StorageCore.ColumnSchema] = _makeSchemaColumns()
            \(raw: access)static var _parts: [any StorageGRDB.SchemaPart] {
                E.storageColumns._schemaParts
            }
            \(raw: members.map(\.indented).lines(indent: 1))
            \(raw: access)static func _decode(_ row: inout StorageGRDB.RowReader) throws -> \(raw: model.name) {
                try \(raw: DecoderEmitter(model).call)
            }
            \(raw: access)static func _encode(_ entity: \(raw: model.name), to row: inout StorageGRDB.RowWriter) throws {
                try entity._encode(to: &row)
            }
        }
        """
    }

    private var members: [String] {
        model.properties.compactMap(association) + ["\(access)var _entity: \(model.name)", updatedAt]
            + (DefaultsEmitter(model).isNeeded ? [defaults] : [])
    }

    private var defaults: String {
        """
        \(access)static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
            try \(model.name)._encodeDefaults(to: &row)
        }
        """
    }

    /// GRDB's association, under the name of the property.
    private func association(_ property: StoredProperty) -> String? {
        let (function, other, foreignKey): (String, String, String)
        switch property.role {
        case .hasMany(let child, let key): (function, other, foreignKey) = ("hasMany", child, key)
        case .belongsTo(let parent, let key): (function, other, foreignKey) = ("belongsTo", parent, key)
        default: return nil
        }
        let key = StringLiteralExprSyntax(content: property.columnName)
        let column = StringLiteralExprSyntax(content: foreignKey)
        return "\(min(model.access, property.access).prefix)static let \(property.name) = "
            + "\(function)(\(outside(other)).Record.self, key: \(key), using: StorageGRDB.ForeignKey([\(column)]))"
    }

    /// The name of a type, which may stand in the entity, as it is out here, where `Self` is the record.
    private func outside(_ type: String) -> String {
        let path = type.split(separator: ".")
        if path.first == "Self" { return ([model.name[...]] + path.dropFirst()).joined(separator: ".") }
        let isInside = path.first.map { model.ownTypes.contains(String($0)) } ?? false
        return isInside ? "\(model.name).\(type)" : type
    }

    /// The time of the last save: a property of the record, or the one that the entity has itself.
    private var updatedAt: String {
        guard model.hasUpdatedAt else {
            return """
                \(access)var updatedAt: Foundation.Date
                \(access)var _savedAt: Foundation.Date {
                    self.updatedAt
                }
                \(access)init(_entity: \(model.name), updatedAt: Foundation.Date) {
                    self._entity = _entity
                    self.updatedAt = updatedAt
                }
                """
        }
        return """
            \(access)static var _addsUpdatedAt: Swift.Bool {
                false
            }
            \(access)init(_entity: \(model.name), updatedAt: Foundation.Date) {
                self._entity = _entity
            }
            """
    }
}
