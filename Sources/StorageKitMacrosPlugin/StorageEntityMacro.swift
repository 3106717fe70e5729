import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@StorageEntity`: syntax -> ``EntityModel`` -> syntax.
package struct StorageEntityMacro {
    /// What the emitters write is formatted already.
    package static var formatMode: FormatMode { .disabled }
}

extension StorageEntityMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        // The extension role reports what is wrong, so that each message appears once.
        guard let model = try? EntityModel.shared(declaration, attribute: node, in: context) else { return [] }
        return [DeclSyntax(source: RecordEmitter(model: model).declaration)]
    }
}

extension StorageEntityMacro: MemberMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = try? EntityModel.shared(declaration, attribute: node, in: context) else { return [] }
        let initializers = InitializerEmitter(model: model)
        let ways = [initializers.replacement, initializers.ofValues] + initializers.defaults
        let codec = [
            DecoderEmitter(model: model).inStruct, DefaultsEmitter(model: model).declaration,
            CodingKeysEmitter(model: model).declaration,
        ]
        let standIn = "\(model.access.prefix)nonisolated var id: Swift.String { Swift.fatalError() }"
        let members =
            ways + ColumnsEmitter(model: model).declarations + codec
            + (model.needsId ? [standIn] : [])
        return members.compactMap { $0.map(DeclSyntax.init(source:)) }
    }
}

extension StorageEntityMacro: ExtensionMacro {
    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        if TypeAttributes.othersReport(node, of: declaration, in: context) { return [] }
        let model = try EntityModel.shared(declaration, attribute: node, in: context)
        model.diagnostics.forEach(context.diagnose)
        declaration.as(StructDeclSyntax.self)?.impliedEquality.map(context.diagnose)
        return [ExtensionDeclSyntax(source: EntityEmitter(model: model, type: type.trimmedDescription).declaration)]
    }
}

extension StructDeclSyntax {
    /// What there is to know of an `==` of its own, where the struct does not say that it is `Equatable`. A protocol of the app's may,
    /// and so may an extension.
    fileprivate var impliedEquality: Diagnostic? {
        let others = ["Sendable", "Codable", "Identifiable"]
        let inherited = inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        guard Set(inherited).isSubset(of: others) else { return nil }
        let functions = memberBlock.members.lazy.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
        let equality = functions.first { function in
            let types = function.signature.parameterClause.parameters.map(\.type.trimmedDescription)
            return function.name.text == "==" && types.count == 2
                && types.allSatisfy { ["Self", name.text].contains($0) }
        }
        return equality.map { MacroProblem.impliedEquality(name: name.text).at($0.name) }
    }
}
