#if canImport(SwiftUI)
public import SwiftUI

/// A value of the store in a SwiftUI view, which is drawn again when it changes.
///
/// ```swift
/// struct UserList: View {
///     @Live(LiveQuery(User.self, in: MyApp.storage, orderBy: "name")) private var users
///     var body: some View { List(users) { Text($0.name) } }
/// }
/// ```
///
/// A query that depends on what the view is given has an id, which says what that is: see ``init(id:_:)``.
@MainActor @propertyWrapper public struct Live<Value: Sendable>: DynamicProperty {
    /// SwiftUI makes the view's value often, and keeps the state of the first: so the query is made when it is first needed.
    @MainActor private final class Box {
        var id: AnyHashable?
        var query: LiveQuery<Value>?
    }

    @State private var box = Box()
    private let id: AnyHashable?
    private let makeQuery: @MainActor () -> LiveQuery<Value>

    /// Observes as long as the view is there.
    ///
    /// - Parameter query: The live query, made once for each view.
    public init(_ query: @escaping @MainActor @autoclosure () -> LiveQuery<Value>) {
        id = nil
        makeQuery = query
    }

    /// Observes as long as the view is there, and asks anew when the id is another than before: for a query that depends on what the
    /// view is given.
    ///
    /// ```swift
    /// struct RoomView: View {
    ///     @Live private var messages: [Message]
    ///
    ///     init(room: String, storage: Storage) {
    ///         _messages = Live(id: room, LiveQuery(storage.query(Message.self).where { $0.roomId == room }))
    ///     }
    ///
    ///     var body: some View { List(messages) { Text($0.text) } }
    /// }
    /// ```
    ///
    /// The value is that of a new live query then: empty, or nil, until it is read.
    ///
    /// - Parameters:
    ///   - id: What the query depends on.
    ///   - query: The live query, made once for each id that follows another.
    public init(id: some Hashable, _ query: @escaping @MainActor @autoclosure () -> LiveQuery<Value>) {
        self.id = AnyHashable(id)
        makeQuery = query
    }

    /// The value as it was read last.
    public var wrappedValue: Value { projectedValue.value }

    /// The live query itself, for its phase and `refresh()`.
    public var projectedValue: LiveQuery<Value> { box.query ?? begin() }

    /// SwiftUI calls this before each `body`, on the main thread. The id is looked at here and nowhere else: a task that a view
    /// began earlier has the value of then, and must not bring its query back.
    nonisolated public func update() {
        MainActor.assumeIsolated {
            if box.query == nil || box.id != id { begin() }
        }
    }

    @discardableResult
    private func begin() -> LiveQuery<Value> {
        let query = makeQuery()
        box.id = id
        box.query = query
        return query
    }
}
#endif
