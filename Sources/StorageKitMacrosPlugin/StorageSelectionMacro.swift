import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@StorageSelection`: the `columns` function, which takes what is to be selected for each property, and the conformance by which rows of a
/// statement in SQL become the struct and other queries ask its rows.
package struct StorageSelectionMacro: MemberMacro {
    /// What is written is formatted already.
    package static var formatMode: FormatMode { .disabled }

    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        // The extension role reports what is wrong, so that each message appears once.
        guard let emitter = try? emitter(for: declaration, attribute: node, in: context) else { return [] }
        return emitter.declarations.map(DeclSyntax.init(source:))
    }

    /// - Throws: `DiagnosticsError` with everything that keeps the declaration from being selected.
    private static func emitter(
        for declaration: some DeclGroupSyntax, attribute: AttributeSyntax, in context: some MacroExpansionContext
    ) throws -> SelectionEmitter {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            throw DiagnosticsError(diagnostics: [notAStruct(declaration, attribute)])
        }
        try TypeAttributes.check(structure)
        let around = context.lexicalContext.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
        var problems: [Diagnostic] = []
        EntityModel.checkCopyable(structure, problems: &problems)
        EntityModel.checkReach(of: structure, inside: around, problems: &problems)
        let properties = properties(of: structure, problems: &problems)
        if properties.isEmpty, problems.isEmpty {
            problems.append(MacroProblem.emptySelection(name: structure.name.text).at(structure.name))
        }
        guard problems.isEmpty else { throw DiagnosticsError(diagnostics: problems) }
        return SelectionEmitter(
            properties: properties, access: Access(of: structure, inside: around),
            hasInitializer: structure.memberBlock.members.map(\.decl).contains {
                $0.is(InitializerDeclSyntax.self) || ($0.is(IfConfigDeclSyntax.self) && $0.mayAffectInitializers)
            },
            availabilityLines: structure.availabilityLines(inside: around))
    }

    private static func notAStruct(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) -> Diagnostic {
        guard let type = declaration.as(ClassDeclSyntax.self) else {
            return MacroProblem.selectionNotAStruct.at(attribute)
        }
        let fix = FixIt.replacing(type.classKeyword, with: .keyword(.struct), "make it a struct")
        return MacroProblem.selectionNotAStruct.at(type.classKeyword, fixIts: [fix])
    }

    /// Generated code says these beside the names of the properties.
    private static let takenNames: Set = ["StorageGRDB", "StorageColumns", "Self", "await"]

    /// The stored properties that a value is made of, in their order.
    private static func properties(
        of structure: StructDeclSyntax, problems: inout [Diagnostic]
    ) -> [SelectionEmitter.Property] {
        var properties: [SelectionEmitter.Property] = []
        // The columns stand in a type of their own, where `Self` is another one.
        let scope = EntityScope(structure)
        for member in structure.memberBlock.members {
            if let condition = member.decl.as(IfConfigDeclSyntax.self), condition.holdsProperties {
                problems.append(MacroProblem.conditionalSelection.at(condition))
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isInstanceStorage else { continue }
            for (binding, type) in variable.storedBindings {
                // A constant with a value has it already.
                if variable.isLet, binding.initializer != nil { continue }
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
                    problems.append(MacroProblem.patternSelection.at(binding.pattern))
                    continue
                }
                if takenNames.contains(name.unquoted) {
                    let problem = MacroProblem.reservedName(name: name.unquoted, by: "StorageSelection")
                    problems.append(problem.at(binding.pattern))
                }
                // No argument can be of type `Int!`.
                let unwrapped = type?.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
                let written = unwrapped.map { $0.naming(scope, isOutside: false) + "?" }
                guard
                    let type = written ?? type?.naming(scope, isOutside: false)
                        ?? binding.initializer?.value.literalType
                else {
                    problems.append(MacroProblem.missingType(property: name).at(binding.pattern))
                    continue
                }
                properties.append(
                    SelectionEmitter.Property(
                        name: name, type: type, access: max(Access(of: variable.modifiers), .internal),
                        isSetLast: binding.initializer == nil && variable.attributes.hasWrapperWithArguments))
            }
        }
        return properties
    }
}

extension StorageSelectionMacro: ExtensionMacro {
    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        if TypeAttributes.othersReport(node, of: declaration, in: context) { return [] }
        let lines = try emitter(for: declaration, attribute: node, in: context).availabilityLines
        return [
            ExtensionDeclSyntax(
                source: "\(lines)nonisolated extension \(type.trimmedDescription): StorageGRDB.SelectedStruct {}")
        ]
    }
}
