import SwiftSyntax

/// What can be told from the source of how a property is kept.
enum ColumnForm {
    /// One column of a type that has a form of its own.
    case value
    /// One column of an enum's raw value, as its declaration in the entity says.
    case rawValue
    /// One column of JSON.
    case json
    /// Columns of an embedded value.
    case embedded
    /// The compiler chooses between the others.
    case unknown

    /// Nil for a relation.
    init?(of role: PropertyRole, type: TypeSyntax?, in scope: EntityScope) {
        switch role {
        case .json: self = .json
        case .version: self = .value
        case .embedded: self = .embedded
        case .ignored, .hasMany, .hasManyThrough, .belongsTo: return nil
        case .column:
            // The literal tells.
            guard let type else {
                self = .value
                return
            }
            let value = type.wrappedInOptional ?? type
            if value.is(ArrayTypeSyntax.self) || value.is(DictionaryTypeSyntax.self) {
                self = .json
                return
            }
            let name = value.sourceText
            if scope.ownTypes.contains(name) {
                self = scope.rawEnums.contains(name) ? .rawValue : .unknown
            } else {
                self = value.isPlainValue ? .value : .unknown
            }
        }
    }
}

/// The names that mean something in an entity only.
struct EntityScope {
    /// The entity's own.
    let name: String
    /// The types that stand in the struct.
    let ownTypes: Set<String>
    /// The enums among them whose raw value has a column form of its own.
    let rawEnums: Set<String>
    /// What its properties are called.
    let propertyNames: Set<Substring>

    init(_ structure: StructDeclSyntax) {
        name = structure.name.text
        let variables = structure.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
        propertyNames = Set(
            variables.flatMap(\.bindings).compactMap { binding in
                binding.pattern.as(IdentifierPatternSyntax.self).map { $0.identifier.text.unquoted[...] }
            })
        ownTypes = structure.memberBlock.typeNames
        rawEnums = ownTypes.filter {
            TypeSyntax(IdentifierTypeSyntax(name: .identifier($0))).isRawEnum(in: [structure.memberBlock])
        }
    }

    /// A type as a value. A property of the same name would stand in its way, but for where a type alone can stand.
    func metatype(of type: String) -> String {
        let words = type.utf8.split { !$0.isOfWord }
        if words.contains(where: { propertyNames.contains(Substring($0)) }) {
            return "StorageGRDB._Type<\(type)>.itself"
        }
        return type.utf8.allSatisfy(\.standsBeforeSelf) ? "\(type).self" : "(\(type)).self"
    }
}

extension UInt8 {
    /// Whether it belongs to a name: a letter, of whatever script, a digit or an underscore.
    fileprivate var isOfWord: Bool {
        self >= 0x80 || (self >= 0x30 && self <= 0x39) || (self >= 0x41 && self <= 0x5A) || self == UInt8(ascii: "_")
            || (self >= 0x61 && self <= 0x7A)
    }

    /// Whether it may be part of a type that can stand before `.self` as it is.
    fileprivate var standsBeforeSelf: Bool { (isOfWord && self < 0x80) || ".?[]`".utf8.contains(self) }
}

extension TypeSyntax {
    /// The type with `Self` written out, and from outside of the entity its own types too.
    func naming(_ scope: EntityScope, isOutside: Bool) -> String {
        let text = sourceText
        guard text.contains("Self") || (isOutside && !scope.ownTypes.isEmpty) else { return text }
        var before: TokenKind?
        return trimmed.tokens(viewMode: .sourceAccurate).map { token in
            defer { before = token.tokenKind }
            let word = token.text
            let isOwn = isOutside && before != .period && scope.ownTypes.contains(word)
            guard token.tokenKind == .keyword(.Self) || isOwn else { return token.description }
            return "\(token.leadingTrivia)\(isOwn ? "\(scope.name).\(word)" : scope.name)\(token.trailingTrivia)"
        }.joined()
    }
}
