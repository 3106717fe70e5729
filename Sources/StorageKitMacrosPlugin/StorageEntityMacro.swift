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
        let members = ways + ColumnsEmitter(model: model).declarations + codec
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
        model.advice.forEach(context.diagnose)
        return [ExtensionDeclSyntax(source: EntityEmitter(model: model, type: type.trimmedDescription).declaration)]
    }
}
