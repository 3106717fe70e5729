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

    /// The role, or where something is wrong, that which the property is meant to have.
    func role(_ attribute: AttributeSyntax?, problems: inout [Diagnostic]) -> PropertyRole {
        guard let attribute else { return .column }
        var found: [Diagnostic] = []
        defer { problems += found.prefix(1) }
        return roleSaid(by: attribute, problems: &found)
    }

    /// What is wrong first leaves no more to be said.
    private func roleSaid(by attribute: AttributeSyntax, problems: inout [Diagnostic]) -> PropertyRole {
        if attribute.name == "StorageJSON" { return .json }
        if attribute.name == "StorageVersion" {
            versionProblem.map { problems.append($0) }
            return .version
        }
        if attribute.name == "StorageIgnored" {
            let beginsAsNil = type?.beginsAsNil(isLet: variable.isLet) == true
            if defaultValue == nil, !beginsAsNil {
                problems.append(MacroProblem.ignoredWithoutValue(property: name).at(pattern))
            }
            return .ignored
        }
        guard let type else {
            problems.append(MacroProblem.missingType(property: name).at(pattern))
            return .ignored
        }
        return switch attribute.name {
        case "StorageEmbedded": embedded(attribute, type, problems: &problems)
        case "StorageHasMany": hasMany(attribute, type, problems: &problems)
        default: belongsTo(attribute, type, problems: &problems)
        }
    }

    private var versionProblem: Diagnostic? {
        if variable.isLet {
            let keyword = variable.bindingSpecifier
            let fix = FixIt.replacing(keyword, with: .keyword(.var), "make it a 'var'")
            return MacroProblem.constantVersion(property: name).at(keyword, fixIts: [fix])
        }
        if let type, !type.isInt(outside: scope.typeNames) {
            let int: TypeSyntax = scope.typeNames.contains("Int") ? "Swift.Int" : "Int"
            let fix = FixIt.replacing(type, with: int, "make it '\(int)'")
            return MacroProblem.versionNotInt(property: name).at(type, fixIts: [fix])
        }
        // A new entity is told from a stored one by the 0.
        if let value = defaultValue, value.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue != 0 {
            let fix = FixIt.replacing(value, with: "0" as ExprSyntax, "make it '0'")
            return MacroProblem.versionNotFromZero(property: name).at(value, fixIts: [fix])
        }
        return nil
    }

    private func embedded(
        _ attribute: AttributeSyntax, _ type: TypeSyntax, problems: inout [Diagnostic]
    ) -> PropertyRole {
        let value = type.wrappedInOptional ?? type
        let typeName = value.trimmedDescription
        if scope.enumeration(named: typeName) != nil {
            let fix = FixIt.removing(attribute, from: variable)
            problems.append(MacroProblem.embeddedEnum(property: name).at(attribute, fixIts: [fix]))
            return .column
        }
        guard value.isNominal, scope.typeNames.contains(typeName) || !value.isPlainColumn else {
            // A name of Foundation's may be an app's own, where no fix is obvious. A collection has a JSON form only.
            let mayBeOwn = TypeSyntax.foundationNames.contains(typeName)
            let fix =
                value.isNominal
                ? FixIt.removing(attribute, from: variable)
                : FixIt.replacing(attribute, with: "@StorageJSON", "store it as JSON")
            problems.append(
                MacroProblem.notEmbeddable(property: name, type: typeName, mayBeOwn: mayBeOwn)
                    .at(type, fixIts: mayBeOwn ? [] : [fix]))
            return .column
        }
        let prefix = string("prefix", of: attribute, problems: &problems) ?? name.unquoted + "_"
        return .embedded(EmbeddedValue(type: value, isOptional: type.wrappedInOptional != nil, prefix, in: scope))
    }

    private func hasMany(
        _ attribute: AttributeSyntax, _ type: TypeSyntax, problems: inout [Diagnostic]
    ) -> PropertyRole {
        let value = type.wrappedInOptional ?? type
        let child = type.arrayElement ?? value.arrayElement ?? value.setElement ?? value
        if type.arrayElement == nil {
            let array = ArrayTypeSyntax(element: child.trimmed)
            let fix = FixIt.replacing(type, with: TypeSyntax(array), "make it '\(array.trimmedDescription)'")
            problems.append(MacroProblem.notAnArray(property: name).at(type, fixIts: [fix]))
        }
        guard isEntity(child, problems: &problems) else { return .ignored }
        if let argument = attribute.argument("through") {
            if argument.namedType == nil { problems.append(MacroProblem.linkNotType.at(argument)) }
            return .hasManyThrough(
                link: argument.namedType ?? child.trimmedDescription,
                from: column("from", of: attribute, problems: &problems),
                to: column("to", of: attribute, problems: &problems))
        }
        let foreignKey = column("foreignKey", of: attribute, problems: &problems)
        if foreignKey == nil, problems.isEmpty { problems.append(MacroProblem.emptyForeignKey.at(attribute)) }
        return .hasMany(child: child.trimmedDescription, foreignKey: foreignKey ?? "")
    }

    private func belongsTo(
        _ attribute: AttributeSyntax, _ type: TypeSyntax, problems: inout [Diagnostic]
    ) -> PropertyRole {
        let parent = type.wrappedInOptional ?? type.arrayElement ?? type.setElement ?? type
        if type.wrappedInOptional == nil {
            let optional = OptionalTypeSyntax(wrappedType: parent.trimmed)
            let fix = FixIt.replacing(type, with: TypeSyntax(optional), "make it '\(optional.trimmedDescription)'")
            problems.append(MacroProblem.notOptional(property: name).at(type, fixIts: [fix]))
        }
        guard isEntity(parent, problems: &problems) else { return .ignored }
        let foreignKey = column("foreignKey", of: attribute, problems: &problems) ?? name.unquoted + "Id"
        return .belongsTo(parent: parent.trimmedDescription, foreignKey: foreignKey)
    }

    /// Any type with a name may be an entity: an app's own may be called `Date`.
    private func isEntity(_ type: TypeSyntax, problems: inout [Diagnostic]) -> Bool {
        if type.isNominal, !type.hasArguments { return true }
        problems.append(MacroProblem.notAnEntity(property: name, type: type.trimmedDescription).at(type))
        return false
    }

    /// The column that an argument names; nil without it.
    private func column(_ label: String, of attribute: AttributeSyntax, problems: inout [Diagnostic]) -> String? {
        let name = string(label, of: attribute, problems: &problems)
        if name == "", let argument = attribute.argument(label) {
            problems.append(MacroProblem.emptyForeignKey.at(argument))
        }
        return name
    }

    private func string(_ label: String, of attribute: AttributeSyntax, problems: inout [Diagnostic]) -> String? {
        guard let expression = attribute.argument(label) else { return nil }
        let literal = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        if literal == nil {
            problems.append(MacroProblem.argumentNotLiteral(attribute: attribute.name, label: label).at(expression))
        }
        return literal
    }
}
