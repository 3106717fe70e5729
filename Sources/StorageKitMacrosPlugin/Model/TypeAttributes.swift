import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The attributes that make something of a type, of which it can have one.
enum TypeAttributes {
    private static let names = ["StorageEntity", "StorageSelection"]

    /// The second of two that a type has.
    private static func second(of declaration: some DeclGroupSyntax) -> (first: AttributeSyntax, AttributeSyntax)? {
        let ours = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { names.contains($0.name) }
        return ours.count > 1 ? (ours[0], ours[1]) : nil
    }

    /// - Throws: `DiagnosticsError` where a struct has two of them.
    static func check(_ structure: StructDeclSyntax) throws {
        guard let (first, second) = second(of: structure) else { return }
        let fix = FixIt.removing(second, from: structure)
        throw MacroProblem.twoRoles(property: structure.name.text, first: first.name, second: second.name)
            .error(at: second, fixIts: [fix])
    }

    /// Whether another attribute of the type reports that it has two: the second does.
    static func othersReport(
        _ attribute: AttributeSyntax, of declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) -> Bool {
        guard let (_, second) = second(of: declaration) else { return false }
        return place(of: attribute, in: context) != place(of: second, in: context)
    }

    /// Each of the two stands alone; only the context knows where.
    private static func place(of attribute: AttributeSyntax, in context: some MacroExpansionContext) -> String? {
        context.location(of: attribute).map { "\($0.line):\($0.column)" }
    }
}
