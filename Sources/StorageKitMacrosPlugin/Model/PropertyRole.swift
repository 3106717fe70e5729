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

    /// - Throws: What is wrong; nothing more is said of the property then.
    func role(_ attribute: AttributeSyntax?) throws(DiagnosticsError) -> PropertyRole {
        guard let attribute else { return .column }
        if attribute.name == "StorageJSON" { return .json }
        if attribute.name == "StorageVersion" { return try version() }
        if attribute.name == "StorageIgnored" { return try ignored() }
        guard let type else { throw MacroProblem.missingType(property: name).error(at: pattern) }
        return switch attribute.name {
        case "StorageEmbedded": try embedded(attribute, type)
        case "StorageHasMany": try hasMany(attribute, type)
        default: try belongsTo(attribute, type)
        }
    }

    private func version() throws(DiagnosticsError) -> PropertyRole {
        if variable.isLet {
            let keyword = variable.bindingSpecifier
            let fix = FixIt.replacing(keyword, with: .keyword(.var), "make it a 'var'")
            throw MacroProblem.constantVersion(property: name).error(at: keyword, fixIts: [fix])
        }
        if let type, !type.isInt(outside: scope.typeNames) {
            let int: TypeSyntax = scope.typeNames.contains("Int") ? "Swift.Int" : "Int"
            let fix = FixIt.replacing(type, with: int, "make it '\(int)'")
            throw MacroProblem.versionNotInt(property: name).error(at: type, fixIts: [fix])
        }
        // A new entity is told from a stored one by the 0.
        if let value = defaultValue, value.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue != 0 {
            let fix = FixIt.replacing(value, with: "0" as ExprSyntax, "make it '0'")
            throw MacroProblem.versionNotFromZero(property: name).error(at: value, fixIts: [fix])
        }
        return .version
    }

    private func ignored() throws(DiagnosticsError) -> PropertyRole {
        let beginsAsNil = type?.beginsAsNil(isLet: variable.isLet) == true
        guard defaultValue == nil, !beginsAsNil else { return .ignored }
        throw MacroProblem.ignoredWithoutValue(property: name).error(at: pattern)
    }

    private func embedded(_ attribute: AttributeSyntax, _ type: TypeSyntax) throws(DiagnosticsError) -> PropertyRole {
        let value = type.wrappedInOptional ?? type
        let isOwn = scope.typeNames.contains(value.trimmedDescription)
        guard value.isNominal, isOwn || !value.isPlainColumn else {
            // A collection has a JSON form only. A name of Foundation's may be an app's own, where no fix is obvious.
            let mayBeOwn = value.isNominal
            let fixIts = mayBeOwn ? [] : [FixIt.replacing(attribute, with: "@StorageJSON", "store it as JSON")]
            throw MacroProblem.notEmbeddable(property: name, type: value.trimmedDescription, mayBeOwn: mayBeOwn)
                .error(at: type, fixIts: fixIts)
        }
        let prefix = try string("prefix", of: attribute) ?? name.unquoted + "_"
        return .embedded(EmbeddedValue(type: value, isOptional: type.wrappedInOptional != nil, prefix, in: scope))
    }

    private func hasMany(_ attribute: AttributeSyntax, _ type: TypeSyntax) throws(DiagnosticsError) -> PropertyRole {
        guard let child = type.arrayElement else {
            let value = type.wrappedInOptional ?? type
            let array = ArrayTypeSyntax(element: (value.arrayElement ?? value.setElement ?? value).trimmed)
            let fix = FixIt.replacing(type, with: TypeSyntax(array), "make it '\(array.trimmedDescription)'")
            throw MacroProblem.notAnArray(property: name).error(at: type, fixIts: [fix])
        }
        try checkIsEntity(child)
        if let argument = attribute.argument("through") {
            guard let link = argument.namedType else { throw MacroProblem.linkNotType.error(at: argument) }
            return .hasManyThrough(
                link: link, from: try column("from", of: attribute), to: try column("to", of: attribute))
        }
        guard let foreignKey = try column("foreignKey", of: attribute) else {
            throw MacroProblem.emptyForeignKey.error(at: attribute)
        }
        return .hasMany(child: child.trimmedDescription, foreignKey: foreignKey)
    }

    private func belongsTo(_ attribute: AttributeSyntax, _ type: TypeSyntax) throws(DiagnosticsError) -> PropertyRole {
        guard let parent = type.wrappedInOptional else {
            let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
            let fix = FixIt.replacing(type, with: TypeSyntax(optional), "make it '\(optional.trimmedDescription)'")
            throw MacroProblem.notOptional(property: name).error(at: type, fixIts: [fix])
        }
        try checkIsEntity(parent)
        let foreignKey = try column("foreignKey", of: attribute) ?? name.unquoted + "Id"
        return .belongsTo(parent: parent.trimmedDescription, foreignKey: foreignKey)
    }

    /// Any type with a name may be an entity: an app's own may be called `Date`.
    private func checkIsEntity(_ type: TypeSyntax) throws(DiagnosticsError) {
        guard type.isNominal, !type.hasArguments else {
            throw MacroProblem.notAnEntity(property: name, type: type.trimmedDescription).error(at: type)
        }
    }

    /// The column that an argument names; nil without it.
    private func column(_ label: String, of attribute: AttributeSyntax) throws(DiagnosticsError) -> String? {
        let name = try string(label, of: attribute)
        if name == "", let argument = attribute.argument(label) {
            throw MacroProblem.emptyForeignKey.error(at: argument)
        }
        return name
    }

    private func string(_ label: String, of attribute: AttributeSyntax) throws(DiagnosticsError) -> String? {
        guard let expression = attribute.argument(label) else { return nil }
        if let literal = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue { return literal }
        throw MacroProblem.argumentNotLiteral(attribute: attribute.name, label: label).error(at: expression)
    }
}
