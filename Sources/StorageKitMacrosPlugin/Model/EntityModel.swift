import SwiftDiagnostics
import SwiftSyntax
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
    /// What is to be said of it: mistakes, or else what to do instead of an error that the compiler has anyway.
    let diagnostics: [Diagnostic]
    /// Whether it has no mistake. What is made of one that has is as much as others need of it to compile, so that nothing else in it is
    /// reported.
    let isSound: Bool
    /// Whether it needs a stand-in for its id: without one, nothing that is made of the struct would compile.
    let needsId: Bool

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

    /// What a function begins with that names all properties: of one that is deprecated the compiler would warn there, where nobody can help
    /// it, and does not in what is deprecated too.
    var deprecationLine: String { properties.contains(where: \.isDeprecated) ? "@available(*, deprecated)\n" : "" }

    /// The body of a function. That of an entity with a mistake never runs, and would only be found wrong too.
    func body(_ lines: [String]) -> String { isSound ? lines.lines(indent: 1) : "Swift.fatalError()" }

    /// What to do instead of an error that the compiler has anyway.
    private static func advice(_ name: String, _ properties: [StoredProperty]) -> [Diagnostic] {
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
    /// - Throws: `DiagnosticsError` with every mistake, where it is nothing that could be an entity.
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
        let canBeEntity = problems.isEmpty
        isNested = !around.isEmpty
        properties = EntityModel.named(
            StoredProperty.all(in: structure, scope, problems: &problems), in: structure, isNested: isNested,
            problems: &problems)
        var takenPaths: [Diagnostic] = []
        relations = Relation.all(of: properties, scope, problems: &takenPaths)
        isHashable =
            structure.inheritanceClause?.inheritedTypes.contains { $0.type.includes("Hashable") } == true
        isSeenWhole = EntityModel.isSeenWhole(structure)
        namesCodingKeys =
            scope.ownTypes.contains("CodingKeys")
            || structure.memberBlock.members.contains { $0.decl.usesCodingKeys(of: structure.name.text) }
        table =
            EntityModel.tableArgument(attribute, problems: &problems) ?? name.unquoted.lowercased() + "s"
        keys = TableKeys(attribute, problems: &problems)
        let isIdMissing = EntityModel.checkId(of: structure, access, properties, problems: &problems)
        needsId = isIdMissing && !structure.memberBlock.hasId
        EntityModel.checkVersion(of: structure, properties, problems: &problems)
        if problems.isEmpty {
            let columns = KnownColumns(of: properties)
            EntityModel.checkForeignKeys(of: structure, properties, columns, problems: &problems)
            EntityModel.checkColumns(of: properties, problems: &problems)
            keys.check(columns, entity: name, table: table, properties, problems: &problems)
            columns.checkFormerNames(of: properties, problems: &problems)
            problems += takenPaths
        }
        guard canBeEntity else { throw DiagnosticsError(diagnostics: problems) }
        isSound = problems.isEmpty
        diagnostics = isSound ? EntityModel.advice(name, properties) : problems
    }
}

extension DeclSyntax {
    /// Whether it names the coding keys of the entity it stands in, as a half of Codable does.
    fileprivate func usesCodingKeys(of entity: String) -> Bool {
        tokens(viewMode: .sourceAccurate).contains { token in
            token.text == "CodingKeys" && !token.namesKeysOfOthers(than: entity, inside: id)
        }
    }
}

extension TokenSyntax {
    /// Whether these are the keys of another type: of the one whose name stands before, or of one around that has keys of its own.
    fileprivate func namesKeysOfOthers(than entity: String, inside member: SyntaxIdentifier) -> Bool {
        // What is no plain name, such as `type(of: self)`, may be the entity.
        if let owner = base?.split(separator: ".").last.map({ String($0).unquoted }), owner.isIdentifier,
            owner != "Self"
        {
            return owner != entity.unquoted
        }
        return sequence(first: Syntax(self)) { $0.id == member ? nil : $0.parent }.contains { node in
            node.asProtocol((any DeclGroupSyntax).self)?.memberBlock.typeNames.contains("CodingKeys") == true
        }
    }

    /// `Outer` of `Outer.Inner`, where this is `Inner`.
    private var base: String? {
        if let type = parent?.as(MemberTypeSyntax.self) { return type.baseType.sourceText }
        let access = parent?.parent?.as(MemberAccessExprSyntax.self)
        return access?.declName.baseName.id == id ? access?.base?.sourceText : nil
    }
}

extension Syntax {
    /// Whether it is a function, or what else runs code.
    fileprivate var isFunction: Bool {
        asProtocol((any WithOptionalCodeBlockSyntax).self) != nil || self.is(ClosureExprSyntax.self)
    }
}
