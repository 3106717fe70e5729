import Synchronization
import SwiftSyntax
import SwiftSyntaxMacros

extension EntityModel {
    /// The model of a declaration, read once for the three roles that the macro has: the compiler asks for them one after the
    /// other.
    static func shared(
        _ declaration: some SyntaxProtocol, attribute: AttributeSyntax, in context: some MacroExpansionContext
    ) throws -> EntityModel {
        let source = ([Syntax(attribute), Syntax(declaration)] + context.lexicalContext).map(\.description)
        if let last = lastModel.withLock({ $0 }), last.source == source { return last.model }
        let model = try EntityModel(declaration, attribute: attribute, in: context)
        // What is said is about the syntax of one role.
        if model.diagnostics.isEmpty { lastModel.withLock { $0 = (source, model) } }
        return model
    }
}

private let lastModel = Mutex<(source: [String], model: EntityModel)?>(nil)
