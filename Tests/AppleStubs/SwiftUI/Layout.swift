// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct VStack<Content: View>: PrimitiveView {
    nonisolated public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {}
}

public struct HStack<Content: View>: PrimitiveView {
    nonisolated public init(
        alignment: VerticalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {}
}

@frozen public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

@frozen public struct VerticalAlignment: Equatable, Sendable {
    public static let center = VerticalAlignment()
}

@frozen public struct Alignment: Equatable, Sendable {
    public static let center = Alignment()
}

public struct Form<Content: View>: PrimitiveView {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View where Content: View {
    public var body: Never { fatalError() }
}

public struct List<SelectionValue: Hashable, Content: View>: PrimitiveView {}

extension List where SelectionValue == Never {
    nonisolated public init(@ViewBuilder content: () -> Content) {}

    nonisolated public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}

    nonisolated public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {}
}
