import SwiftSyntax

/// Writes the constant default values of the properties, which existing rows get when auto-schema adds their columns.
///
/// Like the initialiser it is written into the struct, since only there the values and types mean what they mean to
/// the properties.
struct DefaultsEmitter {
    let model: EntityModel

    var declaration: String? {
        guard model.columns.contains(where: { value(of: $0) != nil }) else { return nil }
        return """
            \(model.access.prefix)nonisolated static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                \(model.body(lines))
            }
            """
    }

    /// One for each value, and one for each run of columns before one that have none.
    private var lines: [String] {
        var lines: [String] = []
        var plain = 0
        func passOver() {
            if plain > 0 { lines.append("row.skip(\(plain))") }
            plain = 0
        }
        let last = model.columns.lastIndex { value(of: $0) != nil } ?? 0
        for property in model.columns[...last] {
            if let value = value(of: property) {
                passOver()
                lines.append(value)
            } else if case .embedded = property.role {
                passOver()
                lines.append("row.skip(\(property.columnReference))")
            } else {
                plain += 1
            }
        }
        return lines
    }

    private func value(of property: StoredProperty) -> String? {
        // An existing row's first version is the run time's affair: 0 is never stored.
        guard !property.isVersion, let value = property.defaultValue, value.isDefault(of: property.type) else {
            return nil
        }
        let typed = "(\(value.trimmedDescription)) as \(property.declaredType)"
        // One that cannot be stored, such as NaN, is none, and takes no other with it.
        return switch property.form {
        case .value: "_ = try? row.appendValue(\(typed))"
        case .json: "_ = try? row.appendJSON(\(typed))"
        case .embedded: "try row.append(\(typed), \(property.columnReference))"
        case .rawValue, .unknown, nil: "_ = try? row.append(\(typed))"
        }
    }
}
