// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Button<Label: View>: PrimitiveView {}

extension Button where Label == Text {
    @preconcurrency nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
    @_disfavoredOverload @preconcurrency nonisolated public init<S: StringProtocol>(
        _ title: S, action: @escaping @MainActor () -> Void
    ) {}
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    @preconcurrency nonisolated public init(
        _ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void
    ) {}
    @_disfavoredOverload @preconcurrency nonisolated public init<S: StringProtocol>(
        _ title: S, systemImage: String, action: @escaping @MainActor () -> Void
    ) {}
}

public struct Label<Title: View, Icon: View>: PrimitiveView {}

public struct LabeledContent<Label, Content> {}

extension LabeledContent: View where Label: View, Content: View {
    public var body: Never { fatalError() }
}

extension LabeledContent where Label == Text, Content == Text {
    nonisolated public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) {}
    @_disfavoredOverload nonisolated public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) {}
}

public struct TextField<Label: View>: PrimitiveView {}

extension TextField where Label == Text {
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {}
}

@frozen public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal
    case vertical
}

public struct NavigationStack<Data, Root: View>: PrimitiveView {
    nonisolated public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {}
}

public struct NavigationPath {}

public struct NavigationLink<Label: View, Destination: View>: PrimitiveView {}

extension NavigationLink where Destination == Never {
    nonisolated public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {}
    nonisolated public init<P: Hashable & Decodable & Encodable>(value: P?, @ViewBuilder label: () -> Label) {}
}

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: PrimitiveView {}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    nonisolated public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(
        _ title: S, systemImage name: String, description: Text? = nil
    ) {}
}
