import SwiftDiagnostics
import SwiftSyntax

/// A stored property of the entity.
struct StoredProperty {
    /// As it stands in the source, in backticks where it does.
    let name: String
    let pattern: PatternSyntax
    let type: TypeSyntax?
    let defaultValue: ExprSyntax?
    let isLet: Bool
    let access: Access
    /// Whether nobody but the struct may see it.
    let isPrivate: Bool
    let role: PropertyRole
    let roleAttribute: AttributeSyntax?
    /// What else attributes say of its column.
    let traits: PropertyTraits
    /// The declaration, as a member of the struct.
    let member: MemberBlockItemSyntax

    let columnName: String
    /// How it is kept, as far as the source tells; nil for a relation.
    let form: ColumnForm?
    /// Its type as the struct says it.
    let declaredType: String
    /// Its type as a type inside the entity says it, where `Self` is another.
    let typeInside: String

    /// Whether its type may be private too, so that no column that others see may be of that type.
    let isHidden: Bool

    /// Its column as generated code names it.
    var columnReference: String {
        isHidden ? "_HiddenColumns.\(name)" : "Self.storageColumns.\(name)"
    }

    /// Its type itself, as a value.
    let metatype: String

    /// Whether it may have a wrapper, whose values are what is compared.
    var isWrapped: Bool {
        let attributes = member.decl.as(VariableDeclSyntax.self)?.attributes
        return attributes.map { $0.count > $0.ours.count } ?? false
    }

    /// Whether an initialiser sets it behind all others. A wrapper with arguments is made without its value, and
    /// what sets that is its setter, which needs the whole struct.
    var isSetLast: Bool {
        defaultValue == nil && member.decl.as(VariableDeclSyntax.self)?.attributes.hasWrapperWithArguments == true
    }

    var isEmbedded: Bool {
        if case .embedded = role { true } else { false }
    }

    var isVersion: Bool {
        if case .version = role { true } else { false }
    }

    var isIgnored: Bool {
        if case .ignored = role { true } else { false }
    }

    var isChildren: Bool {
        switch role {
        case .hasMany, .hasManyThrough: true
        default: false
        }
    }

    /// A `let` with a value: it is written, but a row cannot change it.
    var isConstant: Bool { isLet && defaultValue != nil }

    /// The columns that can be told without running the program, each with the property that it comes from; none
    /// for an embedded value that is not seen.
    var knownColumns: [(place: String, column: String)] {
        switch role {
        case .column, .json, .version: [(columnName, columnName)]
        case .embedded(let value):
            value.seen?.map { (columnName + $0.keyPath.filter { $0 != "?" }, $0.column) } ?? []
        case .ignored, .hasMany, .hasManyThrough, .belongsTo: []
        }
    }

    /// The stored properties in their order. Computed, static and lazy members are not columns.
    static func all(
        in structure: StructDeclSyntax, _ scope: EntityScope, problems: inout [Diagnostic]
    ) -> [StoredProperty] {
        var properties: [StoredProperty] = []
        for member in structure.memberBlock.members {
            if let condition = member.decl.as(IfConfigDeclSyntax.self), condition.holdsProperties {
                problems.append(MacroProblem.conditionalProperty.at(condition))
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
            guard variable.isInstanceStorage, variable.storedBindings.count > 0 else {
                problems += variable.attributes.ours.map { notStored($0, variable) }
                continue
            }
            if let (first, second) = variable.attributes.clash {
                problems.append(twoRoles(first, second, variable))
                continue
            }
            for (binding, type) in variable.storedBindings {
                do {
                    properties.append(
                        try StoredProperty(
                            binding, type, variable, member, in: structure.memberBlock, scope, problems: &problems))
                } catch {
                    problems += error.diagnostics
                }
            }
        }
        return properties
    }

    /// - Throws: What is wrong and leaves no more to be said.
    private init(
        _ binding: PatternBindingSyntax, _ writtenType: TypeSyntax?, _ variable: VariableDeclSyntax,
        _ member: MemberBlockItemSyntax, in block: MemberBlockSyntax, _ scope: EntityScope,
        problems: inout [Diagnostic]
    ) throws(DiagnosticsError) {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
            throw MacroProblem.patternProperty.error(at: binding.pattern)
        }
        let attribute = variable.attributes.ours.first { PropertyRole.attributeNames.contains($0.name) }
        let value = binding.initializer?.value
        // Of a version that is a constant its role says more, and what is ignored is not read back.
        let isRead = !["StorageVersion", "StorageIgnored"].contains(attribute?.name)
        let isColumn = attribute == nil || attribute?.name == "StorageJSON"
        let type = writtenType ?? (isColumn ? value?.enumType(in: block) : nil)
        guard type != nil || value?.literalType != nil else { throw StoredProperty.missingType(name, binding) }
        if variable.isLet, isRead, let value, !value.isAlwaysTheSame {
            problems.append(StoredProperty.freshConstant(name, variable))
        }
        try StoredProperty.check(name, type, variable, attribute, in: scope)
        traits = PropertyTraits(
            of: variable, name: name, type: type, defaultValue: value, scope, problems: &problems)
        role = try PropertyRoleReader(
            name: name, type: type, variable: variable, pattern: binding.pattern, defaultValue: value, scope: block
        ).role(attribute)
        self.name = name
        self.type = type
        roleAttribute = attribute
        self.member = member
        pattern = binding.pattern
        defaultValue = value
        isLet = variable.isLet
        access = Access(of: variable.modifiers)
        isPrivate = variable.modifiers.contains { $0.isPrivate && $0.detail == nil }
        isHidden = isPrivate && type?.isSurelyEquatable(outside: scope.ownTypes) == false
        columnName = name.unquoted
        form = ColumnForm(of: role, type: type, in: scope)
        let implied = value?.literalType.map { "Swift.\($0)" } ?? ""
        declaredType = type?.sourceText ?? implied
        let inside = type?.naming(scope, isOutside: false) ?? implied
        typeInside = type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true ? inside.dropLast() + "?" : inside
        metatype = scope.metatype(of: typeInside)
    }

    private static func check(
        _ name: String, _ type: TypeSyntax?, _ variable: VariableDeclSyntax, _ attribute: AttributeSyntax?,
        in scope: EntityScope
    ) throws(DiagnosticsError) {
        if let modifier = variable.modifiers.first(where: { $0.isWeak }) {
            throw MacroProblem.weakProperty(property: name, keyword: modifier.name.text).error(at: modifier)
        }
        // A relation is to an entity, whatever its name.
        let entity = attribute?.isRelation == true ? type?.arrayElement ?? type?.wrappedInOptional : nil
        if entity?.isNominal != true, attribute?.name != "StorageIgnored", let type,
            let what = type.unstorable(outside: scope.ownTypes)
        {
            throw MacroProblem.unstorable(property: name, what: what).error(at: type)
        }
        if let key = attribute ?? variable.attributes.named("StorageUnique"), name.unquoted == "id" {
            let fix = FixIt.removing(key, from: variable)
            throw MacroProblem.idWithRole(attribute: key.name).error(at: key, fixIts: [fix])
        }
    }

    private static func missingType(_ name: String, _ binding: PatternBindingSyntax) -> DiagnosticsError {
        var fixIts: [FixIt] = []
        if let type = binding.initializer?.value.calledType {
            var fixed = binding
            fixed.pattern = fixed.pattern.trimmed
            fixed.typeAnnotation = TypeAnnotationSyntax(
                colon: .colonToken(trailingTrivia: .space), type: type, trailingTrivia: .space)
            fixIts = [.replacing(binding, with: fixed, "add the type '\(type)'")]
        }
        return MacroProblem.missingType(property: name).error(at: binding.pattern, fixIts: fixIts)
    }

    static func freshConstant(_ name: String, _ variable: VariableDeclSyntax) -> Diagnostic {
        let keyword = variable.bindingSpecifier
        let fix = FixIt.replacing(keyword, with: .keyword(.var), "make it a 'var'")
        return MacroProblem.freshConstant(property: name).at(keyword, fixIts: [fix])
    }

    private static func notStored(_ attribute: AttributeSyntax, _ variable: VariableDeclSyntax) -> Diagnostic {
        let name = variable.bindings.first?.pattern.sourceText ?? ""
        let fix = FixIt.removing(attribute, from: variable)
        return MacroProblem.notStored(attribute: attribute.name, property: name).at(attribute, fixIts: [fix])
    }

    private static func twoRoles(
        _ first: AttributeSyntax, _ second: AttributeSyntax, _ variable: VariableDeclSyntax
    ) -> Diagnostic {
        let name = variable.bindings.first?.pattern.sourceText ?? ""
        let fix = FixIt.removing(second, from: variable)
        return MacroProblem.twoRoles(property: name, first: first.name, second: second.name)
            .at(second, fixIts: [fix])
    }
}
