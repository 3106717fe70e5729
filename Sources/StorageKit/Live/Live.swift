#if canImport(SwiftUI)
public import SwiftUI

/// A value of the store in a SwiftUI view, which is drawn again when it changes.
///
/// ```swift
/// struct UserList: View {
///     @Live(LiveQuery(User.self, in: AppStorage.storage, orderBy: "name")) private var users
///     var body: some View { List(users) { Text($0.name) } }
/// }
/// ```
@MainActor @propertyWrapper public struct Live<Value: Sendable>: DynamicProperty {
    /// SwiftUI makes the view's value often, and keeps the state of the first: so the query is made when it is first used.
    @MainActor private final class Box {
        var query: LiveQuery<Value>?
    }

    @State private var box = Box()
    private let makeQuery: @MainActor () -> LiveQuery<Value>

    /// Observes as long as the view is there.
    ///
    /// - Parameter query: The live query, made once for each view.
    public init(_ query: @escaping @MainActor @autoclosure () -> LiveQuery<Value>) {
        makeQuery = query
    }

    /// The value as it was read last.
    public var wrappedValue: Value { projectedValue.value }

    /// The live query itself, for its phase and `refresh()`.
    public var projectedValue: LiveQuery<Value> {
        if let query = box.query { return query }
        let query = makeQuery()
        box.query = query
        return query
    }
}
#endif
