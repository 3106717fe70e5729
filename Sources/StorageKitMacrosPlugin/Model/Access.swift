import SwiftSyntax

/// Who may see a declaration.
enum Access: Int, Comparable {
    /// Also `private`: at file scope it means the same.
    case filePrivate, `internal`, package, `public`

    init(of modifiers: DeclModifierListSyntax) {
        // `private(set)` says nothing about reading.
        let keywords = modifiers.filter { $0.detail == nil }.map(\.name.tokenKind)
        self =
            if keywords.contains(.keyword(.public)) || keywords.contains(.keyword(.open)) {
                .public
            } else if keywords.contains(.keyword(.package)) {
                .package
            } else if keywords.contains(.keyword(.private)) || keywords.contains(.keyword(.fileprivate)) {
                .filePrivate
            } else {
                .internal
            }
    }

    /// What generated members begin with.
    var prefix: String {
        switch self {
        case .filePrivate: "fileprivate "
        case .internal: ""
        case .package: "package "
        case .public: "public "
        }
    }

    static func < (lhs: Access, rhs: Access) -> Bool { lhs.rawValue < rhs.rawValue }
}
