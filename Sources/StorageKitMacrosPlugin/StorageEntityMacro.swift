package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@StorageEntity`: syntax -> ``EntityModel`` -> syntax.
package struct StorageEntityMacro {}

extension StorageEntityMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        // The extension role reports what is wrong, so that each message appears once.
        guard let model = try? EntityModel(declaration, attribute: node) else { return [] }
        return [RecordEmitter(model).declaration]
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
        let model = try EntityModel(declaration, attribute: node)
        return [try EntityEmitter(model, type: type.trimmedDescription).declaration]
    }
}
