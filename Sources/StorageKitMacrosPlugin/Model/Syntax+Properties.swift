import SwiftSyntax

extension VariableDeclSyntax {
    var isLet: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

    /// Whether the variable belongs to each value and is there from the beginning.
    var isInstanceStorage: Bool {
        !modifiers.contains { modifier in
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class), .keyword(.lazy): true
            default: false
            }
        }
    }

    /// The bindings that store something. In `var x, y: Int` the type stands behind the last name only.
    var storedBindings: [(binding: PatternBindingSyntax, type: TypeSyntax?)] {
        var type: TypeSyntax?
        var stored: [(PatternBindingSyntax, TypeSyntax?)] = []
        for binding in bindings.reversed() {
            type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
            if !binding.isComputed { stored.append((binding, type)) }
        }
        return stored.reversed()
    }
}

extension PatternBindingSyntax {
    /// `willSet` and `didSet` observe a stored property; any other accessor computes one.
    fileprivate var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}

extension DeclModifierSyntax {
    var isWeak: Bool { [.keyword(.weak), .keyword(.unowned)].contains(name.tokenKind) }
}

extension IfConfigDeclSyntax {
    var holdsProperties: Bool {
        clauses.contains { clause in
            guard case .decls(let members) = clause.elements else { return false }
            return members.contains { member in
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                return variable.isInstanceStorage && !variable.storedBindings.isEmpty
            }
        }
    }
}

extension ExprSyntax {
    /// The type of a literal, where every reader of the source sees it; nil for any other expression.
    var literalType: String? {
        if let negated = self.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            let type = negated.expression.literalType
            return ["Int", "Double"].contains(type) ? type : nil
        }
        if self.is(StringLiteralExprSyntax.self) { return "String" }
        if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
        return self.is(FloatLiteralExprSyntax.self) ? "Double" : nil
    }
}

extension AttributeSyntax {
    /// The last part of the name: `StorageKit.StorageJSON` is `StorageJSON`.
    var name: String {
        attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    /// An argument that is not nil.
    func argument(_ label: String) -> ExprSyntax? {
        guard case .argumentList(let arguments) = arguments,
            let expression = arguments.first(where: { $0.label?.text == label })?.expression,
            !expression.is(NilLiteralExprSyntax.self)
        else { return nil }
        return expression
    }
}

extension AttributeListSyntax {
    func named(_ name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == name }
    }

    /// Those of ours that say how a property is stored.
    var roles: [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }.filter { PropertyRole.attributeNames.contains($0.name) }
    }
}

extension String {
    /// The name without backticks.
    var unquoted: String { filter { $0 != "`" } }
}
