import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the record beside the entity: its table, its columns, and two lines of codec each of which calls the
/// entity. What a record does stands in `GeneratedRecord`.
struct RecordEmitter {
    private let model: EntityModel

    init(_ model: EntityModel) {
        self.model = model
    }

    var declaration: DeclSyntax {
        let access = model.access
        return """
            /// The row of ``\(raw: model.name)`` in the table `\(raw: model.table)`.
            \(raw: access)struct \(raw: model.recordName): StorageGRDB.GeneratedRecord {
                \(raw: access)typealias E = \(raw: model.name)
                \(raw: access)static let databaseTableName: Swift.String = \(literal: model.table)
                \(raw: access)static let schemaColumns: [StorageCore.ColumnSchema] = \(raw: schemaColumns)
                \(raw: access)var _entity: \(raw: model.name)
                \(raw: updatedAt)
                \(raw: access)static func _decode(_ row: inout StorageGRDB.RowReader) throws -> \(raw: model.name) {
                    try \(raw: model.name)(_row: &row)
                }
                \(raw: access)static func _encode(_ entity: \(raw: model.name), to row: inout StorageGRDB.RowWriter) throws {
                    try entity._encode(to: &row)
                }
            }
            """
    }

    private var schemaColumns: String {
        let columns = "\(model.name).storageColumns._all"
        return "StorageGRDB._schema(\(columns), addingUpdatedAt: \(!model.hasUpdatedAt))"
    }

    /// The time of the last save: a property of the record, or the one that the entity has itself.
    private var updatedAt: String {
        let access = model.access
        guard model.hasUpdatedAt else {
            return """
                \(access)var updatedAt: Foundation.Date
                \(access)var _savedAt: Foundation.Date { self.updatedAt }
                \(access)init(_entity: \(model.name), updatedAt: Foundation.Date) {
                    self._entity = _entity
                    self.updatedAt = updatedAt
                }
                """
        }
        return """
            \(access)static var _addsUpdatedAt: Swift.Bool { false }
            \(access)init(_entity: \(model.name), updatedAt: Foundation.Date) {
                self._entity = _entity
            }
            """
    }
}
