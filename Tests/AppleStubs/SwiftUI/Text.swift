// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@frozen public struct Text: PrimitiveView, Equatable, Sendable {
    nonisolated public init(verbatim content: String) {}
    nonisolated public init(_ key: LocalizedStringKey) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) {}

    nonisolated public func font(_ font: Font?) -> Text { self }
    nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { self }
}

@frozen public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation, Sendable {
    public init(_ value: String) {}
    public init(stringLiteral value: String) {}
}

@frozen public struct Image: PrimitiveView, Equatable, Sendable {
    nonisolated public init(systemName: String) {}
}

@frozen public struct Font: Hashable, Sendable {
    public static let subheadline = Font()
}

public protocol ShapeStyle: Sendable {}

@frozen public struct Color: Hashable, Sendable, ShapeStyle {
    public static let red = Color()
    public static let yellow = Color()
}

public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == Color {
    public static var red: Color { .red }
    public static var yellow: Color { .yellow }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}
