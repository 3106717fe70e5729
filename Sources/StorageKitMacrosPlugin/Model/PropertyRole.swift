import SwiftParser
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What a stored property is to the table.
enum PropertyRole {
    /// One column, in the form that the compiler chooses by the type.
    case column
    /// One column of JSON.
    case json
    /// One column that counts how often the row was written.
    case version
    /// One column for each field of a value.
    case embedded(EmbeddedValue)
    /// No column, and nothing that a row gives.
    case ignored
    /// No column: the children's foreign key points here.
    case hasMany(child: String, foreignKey: String)
    /// No column: rows of a link point here and to the others.
    case hasManyThrough(link: String, from: String?, to: String?)
    /// No column: a foreign key points to the parent.
    case belongsTo(parent: String, foreignKey: String)

    var isStored: Bool {
        switch self {
        case .column, .json, .version, .embedded: true
        case .ignored, .hasMany, .hasManyThrough, .belongsTo: false
        }
    }

    var isSingleColumn: Bool {
        switch self {
        case .column, .json, .version: true
        case .embedded, .ignored, .hasMany, .hasManyThrough, .belongsTo: false
        }
    }

    static let attributeNames = [
        "StorageEmbedded", "StorageHasMany", "StorageBelongsTo", "StorageJSON", "StorageVersion", "StorageIgnored",
    ]
}

/// Reads the role of a property from its attribute and type.
struct PropertyRoleReader {
    let name: String
    let type: TypeSyntax?
    let variable: VariableDeclSyntax
    let pattern: PatternSyntax
    let defaultValue: ExprSyntax?
    /// Where value types nested in the entity stand.
    let scope: MemberBlockSyntax

    func role(_ attribute: AttributeSyntax?, problems: inout [Diagnostic]) -> PropertyRole? {
        guard let attribute else { return .column }
        if attribute.name == "StorageJSON" { return .json }
        if attribute.name == "StorageVersion" { return version(problems: &problems) }
        if attribute.name == "StorageIgnored" { return ignored(problems: &problems) }
        guard let type else {
            problems.append(MacroProblem.missingType(property: name).at(pattern))
            return nil
        }
        return switch attribute.name {
        case "StorageEmbedded": embedded(attribute, type, problems: &problems)
        case "StorageHasMany": hasMany(attribute, type, problems: &problems)
        default: belongsTo(attribute, type, problems: &problems)
        }
    }

    private func version(problems: inout [Diagnostic]) -> PropertyRole? {
        if variable.isLet {
            let keyword = variable.bindingSpecifier
            let fix = FixIt.replacing(keyword, with: .keyword(.var), "make it a 'var'")
            problems.append(MacroProblem.constantVersion(property: name).at(keyword, fixIts: [fix]))
            return nil
        }
        if let type, !type.isInt(outside: scope.typeNames) {
            let int: TypeSyntax = scope.typeNames.contains("Int") ? "Swift.Int" : "Int"
            let fix = FixIt.replacing(type, with: int, "make it '\(int)'")
            problems.append(MacroProblem.versionNotInt(property: name).at(type, fixIts: [fix]))
            return nil
        }
        // A new entity is told from a stored one by the 0.
        if let value = defaultValue, value.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue != 0 {
            let fix = FixIt.replacing(value, with: "0" as ExprSyntax, "make it '0'")
            problems.append(MacroProblem.versionNotFromZero(property: name).at(value, fixIts: [fix]))
            return nil
        }
        return .version
    }

    /// A `var` of a type `T?` is nil without saying so.
    private func ignored(problems: inout [Diagnostic]) -> PropertyRole? {
        let beginsAsNil = !variable.isLet && type?.isOptionalBySign == true
        guard defaultValue == nil, !beginsAsNil else { return .ignored }
        problems.append(MacroProblem.ignoredWithoutValue(property: name).at(pattern))
        return nil
    }

    private func embedded(
        _ attribute: AttributeSyntax, _ type: TypeSyntax, problems: inout [Diagnostic]
    ) -> PropertyRole? {
        let value = type.wrappedInOptional ?? type
        let isOwn = scope.typeNames.contains(value.trimmedDescription)
        guard value.isNominal, isOwn || !value.isPlainColumn else {
            // A collection has a JSON form only; of the rest the attribute alone is wrong.
            let fix =
                value.is(IdentifierTypeSyntax.self) && value.isPlainColumn
                ? FixIt.removing(attribute, from: variable)
                : FixIt.replacing(attribute, with: "@StorageJSON", "store it as JSON")
            let problem = MacroProblem.notEmbeddable(property: name, type: value.trimmedDescription)
            problems.append(problem.at(type, fixIts: [fix]))
            return nil
        }
        guard let prefix = string("prefix", of: attribute, or: name.unquoted + "_", problems: &problems) else {
            return nil
        }
        return .embedded(EmbeddedValue(type: value, isOptional: type.wrappedInOptional != nil, prefix, in: scope))
    }

    private func hasMany(
        _ attribute: AttributeSyntax, _ type: TypeSyntax, problems: inout [Diagnostic]
    ) -> PropertyRole? {
        guard let child = type.arrayElement else {
            let value = type.wrappedInOptional ?? type
            let array = ArrayTypeSyntax(element: (value.arrayElement ?? value.setElement ?? value).trimmed)
            let fix = FixIt.replacing(type, with: TypeSyntax(array), "make it '\(array.trimmedDescription)'")
            problems.append(MacroProblem.notAnArray(property: name).at(type, fixIts: [fix]))
            return nil
        }
        guard isEntity(child, problems: &problems) else { return nil }
        if attribute.argument("through") != nil { return through(attribute, problems: &problems) }
        return foreignKey(attribute, or: "", problems: &problems).map {
            .hasMany(child: child.trimmedDescription, foreignKey: $0)
        }
    }

    private func through(_ attribute: AttributeSyntax, problems: inout [Diagnostic]) -> PropertyRole? {
        guard let argument = attribute.argument("through"), let link = argument.namedType else {
            problems.append(
                MacroProblem.linkNotType.at(attribute.argument("through").map { Syntax($0) } ?? Syntax(attribute)))
            return nil
        }
        guard let from = string("from", of: attribute, or: "", problems: &problems),
            let to = string("to", of: attribute, or: "", problems: &problems)
        else { return nil }
        for (label, column) in [("from", from), ("to", to)] where column.isEmpty {
            guard let argument = attribute.argument(label) else { continue }
            problems.append(MacroProblem.emptyForeignKey.at(argument))
            return nil
        }
        return .hasManyThrough(link: link, from: from.isEmpty ? nil : from, to: to.isEmpty ? nil : to)
    }

    private func belongsTo(
        _ attribute: AttributeSyntax, _ type: TypeSyntax, problems: inout [Diagnostic]
    ) -> PropertyRole? {
        guard let parent = type.wrappedInOptional else {
            let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
            let fix = FixIt.replacing(type, with: TypeSyntax(optional), "make it '\(optional.trimmedDescription)'")
            problems.append(MacroProblem.notOptional(property: name).at(type, fixIts: [fix]))
            return nil
        }
        guard isEntity(parent, problems: &problems) else { return nil }
        return foreignKey(attribute, or: name.unquoted + "Id", problems: &problems).map {
            .belongsTo(parent: parent.trimmedDescription, foreignKey: $0)
        }
    }

    /// Whether the type may be an entity, as any type with a name may: an app's own may be called `Date`.
    private func isEntity(_ type: TypeSyntax, problems: inout [Diagnostic]) -> Bool {
        if type.isNominal, !type.hasArguments { return true }
        problems.append(MacroProblem.notAnEntity(property: name, type: type.trimmedDescription).at(type))
        return false
    }

    private func foreignKey(_ attribute: AttributeSyntax, or other: String, problems: inout [Diagnostic]) -> String? {
        guard let key = string("foreignKey", of: attribute, or: other, problems: &problems) else { return nil }
        guard !key.isEmpty else {
            problems.append(
                MacroProblem.emptyForeignKey.at(
                    attribute.argument("foreignKey").map { Syntax($0) } ?? Syntax(attribute)))
            return nil
        }
        return key
    }

    private func string(
        _ label: String, of attribute: AttributeSyntax, or other: String, problems: inout [Diagnostic]
    ) -> String? {
        guard let expression = attribute.argument(label) else { return other }
        if let literal = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue { return literal }
        problems.append(
            MacroProblem.argumentNotLiteral(attribute: attribute.name, label: label).at(expression))
        return nil
    }
}
