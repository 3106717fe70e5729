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
                    \(raw: access)typealias Record = \(raw: model.recordName)
                    \(raw: access)struct StorageColumns: Swift.Sendable {
                        \(raw: lines { "\(access)let \($0.name) = StorageGRDB.Column<\($0.type)>(\"\($0.columnName)\")" })
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
