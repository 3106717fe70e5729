import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// What attributes say of a property's column beside its role.
struct PropertyTraits {
    /// The column holds ids of another entity.
    struct Reference {
        /// The type of the other, as the source says it.
        let parent: String
        /// The cases that the actions are.
        let onDelete: String?
        let onUpdate: String?
        /// The name of the path to the parent, where the source says one.
        let path: String?
        let attribute: AttributeSyntax
    }

    /// No two rows have the same value.
    struct Unique {
        let ignoresCase: Bool
    }

    /// A name that the column had before.
    struct FormerName {
        let name: String
        let literal: ExprSyntax
    }

    static let attributeNames = ["StorageReference", "StorageUnique", "StorageRenamed"]

    private(set) var reference: Reference?
    private(set) var unique: Unique?
    private(set) var formerNames: [FormerName] = []

    /// Of a property with a mistake.
    init() {}

    init(
        of variable: VariableDeclSyntax, name: String, type: TypeSyntax?, defaultValue: ExprSyntax?,
        _ scope: EntityScope, problems: inout [Diagnostic]
    ) {
        for attribute in variable.attributes.ours where PropertyTraits.attributeNames.contains(attribute.name) {
            switch attribute.name {
            case "StorageReference":
                let reader = ReferenceReader(
                    attribute: attribute, property: name, type: type,
                    hasDefault: defaultValue?.isDefault(of: type) == true)
                reference = reader.reference(problems: &problems)
            case "StorageUnique": unique = PropertyTraits.unique(attribute, name, type, scope, problems: &problems)
            default: formerNames = PropertyTraits.formerNames(attribute, "from", problems: &problems)
            }
        }
    }

    private static func unique(
        _ attribute: AttributeSyntax, _ name: String, _ type: TypeSyntax?, _ scope: EntityScope,
        problems: inout [Diagnostic]
    ) -> Unique? {
        guard let argument = attribute.argument("ignoringCase") else { return Unique(ignoresCase: false) }
        guard let literal = argument.as(BooleanLiteralExprSyntax.self) else {
            problems.append(
                MacroProblem.notTrueOrFalse(attribute: attribute.name, label: "ignoringCase").at(argument))
            return nil
        }
        let ignoresCase = literal.literal.tokenKind == .keyword(.true)
        if ignoresCase, type?.hasNoLetters(outside: scope.ownTypes) == true {
            problems.append(MacroProblem.noLetters(property: name).at(argument))
        }
        return Unique(ignoresCase: ignoresCase)
    }

    /// Reads names that are written out, of which there has to be one if there is the label.
    static func formerNames(
        _ attribute: AttributeSyntax, _ label: String, problems: inout [Diagnostic]
    ) -> [FormerName] {
        let arguments = attribute.arguments(label)
        if arguments.isEmpty { problems.append(MacroProblem.noFormerName(attribute: attribute.name).at(attribute)) }
        var names: [FormerName] = []
        for argument in arguments {
            guard let name = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
                problems.append(
                    MacroProblem.argumentNotLiteral(attribute: attribute.name, label: label).at(argument))
                continue
            }
            if names.contains(where: { $0.name.lowercased() == name.lowercased() }) {
                problems.append(MacroProblem.formerNameTwice(name: name).at(argument))
            }
            names.append(FormerName(name: name, literal: argument))
        }
        return names
    }
}

/// Reads `@StorageReference`.
private struct ReferenceReader {
    let attribute: AttributeSyntax
    let property: String
    let type: TypeSyntax?
    /// Whether the column has a default of its own.
    let hasDefault: Bool

    func reference(problems: inout [Diagnostic]) -> PropertyTraits.Reference? {
        let count = problems.count
        let parent = parent(problems: &problems)
        let onDelete = action("onDelete", problems: &problems)
        let onUpdate = action("onUpdate", problems: &problems)
        let path = path(problems: &problems)
        guard let parent, problems.count == count else { return nil }
        return PropertyTraits.Reference(
            parent: parent, onDelete: onDelete, onUpdate: onUpdate, path: path, attribute: attribute)
    }

    private func parent(problems: inout [Diagnostic]) -> String? {
        guard case .argumentList(let arguments) = attribute.arguments, let first = arguments.first,
            first.label == nil
        else {
            problems.append(MacroProblem.parentNotType.at(attribute))
            return nil
        }
        guard let parent = first.expression.namedType else {
            problems.append(MacroProblem.parentNotType.at(first.expression))
            return nil
        }
        return parent
    }

    private func action(_ label: String, problems: inout [Diagnostic]) -> String? {
        guard let argument = attribute.argument(label) else { return nil }
        // A constant of the app's may be another action than it is called.
        guard let member = argument.as(MemberAccessExprSyntax.self),
            member.base.map({ $0.sourceText.split(separator: ".").last == "ReferenceAction" }) ?? true
        else {
            problems.append(MacroProblem.actionNotLiteral(label: label).at(argument))
            return nil
        }
        let action = member.declName.baseName.text
        let isKey = property.unquoted == "id"
        let mayBeNil = !isKey && type?.wrappedInOptional != nil
        if action == "setDefault", !hasDefault, !mayBeNil {
            problems.append(MacroProblem.actionSetsNoDefault(property: property, label: label).at(argument))
        }
        if action == "setNull", !mayBeNil {
            var fixIts: [FixIt] = []
            if !isKey, let type {
                let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
                fixIts = [
                    .replacing(type, with: TypeSyntax(optional), "make it '\(optional.trimmedDescription)'")
                ]
            }
            problems.append(
                MacroProblem.actionSetsNull(property: property, label: label).at(argument, fixIts: fixIts))
        }
        return action
    }

    private func path(problems: inout [Diagnostic]) -> String? {
        guard let argument = attribute.argument("as") else { return nil }
        guard let name = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            problems.append(MacroProblem.argumentNotLiteral(attribute: attribute.name, label: "as").at(argument))
            return nil
        }
        if !name.isValidSwiftIdentifier(for: .memberAccess) {
            problems.append(MacroProblem.pathNotName(text: name).at(argument))
        }
        return name
    }
}

extension AttributeListSyntax {
    /// Two of ours that one property cannot have: two roles, one trait twice, or a trait of a column and a role without such a one.
    var clash: (AttributeSyntax, AttributeSyntax)? {
        let ours = ours
        for (place, second) in ours.enumerated() {
            if let first = ours[..<place].first(where: { !$0.goes(with: second) }) { return (first, second) }
        }
        return nil
    }
}

extension AttributeSyntax {
    fileprivate func goes(with other: AttributeSyntax) -> Bool {
        let isTrait = PropertyTraits.attributeNames.contains(name)
        let isOtherTrait = PropertyTraits.attributeNames.contains(other.name)
        if isTrait, isOtherTrait { return name != other.name }
        guard isTrait != isOtherTrait else { return false }
        return switch isTrait ? (name, other.name) : (other.name, name) {
        case ("StorageUnique", "StorageJSON"), ("StorageRenamed", "StorageJSON"), ("StorageRenamed", "StorageVersion"),
            ("StorageRenamed", "StorageEmbedded"):
            true
        default: false
        }
    }
}
