import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What the macro knows of an entity: read from the syntax once, and all that the emitters look at.
struct EntityModel {
    let name: String
    let table: String
    /// What its attribute says of the table beside the name.
    let keys: TableKeys
    let access: Access
    /// What the record's declaration begins with.
    let recordPrefix: String
    let properties: [StoredProperty]
    /// The ways to other entities, under the names that queries give them.
    let relations: [Relation]
    /// Whether the struct itself says that it is `Hashable`.
    let isHashable: Bool
    /// Whether the struct says itself how it is made.
    let hasInitializer: Bool
    /// Whether the macro sees all of its properties.
    let isSeenWhole: Bool
    /// Whether it says something about its coding keys.
    let namesCodingKeys: Bool
    /// Whether it stands in another type.
    let isNested: Bool
    /// The names that mean something in the struct only.
    let scope: EntityScope
    /// `@available` of the struct, which what is made of it needs too: a line for each.
    let availabilityLines: String

    var ownTypes: Set<String> { scope.ownTypes }
    var recordName: String { name.hasSuffix("`") ? "`\(name.unquoted)Record`" : name + "Record" }
    var columns: [StoredProperty] { properties.filter(\.role.isStored) }
    /// What a record is made of: all that a row gives the entity.
    var memberwise: [StoredProperty] { columns.filter { !$0.isConstant } }
    /// What counts how often the row was written.
    var version: StoredProperty? { properties.first(where: \.isVersion) }
    var hasUpdatedAt: Bool { columns.contains { $0.role.isSingleColumn && $0.columnName == "updatedAt" } }
    /// Whether SQLite gives the ids.
    var givesIds: Bool {
        columns.first { $0.columnName == "id" }?.type?.isGivenId(outside: ownTypes) == true
    }
    /// Whether some property is not stored, and so neither compared nor coded.
    var hasIgnored: Bool { properties.contains(where: \.isIgnored) }

    /// What to do instead of an error that the compiler has anyway.
    var advice: [Diagnostic] {
        properties.compactMap { property in
            guard case .belongsTo(let parent, _) = property.role, [name, "Self"].contains(parent) else { return nil }
            return property.type.map { MacroProblem.containsItself(property: property.name).at($0) }
        }
    }

    /// Whether generated code is all that codes it, by the names of the properties. Where the struct has keys of its own, or a half of
    /// its Codable that uses the compiler's, the compiler writes what is left.
    var isCodedByProperties: Bool { isSeenWhole && !namesCodingKeys }

    /// Whether some embedded value has fields that the macro cannot see, so that queries may name columns that
    /// only exist at run time.
    var hasUnseenColumns: Bool {
        properties.contains {
            if case .embedded(let value) = $0.role { value.seen == nil } else { false }
        }
    }

    /// Reads a declaration.
    ///
    /// - Throws: `DiagnosticsError` with everything that keeps it from being an entity.
    init(
        _ declaration: some SyntaxProtocol, attribute: AttributeSyntax, in context: some MacroExpansionContext
    ) throws {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            throw DiagnosticsError(diagnostics: [EntityModel.notAStruct(declaration, attribute)])
        }
        try TypeAttributes.check(structure)
        var problems: [Diagnostic] = []
        name = structure.name.text
        hasInitializer = structure.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
        scope = EntityScope(structure)
        let around = context.lexicalContext.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
        availabilityLines = structure.availabilityLines(inside: around)
        access = Access(of: structure, inside: around)
        recordPrefix = access.prefix(inside: around.first)
        EntityModel.checkShape(of: structure, inside: around, problems: &problems)
        EntityModel.checkNames(in: structure, problems: &problems)
        if context.lexicalContext.contains(where: \.isFunction) {
            problems.append(MacroProblem.local(name: name).at(structure.name))
        }
        properties = StoredProperty.all(in: structure, scope, problems: &problems)
        relations = Relation.all(of: properties, scope)
        isHashable =
            structure.inheritanceClause?.inheritedTypes.contains { $0.type.includes("Hashable") } == true
        isSeenWhole = EntityModel.isSeenWhole(structure)
        namesCodingKeys =
            scope.ownTypes.contains("CodingKeys") || structure.memberBlock.members.contains { $0.decl.usesCodingKeys }
        isNested = !around.isEmpty
        EntityModel.checkNames(of: properties, in: structure, isNested: isNested, problems: &problems)
        table =
            EntityModel.tableArgument(attribute, problems: &problems) ?? name.unquoted.lowercased() + "s"
        keys = TableKeys(attribute, problems: &problems)
        EntityModel.checkId(of: structure, access, properties, problems: &problems)
        EntityModel.checkVersion(of: structure, properties, problems: &problems)
        if problems.isEmpty {
            let columns = KnownColumns(of: properties)
            EntityModel.checkForeignKeys(of: structure, properties, columns, problems: &problems)
            EntityModel.checkColumns(of: properties, problems: &problems)
            keys.check(columns, entity: name, table: table, properties, problems: &problems)
            columns.checkFormerNames(of: properties, problems: &problems)
            Relation.checkNames(of: relations, properties, problems: &problems)
        }
        guard problems.isEmpty else { throw DiagnosticsError(diagnostics: problems) }
    }
}

// MARK: - The struct

extension EntityModel {
    private static func notAStruct(_ declaration: some SyntaxProtocol, _ attribute: AttributeSyntax) -> Diagnostic {
        if let type = declaration.as(ClassDeclSyntax.self) {
            let fix = FixIt.replacing(type.classKeyword, with: .keyword(.struct), "make it a struct")
            return MacroProblem.notAStruct(kind: "a class").at(type.classKeyword, fixIts: [fix])
        }
        if let type = declaration.as(ActorDeclSyntax.self) {
            return MacroProblem.notAStruct(kind: "an actor").at(type.actorKeyword)
        }
        if let type = declaration.as(EnumDeclSyntax.self) {
            return MacroProblem.notAStruct(kind: "an enum").at(type.enumKeyword)
        }
        return MacroProblem.notAStruct(kind: "this declaration").at(attribute)
    }

    private static func checkShape(
        of structure: StructDeclSyntax, inside around: [any DeclGroupSyntax], problems: inout [Diagnostic]
    ) {
        let name = structure.name.text
        if let generics = structure.genericParameterClause {
            problems.append(MacroProblem.generic(name: name).at(generics))
        }
        checkCopyable(structure, problems: &problems)
        for outer in around {
            guard let generic = outer.asProtocol((any WithGenericParametersSyntax).self),
                generic.genericParameterClause != nil
            else { continue }
            let outerName = outer.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
            problems.append(MacroProblem.genericAround(name: name, outer: outerName).at(structure.name))
        }
        checkReach(of: structure, inside: around, problems: &problems)
    }

    /// A value is copied on its way from a row.
    static func checkCopyable(_ structure: StructDeclSyntax, problems: inout [Diagnostic]) {
        for inherited in structure.inheritanceClause?.inheritedTypes ?? [] {
            guard let suppressed = inherited.type.as(SuppressedTypeSyntax.self) else { continue }
            problems.append(MacroProblem.noncopyable(name: structure.name.text).at(suppressed))
        }
    }

    /// What is generated at file scope has to see the struct.
    static func checkReach(
        of structure: StructDeclSyntax, inside around: [any DeclGroupSyntax], problems: inout [Diagnostic]
    ) {
        let name = structure.name.text
        // At file scope private means fileprivate; inside a type it hides the struct from its own extension.
        for outer in around.dropLast() where outer.modifiers.contains(where: \.isPrivate) {
            let outerName = outer.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
            problems.append(MacroProblem.privateAround(name: name, outer: outerName).at(structure.name))
        }
        if !around.isEmpty, let keyword = structure.modifiers.first(where: \.isPrivate) {
            let wider = keyword.with(\.name.tokenKind, .keyword(.fileprivate))
            let fix = FixIt.replacing(keyword, with: wider, "make it fileprivate")
            problems.append(MacroProblem.privateNested(name: name).at(keyword, fixIts: [fix]))
        }
    }

    /// What the macro makes takes these names, and says `E` for the entity.
    private static func checkNames(in structure: StructDeclSyntax, problems: inout [Diagnostic]) {
        if structure.name.text == "E" { problems.append(MacroProblem.reservedName(name: "E").at(structure.name)) }
        for member in structure.memberBlock.members {
            if let type = member.decl.asProtocol((any NamedDeclSyntax).self),
                ["Record", "StorageColumns", "_HiddenColumns"].contains(type.name.text),
                !member.decl.is(FunctionDeclSyntax.self)
            {
                problems.append(MacroProblem.reservedName(name: type.name.text).at(type.name))
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStatic else { continue }
            for pattern in variable.bindings.map(\.pattern) where pattern.trimmedDescription == "storageColumns" {
                problems.append(MacroProblem.reservedName(name: "storageColumns").at(pattern))
            }
        }
    }

    private static func tableArgument(_ attribute: AttributeSyntax, problems: inout [Diagnostic]) -> String? {
        guard let expression = attribute.argument("table") else { return nil }
        guard let table = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            problems.append(MacroProblem.tableNotLiteral.at(expression))
            return nil
        }
        if table.isEmpty {
            problems.append(MacroProblem.emptyTable.at(expression))
        } else if ["sqlite_", "storagekit_"].contains(where: table.lowercased().hasPrefix)
            || table.utf8.contains(where: [0, UInt8(ascii: "\"")].contains)
        {
            problems.append(MacroProblem.reservedTable(name: table).at(expression))
        }
        return table
    }
}

// MARK: - The properties together

extension EntityModel {
    /// Generated code names its own parts and modules without saying where they are, and gives columns and relations the
    /// names of their properties. `Type` and `Protocol` mean something else to Swift in a key path, even in backticks,
    /// and `CodingKeys` is what it looks for to write Codable. The tool has these names too, in `SwiftText.taken`.
    private static func checkNames(
        of properties: [StoredProperty], in structure: StructDeclSyntax, isNested: Bool, problems: inout [Diagnostic]
    ) {
        let entity = structure.name.text.unquoted
        var ofColumns = [
            "StorageGRDB", "Record", "StorageColumns", "_HiddenColumns", "_row", "Type", "Protocol", "Self", "await",
            "CodingKeys",
        ]
        // A nested entity is named with the types around it.
        if !isNested { ofColumns.append(entity) }
        let ofRelations = ofColumns + ["E", "databaseTableName", "schemaColumns", entity]
        for property in properties {
            let name = property.name.unquoted
            if property.role.isStored, name.lowercased().hasPrefix("storagekit_") {
                problems.append(MacroProblem.ownName(name: name).at(property.pattern))
            }
            if (property.role.isStored ? ofColumns : ofRelations).contains(name) {
                problems.append(MacroProblem.reservedName(name: name).at(property.pattern))
            }
            if let type = property.type, let hidden = hiddenType(in: type, of: structure) {
                problems.append(MacroProblem.hiddenType(name: hidden.name.text).at(hidden))
            }
        }
    }

    /// A type of the app's that has the name of one that the macro makes.
    private static func hiddenType(
        in type: some SyntaxProtocol, of structure: StructDeclSyntax
    ) -> IdentifierTypeSyntax? {
        if let found = type.as(IdentifierTypeSyntax.self), ["E", "Record", "StorageColumns"].contains(found.name.text) {
            return structure.memberBlock.typeNames.contains(found.name.text) ? nil : found
        }
        return type.children(viewMode: .sourceAccurate).lazy.compactMap { hiddenType(in: $0, of: structure) }.first
    }

    private static func checkId(
        of structure: StructDeclSyntax, _ access: Access, _ properties: [StoredProperty],
        problems: inout [Diagnostic]
    ) {
        guard let id = properties.first(where: { $0.columnName == "id" }) else {
            // A property that is wrong in itself may be the one.
            if problems.isEmpty { problems.append(missingId(structure)) }
            return
        }
        if let variable = id.member.decl.as(VariableDeclSyntax.self) {
            hiddenId(variable, id.access, access).map { problems.append($0) }
        }
        guard let type = id.type, let wrapped = type.wrappedInOptional else { return }
        if type.isGivenId(outside: structure.memberBlock.typeNames) {
            if id.isConstant, let variable = id.member.decl.as(VariableDeclSyntax.self) {
                problems.append(StoredProperty.freshConstant(id.name, variable))
            }
            return
        }
        let fix = FixIt.replacing(type, with: wrapped, "make it '\(wrapped.trimmedDescription)'")
        problems.append(MacroProblem.optionalId.at(type, fixIts: [fix]))
    }

    /// An entity has one version, and lends its protocol's names to the code that reaches it.
    private static func checkVersion(
        of structure: StructDeclSyntax, _ properties: [StoredProperty], problems: inout [Diagnostic]
    ) {
        let versions = properties.filter(\.isVersion)
        guard let first = versions.first else { return }
        for second in versions.dropFirst() {
            guard let attribute = second.roleAttribute,
                let variable = second.member.decl.as(VariableDeclSyntax.self)
            else { continue }
            // In `var a, b: Int` both have the same attribute.
            let isOwn = attribute.id != first.roleAttribute?.id
            let fix = FixIt.removing(attribute, from: variable)
            problems.append(
                MacroProblem.twoVersions(first: first.name, second: second.name)
                    .at(isOwn ? Syntax(attribute) : Syntax(second.pattern), fixIts: isOwn ? [fix] : []))
        }
        for variable in structure.memberBlock.members.compactMap({ $0.decl.as(VariableDeclSyntax.self) }) {
            let taken = variable.isStatic ? "_versionColumn" : "_version"
            for pattern in variable.bindings.map(\.pattern) where pattern.trimmedDescription.unquoted == taken {
                problems.append(MacroProblem.reservedName(name: taken).at(pattern))
            }
        }
    }

    /// The protocol asks for an id that is seen wherever the entity is.
    private static func hiddenId(_ variable: VariableDeclSyntax, _ access: Access, _ needed: Access) -> Diagnostic? {
        let word = "\(needed.keyword)"
        let problem = MacroProblem.hiddenId(access: word)
        if let modifier = variable.modifiers.first(where: { $0.isAccess && ($0.isPrivate || access < needed) }) {
            let wider = modifier.with(\.name.tokenKind, .keyword(needed.keyword))
            return problem.at(modifier, fixIts: [.replacing(modifier, with: wider, "make it \(word)")])
        }
        guard access < needed else { return nil }
        let specifier = variable.bindingSpecifier
        let wider = TokenSyntax.identifier("\(word) \(specifier.text)")
        return problem.at(specifier, fixIts: [.replacing(specifier, with: wider, "make it \(word)")])
    }

    private static func missingId(_ structure: StructDeclSyntax) -> Diagnostic {
        let block = structure.memberBlock
        let fixed = block.inserting("var id: String", before: block.members.first)
        let fix = FixIt.replacing(block, with: fixed, "add 'var id: String'")
        return MacroProblem.missingId(name: structure.name.text).at(structure.name, fixIts: [fix])
    }

    private static func checkForeignKeys(
        of structure: StructDeclSyntax, _ properties: [StoredProperty], _ columns: KnownColumns,
        problems: inout [Diagnostic]
    ) {
        for property in properties {
            // It may be a column of an embedded value.
            guard case .belongsTo(_, let foreignKey) = property.role, !columns.mayHave(foreignKey),
                let attribute = property.roleAttribute
            else { continue }
            let fix = foreignKeyFix(foreignKey, of: property, attribute, in: structure, properties)
            problems.append(
                MacroProblem.noForeignKey(entity: structure.name.text, column: foreignKey).at(attribute, fixIts: [fix]))
        }
    }

    private static func foreignKeyFix(
        _ foreignKey: String, of property: StoredProperty, _ attribute: AttributeSyntax, in structure: StructDeclSyntax,
        _ properties: [StoredProperty]
    ) -> FixIt? {
        // Another column whose name differs in case would clash with this one.
        if let meant = properties.first(where: { $0.columnName.lowercased() == foreignKey.lowercased() }) {
            guard meant.role.isSingleColumn else { return nil }
            let named: AttributeSyntax =
                "@\(attribute.attributeName.trimmed)(foreignKey: \(StringLiteralExprSyntax(content: meant.columnName)))"
            return .replacing(attribute, with: named, "name the column '\(meant.columnName)'")
        }
        guard foreignKey.isValidSwiftIdentifier(for: .variableName) else { return nil }
        let column = "var \(foreignKey): String"
        let block = structure.memberBlock
        return .replacing(block, with: block.inserting(column, before: property.member), "add '\(column)'")
    }

    /// What can be known of clashes here; those of fields that are not seen are found when the schema is registered.
    private static func checkColumns(of properties: [StoredProperty], problems: inout [Diagnostic]) {
        // Unseen, two values of one type and prefix are sure to clash all the same.
        var unseen: [String: String] = [:]
        var places: [String: String] = [:]
        for property in properties {
            if case .embedded(let value) = property.role, value.seen == nil,
                let first = unseen.updateValue(property.name, forKey: "\(value.prefix.lowercased()) \(value.type)")
            {
                let problem = MacroProblem.samePrefix(first: first, second: property.name, prefix: value.prefix)
                problems.append(problem.at(property.pattern))
            }
            for (place, column) in property.knownColumns {
                // SQLite takes letters of ASCII for the same in both cases, and GRDB all letters: a row of the two would
                // have one value under both names.
                if column.lowercased() == "updatedat", !(property.role.isSingleColumn && column == "updatedAt") {
                    problems.append(MacroProblem.stampColumn(property: place).at(property.pattern))
                    break
                }
                guard let first = places.updateValue(place, forKey: column.lowercased()) else { continue }
                problems.append(
                    MacroProblem.sameColumn(first: first, second: place, column: column).at(property.pattern))
                break
            }
        }
    }
}

extension DeclSyntax {
    /// Whether it names the entity's coding keys, as a half of Codable does. A type may have keys of its own.
    fileprivate var usesCodingKeys: Bool {
        let ownTypes = asProtocol((any DeclGroupSyntax).self)?.memberBlock.typeNames ?? []
        return !ownTypes.contains("CodingKeys")
            && tokens(viewMode: .sourceAccurate).contains { $0.text == "CodingKeys" }
    }
}

extension Syntax {
    /// Whether it is a function, or what else runs code.
    fileprivate var isFunction: Bool {
        asProtocol((any WithOptionalCodeBlockSyntax).self) != nil || self.is(ClosureExprSyntax.self)
    }
}
