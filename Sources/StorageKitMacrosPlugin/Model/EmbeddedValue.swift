import SwiftParser
import SwiftSyntax

/// An embedded value, with its fields if they can be seen: where its struct is nested in the entity.
struct EmbeddedValue {
    let type: String
    let prefix: String
    /// Its columns, or nil if some field cannot be seen. Then they are found at run time.
    let seen: [SeenColumn]?

    init(type: TypeSyntax, isOptional: Bool, _ prefix: String, in scope: MemberBlockSyntax) {
        self.type = type.trimmedDescription
        self.prefix = prefix
        seen = SeenColumn.all(
            of: type, keyPath: isOptional ? "?" : "", column: prefix, scopes: [scope])
    }
}

/// A column of an embedded value that the macro can see.
struct SeenColumn {
    let column: String
    /// What follows the property in a key path: `.geo?.latitude`.
    let keyPath: String
    /// The least of what the fields on the way to it let see.
    let access: Access
    let isPrivate: Bool

    /// How a query names it: `shipping_zip_code` is `shippingZipCode`.
    var spelling: String {
        let words = column.split(separator: "_")
        let first = words.first.map(String.init) ?? ""
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The columns of a struct that stands in one of the scopes, innermost first; nil if something is unseen.
    static func all(
        of type: TypeSyntax, keyPath: String, column: String, access: Access = .public, isPrivate: Bool = false,
        scopes: [MemberBlockSyntax], depth: Int = 0
    ) -> [SeenColumn]? {
        guard depth < 8, let name = type.as(IdentifierTypeSyntax.self)?.name.text,
            let value = scopes.lazy.compactMap({ $0.structure(named: name) }).first,
            value.genericParameterClause == nil, let keys = value.codingKeys
        else { return nil }
        let inner = [value.memberBlock] + scopes
        var columns: [SeenColumn] = []
        for field in value.fields {
            guard let key = keys[field.name.unquoted] ?? (keys.isEmpty ? field.name.unquoted : nil) else { continue }
            guard let fieldType = field.type else { return nil }
            let wrapped = fieldType.wrappedInOptional ?? fieldType
            let path = keyPath + "." + field.name
            let access = min(access, Access(of: field.modifiers))
            let isPrivate = isPrivate || field.modifiers.contains { $0.isPrivate && $0.detail == nil }
            let isOwn = inner.contains { $0.typeNames.contains(wrapped.trimmedDescription) }
            if wrapped.isPlainColumn && !isOwn || wrapped.isRawEnum(in: inner) || wrapped.isOneValue(in: inner) {
                columns.append(
                    SeenColumn(column: column + key, keyPath: path, access: access, isPrivate: isPrivate))
                continue
            }
            let isOptional = fieldType.wrappedInOptional != nil
            guard
                let deeper = all(
                    of: wrapped, keyPath: isOptional ? path + "?" : path, column: column + key + "_",
                    access: access, isPrivate: isPrivate, scopes: inner, depth: depth + 1)
            else { return nil }
            columns += deeper
        }
        return columns
    }
}

extension MemberBlockSyntax {
    fileprivate func structure(named name: String) -> StructDeclSyntax? {
        members.lazy.compactMap { $0.decl.as(StructDeclSyntax.self) }.first { $0.name.text == name }
    }

    func enumeration(named name: String) -> EnumDeclSyntax? {
        members.lazy.compactMap { $0.decl.as(EnumDeclSyntax.self) }.first { $0.name.text == name }
    }
}

extension StructDeclSyntax {
    /// The stored properties that Codable reads, with their types where they are said.
    fileprivate var fields: [(name: String, type: TypeSyntax?, modifiers: DeclModifierListSyntax)] {
        memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.filter(\.isInstanceStorage)
            .flatMap { variable in
                variable.storedBindings.compactMap { binding, type in
                    if variable.isLet, binding.initializer != nil { return nil }
                    let literal = binding.initializer?.value.literalType
                    let type = type ?? literal.map { TypeSyntax(IdentifierTypeSyntax(name: .identifier($0))) }
                    return binding.pattern.as(IdentifierPatternSyntax.self).map {
                        ($0.identifier.text, type, variable.modifiers)
                    }
                }
            }
    }

    /// The keys of the properties; empty where they are the names. Nil where only running it tells: the struct codes itself or has its keys
    /// elsewhere, or there are properties with wrappers or under conditions.
    fileprivate var codingKeys: [String: String]? {
        for member in memberBlock.members {
            if let initializer = member.decl.as(InitializerDeclSyntax.self),
                initializer.signature.parameterClause.parameters.first?.firstName.text == "from"
            {
                return nil
            }
            if member.decl.as(FunctionDeclSyntax.self)?.name.text == "encode" { return nil }
            if member.decl.as(TypeAliasDeclSyntax.self)?.name.text == "CodingKeys" { return nil }
            if member.decl.as(IfConfigDeclSyntax.self)?.holdsProperties == true { return nil }
            if let variable = member.decl.as(VariableDeclSyntax.self), variable.isInstanceStorage,
                !variable.storedBindings.isEmpty, !variable.attributes.isEmpty
            {
                return nil
            }
        }
        guard let keys = memberBlock.enumeration(named: "CodingKeys") else { return [:] }
        var names: [String: String] = [:]
        for element in keys.memberBlock.members.compactMap({ $0.decl.as(EnumCaseDeclSyntax.self) }).flatMap(\.elements)
        {
            let name = element.name.text.unquoted
            names[name] = element.rawValue?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue ?? name
        }
        return names
    }
}

extension TypeSyntax {
    func isRawEnum(in scopes: [MemberBlockSyntax]) -> Bool {
        guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return false }
        let found = scopes.lazy.compactMap { $0.enumeration(named: name) }.first
        let raw = found?.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription ?? ""
        return ["String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64"]
            .contains(raw)
    }

    /// Whether it is a struct that says of itself that it is kept in one column.
    fileprivate func isOneValue(in scopes: [MemberBlockSyntax]) -> Bool {
        guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return false }
        let found = scopes.lazy.compactMap { $0.structure(named: name) }.first
        let inherited = found?.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        return inherited.contains { ["OptionSet", "RawRepresentable", "ColumnValue", "SampleProviding"].contains($0) }
    }
}
