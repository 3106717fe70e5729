import SwiftSyntax

extension SyntaxProtocol {
    /// What stands in the source, without the spaces around. Most nodes have none, and to take them away costs as much as reading a
    /// property.
    var sourceText: String {
        leadingTriviaLength.utf8Length == 0 && trailingTriviaLength.utf8Length == 0 ? description : trimmedDescription
    }
}

extension TypeSyntax {
    /// `T` of `T?`, `T!`, `Optional<T>` and `Swift.Optional<T>`.
    var wrappedInOptional: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
        return argument(of: "Optional")
    }

    /// Whether a property of the type is nil without saying so: a `var` of `T?` or `T!` is, one of `Optional<T>` is not.
    func beginsAsNil(isLet: Bool) -> Bool {
        !isLet && (self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self))
    }

    /// `T` of `[T]` and `Array<T>`.
    var arrayElement: TypeSyntax? {
        self.as(ArrayTypeSyntax.self)?.element ?? argument(of: "Array")
    }

    /// `T` of `Set<T>`.
    var setElement: TypeSyntax? { argument(of: "Set") }

    /// A type with a name that is no collection: `Address`, `Shop.Address`, `Range<Int>`.
    var isNominal: Bool {
        if self.is(MemberTypeSyntax.self) { return true }
        guard let type = self.as(IdentifierTypeSyntax.self) else { return false }
        return !["Any", "Array", "Set", "Dictionary", "Optional"].contains(type.name.text)
    }

    /// Whether it is a generic type's: `Range<Int>`.
    var hasArguments: Bool {
        self.as(IdentifierTypeSyntax.self)?.genericArgumentClause != nil
            || self.as(MemberTypeSyntax.self)?.genericArgumentClause != nil
    }

    /// A type of the standard library or Foundation that is one column, or JSON in one column, by its usual name.
    var isPlainColumn: Bool {
        if let name = self.as(IdentifierTypeSyntax.self), name.genericArgumentClause == nil {
            return TypeSyntax.plainNames.contains(name.name.text)
        }
        return self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
    }

    /// A type of the standard library or Foundation that has a column form of its own, by its usual name.
    var isPlainValue: Bool { self.is(IdentifierTypeSyntax.self) && isPlainColumn && sourceText != "AnyCodable" }

    /// Whether it is Swift's `Int`, and not one of the entity's own.
    func isInt(outside ownTypes: Set<String>) -> Bool {
        sourceText == "Swift.Int" || (sourceText == "Int" && !ownTypes.contains("Int"))
    }

    /// Whether it is `Int64?` or `Int?`, and not an optional of one of the entity's own types: of what SQLite gives as an id.
    func isGivenId(outside ownTypes: Set<String>) -> Bool {
        guard !self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self), let wrapped = wrappedInOptional?.sourceText else {
            return false
        }
        return ["Swift.Int", "Swift.Int64"].contains(wrapped)
            || (["Int", "Int64"].contains(wrapped) && !ownTypes.contains(wrapped))
    }

    /// Whether it is a type of the standard library or Foundation, or its optional, whose values have no letters.
    func hasNoLetters(outside ownTypes: Set<String>) -> Bool {
        let value = wrappedInOptional ?? self
        return value.isPlainValue && !ownTypes.contains(value.sourceText)
            && !["String", "URL", "UUID"].contains(value.sourceText)
    }

    /// Whether values of the type are sure to be compared by `==`; a name that is not known may not be, and one that
    /// the entity gives to a type of its own is not.
    func isSurelyEquatable(outside ownTypes: Set<String>) -> Bool {
        if let wrapped = wrappedInOptional ?? arrayElement { return wrapped.isSurelyEquatable(outside: ownTypes) }
        if let dictionary = self.as(DictionaryTypeSyntax.self) {
            return dictionary.key.isSurelyEquatable(outside: ownTypes)
                && dictionary.value.isSurelyEquatable(outside: ownTypes)
        }
        return self.is(IdentifierTypeSyntax.self) && isPlainColumn && !ownTypes.contains(sourceText)
    }

    /// What a value of the type is, if it can never be stored. A name that the entity gives to a type of its own says
    /// nothing about that.
    func unstorable(outside ownTypes: Set<String>) -> String? {
        if self.is(FunctionTypeSyntax.self) { return "a function" }
        if let attributed = self.as(AttributedTypeSyntax.self) {
            return attributed.baseType.unstorable(outside: ownTypes)
        }
        if let tuple = self.as(TupleTypeSyntax.self) {
            return tuple.elements.count == 1
                ? tuple.elements.first?.type.unstorable(outside: ownTypes) : "a tuple"
        }
        if self.is(MetatypeTypeSyntax.self) { return "a type" }
        if self.is(SomeOrAnyTypeSyntax.self) || self.is(CompositionTypeSyntax.self)
            || TypeSyntax.unstorableNames.subtracting(ownTypes).contains(sourceText)
        {
            return "a value of type '\(sourceText)'"
        }
        // Both nils would be NULL.
        if wrappedInOptional?.wrappedInOptional != nil { return "an optional of an optional" }
        if let part = wrappedInOptional ?? arrayElement ?? setElement { return part.unstorable(outside: ownTypes) }
        guard let dictionary = self.as(DictionaryTypeSyntax.self) else { return nil }
        return dictionary.key.unstorable(outside: ownTypes) ?? dictionary.value.unstorable(outside: ownTypes)
    }

    /// Whether it is a function, which a parameter has to say it keeps.
    var isFunction: Bool {
        if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.isFunction }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
            return tuple.elements.first?.type.isFunction == true
        }
        return self.is(FunctionTypeSyntax.self)
    }

    /// Whether it is that protocol of the standard library, with or without the name of its module, or is composed of it and
    /// others.
    func includes(_ name: String) -> Bool {
        if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.includes(name) }
        if let composition = self.as(CompositionTypeSyntax.self) {
            return composition.elements.contains { $0.type.includes(name) }
        }
        return [name, "Swift.\(name)"].contains(sourceText)
    }

    /// `T` of a type of the standard library's, with or without the name of its module.
    private func argument(of name: String) -> TypeSyntax? {
        let type = self.as(IdentifierTypeSyntax.self)
        let member = self.as(MemberTypeSyntax.self).flatMap { $0.baseType.sourceText == "Swift" ? $0 : nil }
        guard (type?.name ?? member?.name)?.text == name,
            let arguments = (type?.genericArgumentClause ?? member?.genericArgumentClause)?.arguments,
            arguments.count == 1
        else { return nil }
        return arguments.first.flatMap { Syntax($0.argument).as(TypeSyntax.self) }
    }

    /// Not `Character` or `Substring`, which apps call their own types too: of the real ones the compiler says what they
    /// lack.
    private static let unstorableNames: Set<String> = ["Any", "AnyObject", "Void", "Never", "AnyHashable"]

    /// Types of Foundation's, whose names apps give to types of their own.
    static let foundationNames: Set<String> = ["Date", "Data", "URL", "Decimal", "UUID"]

    private static let plainNames: Set<String> = [
        "String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float", "CGFloat", "Decimal", "Date", "TimeInterval", "Data", "UUID", "URL", "AnyCodable",
    ]
}

extension ExprSyntax {
    /// `Parent` of `Parent.self`.
    var namedType: String? {
        guard let member = self.as(MemberAccessExprSyntax.self), let base = member.base,
            member.declName.baseName.tokenKind == .keyword(.self)
        else { return nil }
        return base.trimmedDescription
    }
}

extension MemberBlockSyntax {
    /// The names of the types that are declared in it, under any condition.
    var typeNames: Set<String> { members.typeNames }
}

extension MemberBlockItemListSyntax {
    fileprivate var typeNames: Set<String> {
        var names: Set<String> = []
        for member in self {
            if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                for case .decls(let members) in condition.clauses.map(\.elements) { names.formUnion(members.typeNames) }
            } else if member.decl.asProtocol((any DeclGroupSyntax).self) != nil
                || member.decl.is(TypeAliasDeclSyntax.self)
            {
                member.decl.asProtocol((any NamedDeclSyntax).self).map { _ = names.insert($0.name.text) }
            }
        }
        return names
    }
}
