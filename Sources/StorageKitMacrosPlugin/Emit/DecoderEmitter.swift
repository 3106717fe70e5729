import SwiftSyntax

/// Writes how an entity is read from a row, by position.
///
/// Where it can be it is made by the memberwise initialiser that the compiler gives to a struct: that one alone puts a struct
/// together as a value. One that assigns properties makes it in memory, copies all of it and destroys it again, which is a
/// tenth of the time that a row takes.
struct DecoderEmitter {
    let model: EntityModel

    /// Stands in the struct, whose own initialiser it calls.
    var inStruct: String? {
        guard model.isMadeMemberwise else { return nil }
        // With their types, which tell the initialiser from an app's own with the same labels.
        let arguments = model.properties.filter { !$0.isIgnored }.map { property in
            "\(property.name.asLabel): \(value(of: property))"
                + (property.form == nil ? "" : " as \(property.typeInside)")
        }
        return """
            \(model.access.prefix)nonisolated static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                \(model.body(["try Self(\(arguments.joined(separator: ", ")))"]))
            }
            """
    }

    /// Stands in the extension, so that the struct keeps the compiler's own initialiser, if it has one.
    var inExtension: String? {
        guard !model.isMadeMemberwise else { return nil }
        return """
            \(model.deprecationLine)\(model.access.prefix)static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                try Self(_row: &row)
            }
            \(model.deprecationLine)fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                \(model.body(model.properties.compactMap(assignment) + lastAssignments))
            }
            """
    }

    private func assignment(_ property: StoredProperty) -> String? {
        // It has its default value already.
        if property.isIgnored { return nil }
        guard property.isConstant else {
            let target =
                property.isSetLast ? "let \(property.local): \(property.declaredType)" : "self.\(property.name)"
            return "\(target) = \(property.role.isStored ? "try " : "")\(value(of: property))"
        }
        return switch property.role {
        case .column, .json, .version: "row.skip()"
        case .embedded: "row.skip(\(property.columnReference))"
        case .ignored, .hasMany, .hasManyThrough, .belongsTo: nil
        }
    }

    /// Of what is read in its place and set behind all others.
    private var lastAssignments: [String] {
        model.properties.filter { $0.isSetLast && !$0.isIgnored }.map { "self.\($0.name) = \($0.local)" }
    }

    private func value(of property: StoredProperty) -> String {
        if property.isChildren { return "[]" }
        return switch property.form {
        case .value: "row.nextValue()"
        case .json: "row.nextJSON()"
        case .embedded: "row.next(\(property.columnReference))"
        case .rawValue, .unknown: "row.next()"
        case nil: "nil"
        }
    }
}
