import SwiftSyntax

extension EntityModel {
    /// Those that say nothing of how a struct is made. Of any other name a macro may be.
    private static let harmlessAttributes: Set = [
        "StorageEntity", "available", "frozen", "usableFromInline", "dynamicMemberLookup",
    ]

    /// Whether all stored properties are seen, and nothing that the macro cannot see adds to what makes the struct.
    static func isSeenWhole(_ structure: StructDeclSyntax) -> Bool {
        // Another macro may write an initialiser, and then the compiler writes none.
        let hasOtherMacro = structure.attributes.contains { element in
            element.as(AttributeSyntax.self).map { !harmlessAttributes.contains($0.name) } ?? true
        }
        return !hasOtherMacro && !structure.memberBlock.members.contains { $0.decl.mayAffectInitializers }
    }

    /// Whether the macro sees all that may make the struct. What is ignored makes the compiler's initialiser private too, and one of
    /// ours does not name it.
    var isMadeInSight: Bool {
        isSeenWhole && properties.allSatisfy { !$0.isPrivate || ($0.isIgnored && hasInitializer) }
    }

    /// Whether an extension may call the struct's memberwise initialiser: nothing private is among what it takes or holds.
    var hasMemberwise: Bool { isMadeInSight && !hasInitializer }

    /// Whether that one takes all of its properties.
    var isMadeMemberwise: Bool { hasMemberwise && properties.allSatisfy { !$0.isConstant || $0.isIgnored } }
}

extension DeclSyntax {
    /// Whether it may be, or hide, what keeps the compiler from writing an initialiser, or changes what that one takes.
    var mayAffectInitializers: Bool {
        if self.is(MacroExpansionDeclSyntax.self) { return true }
        if let config = self.as(IfConfigDeclSyntax.self) {
            return config.clauses.contains { clause in
                guard case .decls(let members)? = clause.elements else { return clause.elements != nil }
                return members.contains { $0.decl.is(InitializerDeclSyntax.self) || $0.decl.mayAffectInitializers }
            }
        }
        guard let variable = self.as(VariableDeclSyntax.self), !variable.isStatic else { return false }
        // A computed property that initialises stored ones takes their place among the arguments.
        if variable.bindings.contains(where: \.initializesOthers) { return true }
        guard !variable.storedBindings.isEmpty else { return false }
        return !variable.isInstanceStorage || variable.attributes.mayWrap
    }
}

extension PatternBindingSyntax {
    fileprivate var initializesOthers: Bool {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
        return accessors.contains { $0.accessorSpecifier.tokenKind == .keyword(.`init`) }
    }
}
