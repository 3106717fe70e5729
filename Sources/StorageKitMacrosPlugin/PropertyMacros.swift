import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@StorageEmbedded` and all other attributes that tell `@StorageEntity` how to store a property. By itself it makes nothing; it
/// only sees to it that it does not stand where nobody reads it.
package struct StoragePropertyMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !declaration.is(VariableDeclSyntax.self) || context.lexicalContext.first?.isEntity != true {
            context.diagnose(outsideEntity(node, declaration))
        }
        return []
    }

    private static func outsideEntity(_ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol) -> Diagnostic {
        var fixIts: [FixIt] = []
        // The node stands alone; only the declaration knows what is around its attribute.
        if let declaration = declaration.asProtocol((any WithAttributesSyntax).self),
            let attribute = declaration.attributes.named(node.name)
        {
            fixIts = [.removing(attribute, from: declaration)]
        }
        return MacroProblem.outsideEntity(attribute: node.name).at(node, fixIts: fixIts)
    }
}

extension Syntax {
    /// Whether this is the declaration of an entity, or what is left of one around a property.
    fileprivate var isEntity: Bool {
        asProtocol((any WithAttributesSyntax).self)?.attributes.all.contains { $0.name == "StorageEntity" } == true
    }
}
