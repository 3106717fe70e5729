import SwiftDiagnostics
import SwiftSyntax

/// A property of the entity that is a column.
struct StoredProperty {
    /// As it stands in the source, in backticks where it does.
    let name: String
    /// A `let` with a value: it is written, but a row cannot change it.
    let isConstant: Bool

    var columnName: String { name.unquoted }

    /// The stored properties in their order. Computed, static and lazy members are not columns.
    static func all(in block: MemberBlockSyntax, problems: inout [Diagnostic]) -> [StoredProperty] {
        var properties: [StoredProperty] = []
        for member in block.members {
            if let condition = member.decl.as(IfConfigDeclSyntax.self), condition.holdsProperties {
                problems.append(MacroProblem.conditionalProperty.at(condition))
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isInstanceStorage else { continue }
            properties += stored(by: variable, problems: &problems)
        }
        return properties
    }

    private static func stored(
        by variable: VariableDeclSyntax, problems: inout [Diagnostic]
    ) -> [StoredProperty] {
        let isLet = variable.bindingSpecifier.tokenKind == .keyword(.let)
        // In `var x, y: Int` the type stands behind the last name only.
        var hasType = false
        var properties: [StoredProperty] = []
        for binding in variable.bindings.reversed() {
            hasType = binding.typeAnnotation != nil || (binding.initializer == nil && hasType)
            guard !binding.isComputed else { continue }
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                problems.append(MacroProblem.patternProperty.at(binding.pattern))
                continue
            }
            let name = pattern.identifier.text
            guard hasType || binding.initializer?.value.isPlainLiteral == true else {
                problems.append(MacroProblem.missingType(property: name).at(pattern))
                continue
            }
            properties.append(StoredProperty(name: name, isConstant: isLet && binding.initializer != nil))
        }
        return properties.reversed()
    }
}

extension VariableDeclSyntax {
    fileprivate var isInstanceStorage: Bool {
        !modifiers.contains { modifier in
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class), .keyword(.lazy): true
            default: false
            }
        }
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

extension IfConfigDeclSyntax {
    fileprivate var holdsProperties: Bool {
        clauses.contains { clause in
            guard case .decls(let members) = clause.elements else { return false }
            return members.contains { $0.decl.as(VariableDeclSyntax.self)?.isInstanceStorage == true }
        }
    }
}

extension ExprSyntax {
    /// Whether a reader of the source sees the type: a string, a number, true or false.
    fileprivate var isPlainLiteral: Bool {
        if let negated = self.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            return negated.expression.is(IntegerLiteralExprSyntax.self)
                || negated.expression.is(FloatLiteralExprSyntax.self)
        }
        return self.is(StringLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
            || self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
    }
}

extension String {
    /// The name without backticks.
    var unquoted: String { filter { $0 != "`" } }
}
