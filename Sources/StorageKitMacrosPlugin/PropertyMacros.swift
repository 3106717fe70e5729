import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// An attribute that tells `@StorageEntity` how to store a property. By itself it makes nothing; it only sees to it
/// that it does not stand where nobody reads it.
package protocol PropertyMarkerMacro: PeerMacro {
    static var attributeName: String { get }
}

extension PropertyMarkerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(VariableDeclSyntax.self), context.lexicalContext.first?.isEntity == true else {
            context.diagnose(outsideEntity(node, declaration))
            return []
        }
        return []
    }

    private static func outsideEntity(_ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol) -> Diagnostic {
        var fixIts: [FixIt] = []
        // The node stands alone; only the declaration knows what is around its attribute.
        if let declaration = declaration.asProtocol((any WithAttributesSyntax).self),
            let attribute = declaration.attributes.named(attributeName)
        {
            fixIts = [.removing(attribute, from: declaration, "remove '@\(attributeName)'")]
        }
        return MacroProblem.outsideEntity(attribute: attributeName).at(node, fixIts: fixIts)
    }
}

/// `@StorageEmbedded`
package struct StorageEmbeddedMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageEmbedded"
}

/// `@StorageHasMany`
package struct StorageHasManyMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageHasMany"
}

/// `@StorageBelongsTo`
package struct StorageBelongsToMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageBelongsTo"
}

/// `@StorageJSON`
package struct StorageJSONMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageJSON"
}

/// `@StorageVersion`
package struct StorageVersionMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageVersion"
}

/// `@StorageReference`
package struct StorageReferenceMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageReference"
}

/// `@StorageUnique`
package struct StorageUniqueMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageUnique"
}

/// `@StorageRenamed`
package struct StorageRenamedMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageRenamed"
}

/// `@StorageIgnored`
package struct StorageIgnoredMacro: PropertyMarkerMacro {
    package static let attributeName = "StorageIgnored"
}

extension Syntax {
    /// Whether this is the declaration of an entity, or what is left of one around a property.
    fileprivate var isEntity: Bool {
        asProtocol((any WithAttributesSyntax).self)?.attributes.named("StorageEntity") != nil
    }
}
