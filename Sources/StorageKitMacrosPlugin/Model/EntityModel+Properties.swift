import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

// What the properties have to be, all of them together.

extension EntityModel {
    /// Generated code names its own parts and modules without saying where they are, and gives columns and relations the
    /// names of their properties. `Type` and `Protocol` mean something else to Swift in a key path, even in backticks,
    /// and `CodingKeys` is what it looks for to write Codable. The tool has these names too, in `SwiftText.taken`.
    ///
    /// - Returns: The properties that it can name.
    static func named(
        _ properties: [StoredProperty], in structure: StructDeclSyntax, isNested: Bool, problems: inout [Diagnostic]
    ) -> [StoredProperty] {
        let entity = structure.name.text.unquoted
        var ofColumns = [
            "StorageGRDB", "Record", "StorageColumns", "_HiddenColumns", "_row", "Type", "Protocol", "Self", "await",
            "CodingKeys",
        ]
        // A nested entity is named with the types around it.
        if !isNested { ofColumns.append(entity) }
        let ofRelations = ofColumns + ["E", "databaseTableName", "schemaColumns", entity]
        return properties.filter { property in
            let count = problems.count
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
            if let hidden = hiddenEntity(in: property, of: structure) {
                problems.append(MacroProblem.hiddenType(name: hidden.baseName.text).at(hidden))
            }
            return problems.count == count
        }
    }

    /// An entity of the app's that an attribute names, where the struct has something of the macro's under that name.
    private static func hiddenEntity(
        in property: StoredProperty, of structure: StructDeclSyntax
    ) -> DeclReferenceExprSyntax? {
        let hidden = Set(["Record", "StorageColumns"]).subtracting(structure.memberBlock.typeNames)
        return property.member.decl.as(VariableDeclSyntax.self)?.attributes.ours.lazy.flatMap(\.firstNames).first {
            hidden.contains($0.baseName.text)
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

    /// - Returns: Whether it is an id that is missing. One in an extension is not seen.
    static func checkId(
        of structure: StructDeclSyntax, _ access: Access, _ properties: [StoredProperty],
        problems: inout [Diagnostic]
    ) -> Bool {
        guard let id = properties.first(where: { $0.columnName == "id" && $0.role.isStored }) else {
            // A property that is wrong in itself may be the one.
            guard problems.isEmpty else { return false }
            problems.append(missingId(structure))
            return true
        }
        if let variable = id.member.decl.as(VariableDeclSyntax.self) {
            hiddenId(variable, id.access, access).map { problems.append($0) }
        }
        guard let type = id.type, let wrapped = type.wrappedInOptional else { return false }
        if type.isGivenId(outside: structure.memberBlock.typeNames) {
            if id.isConstant, let variable = id.member.decl.as(VariableDeclSyntax.self) {
                problems.append(StoredProperty.freshConstant(id.name, variable))
            }
            return false
        }
        let fix = FixIt.replacing(type, with: wrapped, "make it '\(wrapped.trimmedDescription)'")
        problems.append(MacroProblem.optionalId.at(type, fixIts: [fix]))
        return false
    }

    /// An entity has one version, and lends its protocol's names to the code that reaches it.
    static func checkVersion(
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
        // One that is computed would be there twice.
        let fix = block.hasId ? nil : FixIt.replacing(block, with: fixed, "add 'var id: String'")
        return MacroProblem.missingId(name: structure.name.text).at(structure.name, fixIts: [fix])
    }

    static func checkForeignKeys(
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
    static func checkColumns(of properties: [StoredProperty], problems: inout [Diagnostic]) {
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
