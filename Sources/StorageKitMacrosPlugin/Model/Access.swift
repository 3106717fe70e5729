import SwiftSyntax

extension StructDeclSyntax {
    /// Where the struct is available, as what is generated at file scope has to say: by its own attributes, and those of the types around.
    func availabilityLines(inside around: [any DeclGroupSyntax]) -> String {
        ([self] + around).flatMap(\.attributes).filter { $0.as(AttributeSyntax.self)?.name == "available" }
            .map { $0.trimmedDescription + "\n" }.joined()
    }
}

/// Who may see a declaration.
enum Access: Comparable {
    // From the one that is seen least.
    /// Also `private`: at file scope it means the same.
    case filePrivate, `internal`, package, `public`

    init(of modifiers: DeclModifierListSyntax) {
        self = Access(saidBy: modifiers) ?? .internal
    }

    /// How far a struct can be seen through the types around it, innermost first.
    /// Inside a private type everything is private, and what is generated at file scope has to say so.
    ///
    /// The type that an extension extends is taken to be no obstacle, since it cannot be seen.
    init(of structure: StructDeclSyntax, inside around: [any DeclGroupSyntax]) {
        self = .public
        // Each type with the modifiers of what it stands in: those of an extension are its members' own.
        for (type, outer) in zip([structure] + around, around.map { $0 } + [nil])
        where !type.is(ExtensionDeclSyntax.self) {
            let lent = outer?.as(ExtensionDeclSyntax.self).flatMap { Access(saidBy: $0.modifiers) }
            // What is internal in a private extension is private enough.
            self = min(self, Access(saidBy: type.modifiers) ?? max(lent ?? .internal, .internal))
        }
    }

    /// What the modifiers say, if they say anything. `private(set)` says nothing about reading.
    private init?(saidBy modifiers: DeclModifierListSyntax) {
        for modifier in modifiers where modifier.detail == nil {
            guard case .keyword(let keyword) = modifier.name.tokenKind, let access = Access(saidBy: keyword) else {
                continue
            }
            self = access
            return
        }
        return nil
    }

    private init?(saidBy keyword: Keyword) {
        switch keyword {
        case .public, .open: self = .public
        case .package: self = .package
        case .private, .fileprivate: self = .filePrivate
        case .internal: self = .internal
        default: return nil
        }
    }

    /// The modifier in the source.
    var keyword: Keyword {
        switch self {
        case .filePrivate: .fileprivate
        case .internal: .internal
        case .package: .package
        case .public: .public
        }
    }

    /// What a declaration beside the entity begins with: an extension around both lends its own modifier, and
    /// saying that again is a warning.
    func prefix(inside around: (any DeclGroupSyntax)?) -> String {
        guard let lent = around?.as(ExtensionDeclSyntax.self).flatMap({ Access(saidBy: $0.modifiers) }) else {
            return prefix
        }
        if lent == self { return "" }
        return self == .internal && lent > .internal ? "internal " : prefix
    }

    /// What generated members begin with.
    var prefix: String { self == .internal ? "" : "\(keyword) " }
}
