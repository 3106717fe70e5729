import SwiftSyntax

/// Writes the memberwise initialisers of an entity that the compiler does not write: the one without its children, and the
/// one that other modules see.
struct InitializerEmitter {
    let model: EntityModel

    /// Takes the place of the compiler's own, which would ask for the children. It is written into the struct and not into the
    /// extension, since only there the types mean what they mean to the properties.
    var replacement: String? {
        guard asksForChildren || (isSeenOutside && !canStandOutside), !model.hasInitializer else { return nil }
        let assigned = properties.settingLast(\.isSetLast)
        return """
            \(access)nonisolated init(\(properties.map(parameter).joined(separator: ", "))) {
                \(model.body(assigned.map { "self.\($0.name) = \($0.value)" }))
            }
            """
    }

    /// Stands beside the compiler's own, which the module alone sees and which is the fastest way to make the struct. `_: Void` makes it
    /// another overload than the compiler's, and `@_disfavoredOverload` lets that one win inside the module.
    var initializer: String? {
        guard isSeenOutside, canStandOutside, !asksForChildren else { return nil }
        let arguments = properties.map(\.argument).joined(separator: ", ")
        return """
            @_disfavoredOverload
            \(access)init(\(properties.map(parameter).joined(separator: ", ")), _: Swift.Void = ()) {
                \(model.body(["self = Self(\(arguments))"]))
            }
            """
    }

    /// The default values of an initialiser that other modules call. A value may name what they do not see, which a function may
    /// and an argument of theirs may not.
    var defaults: [String] {
        guard replacement != nil || initializer != nil else { return [] }
        return properties.filter(namesSomething).compactMap { property in
            property.defaultValue.map { value in
                """
                @usableFromInline nonisolated static func _default(\(property.parameter): Swift.Void) -> \(property.declaredType) {
                    \(model.body([value.trimmedDescription]))
                }
                """
            }
        }
    }

    /// For the record, where the struct says itself how it is made.
    var ofValues: String? {
        guard model.isMadeInSight, model.hasInitializer else { return nil }
        let parameters = ["_values _: Swift.Void"] + model.memberwise.map { "\($0.parameter): \($0.declaredType)" }
        let assignments = properties.filter { !$0.isIgnored }.map { property in
            let value = property.role.isStored ? property.value : property.isChildren ? "[]" : "nil"
            return "self.\(property.name) = \(value)"
        }
        return """
            fileprivate nonisolated init(\(parameters.joined(separator: ", "))) {
                \(model.body(assignments))
            }
            """
    }

    /// What can be given. Of what is not stored, only what is as visible as all the rest.
    private var properties: [StoredProperty] {
        // Children that are no array are a mistake, and not asked for either.
        let properties = model.properties.filter { !$0.isConstant && !($0.isChildren && $0.type?.arrayElement == nil) }
        guard model.hasIgnored else { return properties }
        let stored = properties.filter { !$0.isIgnored }
        let access = stored.map(\.access).reduce(model.access, min)
        return properties.filter { !$0.isIgnored || (!$0.isPrivate && $0.access >= access) }
    }

    private var asksForChildren: Bool {
        model.properties.contains { $0.isChildren && $0.defaultValue == nil }
    }

    /// As visible as the entity, but no more than its least visible property, whose type may be as hidden.
    private var access: String {
        properties.contains(where: \.isPrivate) ? "private " : leastAccess.prefix
    }

    /// Whether one of the two is there for other modules.
    var isSeenOutside: Bool { leastAccess > .internal && model.isSeenWhole && !model.hasInitializer }

    /// Whether the default value of a property has to stand in a function.
    private func namesSomething(_ property: StoredProperty) -> Bool {
        guard let value = property.defaultValue else { return false }
        // What is an expression in an assignment only is none as an argument.
        return leastAccess == .public && !value.isLiteral || value.is(IfExprSyntax.self)
            || value.is(SwitchExprSyntax.self)
    }

    private var leastAccess: Access { properties.map(\.access).reduce(model.access, min) }

    /// Whether an extension at file scope finds the types of the properties.
    private var canStandOutside: Bool {
        // An initialiser in an extension calls the compiler's, which may be private, and Swift does not let it where a `let` has its value.
        model.hasMemberwise && !model.properties.contains(where: \.isConstant)
            && (!model.isNested || properties.allSatisfy { $0.form == .value })
    }

    private func parameter(_ property: StoredProperty) -> String {
        let escaping = property.type?.isFunction == true ? "@escaping " : ""
        let value = defaultValue(of: property).map { " = \($0)" } ?? ""
        return "\(property.parameter): \(escaping)\(property.declaredType)\(value)"
    }

    private func defaultValue(of property: StoredProperty) -> String? {
        if namesSomething(property) { return "Self._default(\(property.name.asLabel): ())" }
        if let value = property.defaultValue { return value.trimmedDescription }
        if property.isChildren { return "[]" }
        return !property.isLet && property.type?.wrappedInOptional != nil ? "nil" : nil
    }
}
