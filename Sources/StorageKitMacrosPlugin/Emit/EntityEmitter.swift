import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the extension of the entity: its typed columns, and the codec that walks them by position.
struct EntityEmitter {
    private let model: EntityModel
    private let type: String

    init(_ model: EntityModel, type: String) {
        self.model = model
        self.type = type
    }

    var declaration: ExtensionDeclSyntax {
        get throws {
            let access = model.access
            return try ExtensionDeclSyntax(
                """
                extension \(raw: type): StorageGRDB.RegisteredEntity {
                    \(raw: access)typealias Record = \(raw: qualifiedRecord)
                    \(raw: access)struct StorageColumns: Swift.Sendable {
                        \(raw: lines(column))
                        fileprivate init() {}
                        fileprivate var _all: [any StorageGRDB.AnyColumn] { [\(raw: names)] }
                    }
                    \(raw: access)static let storageColumns = StorageColumns()
                    fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                        \(raw: lines(decode))
                    }
                    fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
                        \(raw: lines { "try row.append(self.\($0.name))" })
                    }
                }
                """)
        }
    }

    /// The extension stands at file scope, where a sibling of a nested entity needs its full name.
    private var qualifiedRecord: String {
        let outer = type.split(separator: ".").dropLast()
        return (outer + [model.recordName[...]]).joined(separator: ".")
    }

    /// The type comes from a key path: the name that the source gives it may mean another type here.
    private func column(_ property: StoredProperty) -> String {
        """
        \(model.access)let \(property.name) = StorageGRDB._column("\(property.columnName)", \\\(type).\(property.name))
        """
    }

    private func decode(_ property: StoredProperty) -> String {
        property.isConstant ? "row.skip()" : "self.\(property.name) = try row.next()"
    }

    private var names: String {
        model.properties.map { "self.\($0.name)" }.joined(separator: ", ")
    }

    private func lines(_ line: (StoredProperty) -> String) -> String {
        model.properties.map(line).joined(separator: "\n")
    }
}
