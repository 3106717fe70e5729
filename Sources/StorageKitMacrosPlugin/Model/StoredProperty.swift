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
        member.decl.as(VariableDeclSyntax.self)?.attributes.mayWrap == true
    }

    /// Whether the compiler warns where it is named.
    var isDeprecated: Bool {
        member.decl.as(VariableDeclSyntax.self)?.attributes.all.contains {
            $0.name == "available" && $0.sourceText.contains("deprecated")
        } == true
    }

    /// Whether an initialiser sets it behind all others. A wrapper with arguments is made without its value, and
    /// what sets that is its setter, which needs the whole struct.
    var isSetLast: Bool {
        defaultValue == nil && member.decl.as(VariableDeclSyntax.self)?.attributes.hasWrapperWithArguments == true
    }

    var isEmbedded: Bool {
        if case .embedded = role { true } else { false }
    }

    var isJSON: Bool {
        if case .json = role { true } else { false }
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

    /// A `let` with a value: it is written, but a row cannot change it. What has no type in sight is a mistake, and no parameter either.
    var isConstant: Bool { (isLet && defaultValue != nil) || declaredType.isEmpty }

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
            let conditional = variable.attributes.conditional.map {
                [MacroProblem.conditionalAttribute(name: $0.name).at($0)]
            }
            guard variable.isInstanceStorage, variable.storedBindings.count > 0 else {
                problems += conditional ?? variable.attributes.ours.map { notStored($0, variable) }
                continue
            }
            let clash = variable.attributes.clash
            var found: [Diagnostic] = []
            properties += variable.storedBindings.compactMap { binding, type in
                StoredProperty(binding, type, variable, member, in: structure.memberBlock, scope, problems: &found)
            }
            // Of two attributes that clash it is not known which one is meant, and so not what it lacks; nor of one in a condition.
            problems += conditional ?? clash.map { [twoRoles($0, $1, variable)] } ?? found
        }
        return properties
    }

    /// Nil for a tuple of names. A property with a mistake is taken for what it may be meant to be.
    private init?(
        _ binding: PatternBindingSyntax, _ writtenType: TypeSyntax?, _ variable: VariableDeclSyntax,
        _ member: MemberBlockItemSyntax, in block: MemberBlockSyntax, _ scope: EntityScope,
        problems: inout [Diagnostic]
    ) {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
            problems.append(MacroProblem.patternProperty.at(binding.pattern))
            return nil
        }
        let attribute = variable.attributes.ours.first { PropertyRole.attributeNames.contains($0.name) }
        let value = binding.initializer?.value
        // Of a version that is a constant its role says more, and what is ignored is not read back.
        let isRead = !["StorageVersion", "StorageIgnored"].contains(attribute?.name)
        let isColumn = attribute == nil || attribute?.name == "StorageJSON"
        let seenType = writtenType ?? (isColumn ? value?.enumType(in: block) : nil)
        let isTypeMissing = seenType == nil && value?.literalType == nil
        let type = isTypeMissing ? value?.calledType : seenType
        if variable.isLet, isRead, !isTypeMissing, let value, !value.isAlwaysTheSame {
            problems.append(StoredProperty.freshConstant(name, variable))
        }
        let mistake =
            isTypeMissing
            ? (StoredProperty.missingType(name, binding), nil)
            : StoredProperty.mistake(name, type, variable, attribute, in: scope)
        let reader = PropertyRoleReader(
            name: name, type: type, variable: variable, pattern: binding.pattern, defaultValue: value, scope: block)
        if let (problem, meantRole) = mistake {
            problems.append(problem)
            traits = PropertyTraits()
            // The first mistake says enough.
            var unsaid: [Diagnostic] = []
            role = meantRole ?? reader.role(attribute, problems: &unsaid)
        } else {
            traits = PropertyTraits(
                of: variable, name: name, type: type, defaultValue: value, scope, problems: &problems)
            role = reader.role(attribute, problems: &problems)
        }
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
        let implied = value?.literalType.map { "Swift.\($0)" } ?? ""
        declaredType = type?.sourceText ?? implied
        let inside = type?.naming(scope, isOutside: false) ?? implied
        typeInside = type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true ? inside.dropLast() + "?" : inside
        // Where no type is in sight the compiler finds it.
        let isUnseen = declaredType.isEmpty && role.isStored
        form = isUnseen ? .unknown : ColumnForm(of: role, type: type, in: scope)
        metatype = isUnseen ? "StorageGRDB._type(at: \\Record.E.\(name))" : scope.metatype(of: typeInside)
    }

    /// What is wrong and leaves no more to be said, and the role that the property has nevertheless; nil for the one that it says.
    private static func mistake(
        _ name: String, _ type: TypeSyntax?, _ variable: VariableDeclSyntax, _ attribute: AttributeSyntax?,
        in scope: EntityScope
    ) -> (problem: Diagnostic, role: PropertyRole?)? {
        if let modifier = variable.modifiers.first(where: { $0.isWeak }) {
            return (MacroProblem.weakProperty(property: name, keyword: modifier.name.text).at(modifier), .ignored)
        }
        // A relation is to an entity, whatever its name.
        let entity = attribute?.isRelation == true ? type?.arrayElement ?? type?.wrappedInOptional : nil
        if entity?.isNominal != true, attribute?.name != "StorageIgnored", let type,
            let what = type.unstorable(outside: scope.ownTypes)
        {
            return (MacroProblem.unstorable(property: name, what: what).at(type), .ignored)
        }
        if let key = attribute ?? variable.attributes.named("StorageUnique"), name.unquoted == "id" {
            let fix = FixIt.removing(key, from: variable)
            return (MacroProblem.idWithRole(attribute: key.name).at(key, fixIts: [fix]), .column)
        }
        return nil
    }

    private static func missingType(_ name: String, _ binding: PatternBindingSyntax) -> Diagnostic {
        var fixIts: [FixIt] = []
        if let type = binding.initializer?.value.calledType {
            var fixed = binding
            fixed.pattern = fixed.pattern.trimmed
            fixed.typeAnnotation = TypeAnnotationSyntax(
                colon: .colonToken(trailingTrivia: .space), type: type, trailingTrivia: .space)
            fixIts = [.replacing(binding, with: fixed, "add the type '\(type)'")]
        }
        return MacroProblem.missingType(property: name).at(binding.pattern, fixIts: fixIts)
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
