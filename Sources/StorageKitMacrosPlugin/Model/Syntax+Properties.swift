import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

extension VariableDeclSyntax {
    var isLet: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

    var isStatic: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.static) } }

    /// Whether the variable belongs to each value and is there from the beginning.
    var isInstanceStorage: Bool {
        !modifiers.contains { modifier in
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class), .keyword(.lazy): true
            default: false
            }
        }
    }

    /// The bindings that store something. In `var x, y: Int` the type stands behind the last name only.
    var storedBindings: [(binding: PatternBindingSyntax, type: TypeSyntax?)] {
        var type: TypeSyntax?
        var stored: [(PatternBindingSyntax, TypeSyntax?)] = []
        for binding in bindings.reversed() {
            type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
            if !binding.isComputed { stored.append((binding, type)) }
        }
        return stored.reversed()
    }
}

extension PatternBindingSyntax {
    /// `willSet` and `didSet` observe a stored property; any other accessor computes one.
    fileprivate var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}

extension DeclModifierSyntax {
    var isPrivate: Bool { name.tokenKind == .keyword(.private) }

    /// Whether it says who may read: `private(set)` does not.
    var isAccess: Bool {
        let keywords: [Keyword] = [.private, .fileprivate, .internal, .package, .public]
        return detail == nil && keywords.contains { name.tokenKind == .keyword($0) }
    }

    var isWeak: Bool { [.keyword(.weak), .keyword(.unowned)].contains(name.tokenKind) }
}

extension IfConfigDeclSyntax {
    var holdsProperties: Bool {
        clauses.contains { clause in
            guard case .decls(let members) = clause.elements else { return false }
            return members.contains { member in
                if let inner = member.decl.as(IfConfigDeclSyntax.self) { return inner.holdsProperties }
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                return variable.isInstanceStorage && !variable.storedBindings.isEmpty
            }
        }
    }
}

extension ExprSyntax {
    /// The type of a literal, where every reader of the source sees it; nil for any other expression.
    var literalType: String? {
        if let negated = self.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            let type = negated.expression.literalType
            return ["Int", "Double"].contains(type) ? type : nil
        }
        if self.is(StringLiteralExprSyntax.self) { return "String" }
        if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
        return self.is(FloatLiteralExprSyntax.self) ? "Double" : nil
    }
}

extension ExprSyntax {
    /// The enum of a case that is named with it, `Status.open`, where the enum stands in the struct itself; nil for any other
    /// expression.
    func enumType(in block: MemberBlockSyntax) -> TypeSyntax? {
        guard let member = self.as(MemberAccessExprSyntax.self), member.declName.argumentNames == nil,
            let base = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text
        else { return nil }
        let cases = block.members.lazy.compactMap { $0.decl.as(EnumDeclSyntax.self) }.first { $0.name.text == base }?
            .memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        let name = member.declName.baseName.text
        guard let found = cases?.first(where: { $0.name.text == name }), found.parameterClause == nil else {
            return nil
        }
        return TypeSyntax(IdentifierTypeSyntax(name: .identifier(base)))
    }
}

extension ExprSyntax {
    /// The type whose initialiser is called, as its capital or its bracket tells: `Date()`, `[Tag]()`.
    var calledType: TypeSyntax? {
        guard let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression, callee.isType else { return nil }
        return "\(raw: callee.trimmedDescription)"
    }

    fileprivate var isType: Bool {
        if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.text.first?.isUppercase == true }
        if let member = self.as(MemberAccessExprSyntax.self) {
            return member.base?.isType == true && member.declName.baseName.text.first?.isUppercase == true
        }
        if let generic = self.as(GenericSpecializationExprSyntax.self) { return generic.expression.isType }
        return self.is(ArrayExprSyntax.self) || self.is(DictionaryExprSyntax.self)
    }

    /// Whether every reader of the source sees that the value is always the same: a literal, a case, or what operators, collections and
    /// initialisers make of those. A call without arguments may make another one each time, a new UUID say.
    var isAlwaysTheSame: Bool {
        isMadeOf { part in
            if let call = part.as(FunctionCallExprSyntax.self) { return call.makesTheSame }
            if let unwrapped = part.as(ForceUnwrapExprSyntax.self) { return unwrapped.expression.isAlwaysTheSame }
            guard let member = part.as(MemberAccessExprSyntax.self) else { return part.isPlainLiteral }
            // `.now` is a member too.
            return (member.base?.isTypeOrTheSame ?? true) && member.declName.baseName.text != "now"
        }
    }

    /// Whether it is a type, or a collection of what is always the same: by its bracket `[UUID()]` looks like a type.
    private var isTypeOrTheSame: Bool {
        isType && (parts?.allSatisfy { $0.isTypeOrTheSame || $0.isAlwaysTheSame } ?? true)
    }

    /// Whether a column can have it as its default, as the value of a property of that type.
    func isDefault(of type: TypeSyntax?) -> Bool {
        isAlwaysTheSame && !self.is(NilLiteralExprSyntax.self)
            && type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) != true
    }

    /// Whether it names nothing: a literal, or what operators and collections make of literals.
    var isLiteral: Bool { isMadeOf(\.isPlainLiteral) }

    private var isPlainLiteral: Bool {
        if let string = self.as(StringLiteralExprSyntax.self) { return string.representedLiteralValue != nil }
        return literalType != nil || self.is(NilLiteralExprSyntax.self)
    }

    private func isMadeOf(_ isKnown: (ExprSyntax) -> Bool) -> Bool {
        parts?.allSatisfy { $0.isMadeOf(isKnown) } ?? isKnown(self)
    }

    /// What an array, a dictionary, parentheses or operators hold together; nil for other expressions.
    private var parts: [ExprSyntax]? {
        if let array = self.as(ArrayExprSyntax.self) { return array.elements.map(\.expression) }
        if let parentheses = self.as(TupleExprSyntax.self) { return parentheses.elements.map(\.expression) }
        if let prefixed = self.as(PrefixOperatorExprSyntax.self), ["-", "+", "!", "~"].contains(prefixed.operator.text)
        {
            return [prefixed.expression]
        }
        if let sequence = self.as(SequenceExprSyntax.self) {
            let operators = sequence.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
            // Others may be the app's own.
            let known: Set = [
                "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "...", "..<",
                "==", "!=", "<", ">", "<=", ">=", "??",
            ]
            guard known.isSuperset(of: operators) else { return nil }
            // The middle of `a ? b : c` stands within the operator; `as` and the type behind it are the compiler's.
            return sequence.elements.map { $0.as(UnresolvedTernaryExprSyntax.self)?.thenExpression ?? $0 }.filter {
                !$0.is(BinaryOperatorExprSyntax.self) && !$0.is(UnresolvedAsExprSyntax.self)
                    && !$0.is(TypeExprSyntax.self)
            }
        }
        guard let dictionary = self.as(DictionaryExprSyntax.self) else { return nil }
        guard case .elements(let elements) = dictionary.content else { return [] }
        return elements.flatMap { [$0.key, $0.value] }
    }
}

extension FunctionCallExprSyntax {
    /// Whether it makes a value of what is always the same: `Date(timeIntervalSince1970: 0)`, `.size(3)`. A function of a type may make
    /// another one each time.
    fileprivate var makesTheSame: Bool {
        isInitialiserOrCase && !arguments.isEmpty && trailingClosure == nil
            && arguments.allSatisfy { $0.label?.text.hasSuffix("Now") != true && $0.expression.isAlwaysTheSame }
    }

    private var isInitialiserOrCase: Bool {
        guard let member = calledExpression.as(MemberAccessExprSyntax.self) else { return calledExpression.isType }
        // `.random(in: 0...9)` looks like a case.
        guard member.declName.baseName.text != "random" else { return false }
        return member.base == nil || calledExpression.isType || member.declName.baseName.text == "init"
    }
}

extension MemberBlockSyntax {
    /// Whether each value has something that is called `id`, be it stored or not.
    var hasId: Bool {
        members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }.filter { !$0.isStatic }.flatMap(\.bindings)
            .contains { $0.pattern.sourceText.unquoted == "id" }
    }

    /// The block with one more property in front of a member, laid out like it; as the only one where there is none.
    func inserting(_ property: String, before member: MemberBlockItemSyntax?) -> MemberBlockSyntax {
        var item = MemberBlockItemSyntax(decl: "\(raw: property)" as DeclSyntax)
        var block = self
        let place = member.flatMap { member in members.firstIndex { $0.id == member.id } } ?? members.endIndex
        if let indentation = member?.leadingTrivia.lastLine {
            item.leadingTrivia = .newline + indentation
        } else if member != nil {
            item.semicolon = .semicolonToken(trailingTrivia: .space)
        } else if let indentation = rightBrace.leadingTrivia.lastLine {
            item.leadingTrivia = .newline + indentation + .spaces(4)
        } else {
            block.leftBrace.trailingTrivia = .space
            item.trailingTrivia = .space
        }
        block.members.insert(item, at: place)
        return block
    }
}

extension Trivia {
    /// What indents the last line; nil if there is one line only.
    fileprivate var lastLine: Trivia? {
        guard contains(where: \.isNewline) else { return nil }
        return Trivia(pieces: pieces.reversed().prefix { !$0.isNewline }.reversed())
    }
}

extension AttributeSyntax {
    /// The last part of the name: `StorageKit.StorageJSON` is `StorageJSON`.
    var name: String {
        attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    var isRelation: Bool { ["StorageHasMany", "StorageBelongsTo"].contains(name) }

    fileprivate var isOurs: Bool {
        PropertyRole.attributeNames.contains(name) || PropertyTraits.attributeNames.contains(name)
    }

    /// An argument that is not nil.
    func argument(_ label: String) -> ExprSyntax? {
        guard case .argumentList(let arguments) = arguments,
            let expression = arguments.first(where: { $0.label?.text == label })?.expression,
            !expression.is(NilLiteralExprSyntax.self)
        else { return nil }
        return expression
    }

    /// What its arguments begin with, where they name something: `Outer` of `Outer.Parent.self`.
    var firstNames: [DeclReferenceExprSyntax] {
        guard case .argumentList(let arguments) = arguments else { return [] }
        return arguments.compactMap { argument in
            var first: ExprSyntax? = argument.expression
            while let member = first?.as(MemberAccessExprSyntax.self) { first = member.base }
            return first?.as(DeclReferenceExprSyntax.self)
        }
    }

    /// The arguments that belong to a label: the one behind it, and those that follow without a label of their own.
    func arguments(_ label: String) -> [ExprSyntax] {
        guard case .argumentList(let arguments) = arguments else { return [] }
        let found = arguments.drop { $0.label?.text != label }
        return found.prefix(1).map(\.expression)
            + found.dropFirst().prefix { $0.label == nil }.map(\.expression)
    }
}

extension AttributeListSyntax {
    func named(_ name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == name }
    }

    /// All attributes in their order, those too that stand in a condition.
    var all: [AttributeSyntax] {
        flatMap { element -> [AttributeSyntax] in
            if let attribute = element.as(AttributeSyntax.self) { return [attribute] }
            let clauses = element.as(IfConfigDeclSyntax.self)?.clauses
            return clauses?.flatMap { $0.elements?.as(AttributeListSyntax.self)?.all ?? [] } ?? []
        }
    }

    /// All of ours, in their order.
    var ours: [AttributeSyntax] { all.filter(\.isOurs) }

    /// One of ours that stands in a condition, so that it is not known whether it is there.
    var conditional: AttributeSyntax? { ours.first { $0.parent?.id != id } }

    /// Whether one may be a wrapper or a macro: of what is not ours, all but those of the compiler's that change nothing of a property.
    var mayWrap: Bool {
        contains { element in
            guard let attribute = element.as(AttributeSyntax.self) else { return true }
            return !attribute.isOurs && !["available", "usableFromInline"].contains(attribute.name)
        }
    }

    /// Whether one is a wrapper with arguments, `@Clamped(5)` or `@Clamped()`: a type, as its capital tells.
    var hasWrapperWithArguments: Bool {
        contains { element in
            guard let attribute = element.as(AttributeSyntax.self), !attribute.isOurs else { return false }
            return attribute.leftParen != nil && attribute.name.first?.isUppercase == true
        }
    }
}

extension String {
    /// The name without backticks.
    var unquoted: String { isQuoted ? filter { $0 != "`" } : self }

    private var isQuoted: Bool { utf8.contains(UInt8(ascii: "`")) }

    /// Whether it looks like a name, which may be a keyword.
    var isIdentifier: Bool {
        first.map { $0.isLetter || $0 == "_" } == true && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The name before an argument: the compiler warns of backticks there that it does not need.
    var asLabel: String { isQuoted && unquoted.isIdentifier && unquoted != "inout" ? unquoted : self }
}
