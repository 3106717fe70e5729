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
        guard let model = try? EntityModel(declaration, attribute: node, in: context) else { return [] }
        return [RecordEmitter(model).declaration]
    }
}

extension StorageEntityMacro: MemberMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = try? EntityModel(declaration, attribute: node, in: context) else { return [] }
        return InitializerEmitter(model).declarations + DecoderEmitter(model).declarations
            + DefaultsEmitter(model).declarations
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
        let model = try EntityModel(declaration, attribute: node, in: context)
        return [try EntityEmitter(model, type: type.trimmedDescription).declaration]
    }
}
