import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the memberwise initialiser of an entity with children, in which they need not be named.
///
/// The compiler's own would ask for them. It is written into the struct and not into the extension, since only
/// there the types mean what they mean to the properties; and only where the struct has no initialiser, as the
/// compiler's is.
struct InitializerEmitter {
    private let model: EntityModel

    init(_ model: EntityModel) {
        self.model = model
    }

    var declarations: [DeclSyntax] {
        let asksForChildren = model.properties.contains {
            if case .hasMany = $0.role { $0.defaultValue == nil } else { false }
        }
        guard asksForChildren, !model.hasInitializer else { return [] }
        let properties = model.properties.filter { !$0.isConstant }
        // As visible as the compiler's: no more than the least visible property, whose type may be as hidden.
        let access =
            properties.contains(where: \.isPrivate)
            ? "private " : min(.internal, properties.map(\.access).min() ?? .internal).prefix
        return [
            """
            \(raw: access)nonisolated init(\(raw: properties.map(parameter).joined(separator: ", "))) {
                \(raw: properties.map { "self.\($0.name) = \($0.name)" }.lines(indent: 1))
            }
            """
        ]
    }

    private func parameter(_ property: StoredProperty) -> String {
        "\(property.name): \(property.declaredType)" + (defaultValue(of: property).map { " = \($0)" } ?? "")
    }

    private func defaultValue(of property: StoredProperty) -> String? {
        if let value = property.defaultValue { return value.trimmedDescription }
        if case .hasMany = property.role { return "[]" }
        return !property.isLet && property.type?.wrappedInOptional != nil ? "nil" : nil
    }
}
