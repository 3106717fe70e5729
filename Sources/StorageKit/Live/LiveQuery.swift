public import Observation
public import StorageRepo

/// A value of the store that keeps itself up to date, for a view or a view model to hold.
///
/// ```swift
/// @MainActor final class Inbox {
///     let unread: LiveQuery<[Message]>
///
///     init(storage: Storage) {
///         unread = LiveQuery(storage.query(Message.self).where { !$0.isRead }.orderBy("date", .descending))
///     }
/// }
/// ```
///
/// SwiftUI, and whoever else uses `Observation`, sees each change of ``value`` and ``phase``. The live query observes from
/// the moment it is made until it is released or stopped.
@MainActor @Observable public final class LiveQuery<Value: Sendable> {
    /// How far a live query has come.
    public enum Phase: Sendable {
        /// No value was read yet.
        case loading
        /// The value is that of the last commit.
        case ready
        /// The value could not be read; it is still the one before. The next change, or ``LiveQuery/refresh()``, tries again.
        case failed(any Error)
    }

    /// The value as it was read last; empty, or nil, while there is none.
    public private(set) var value: Value
    /// How far the query has come.
    public private(set) var phase = Phase.loading

    private let observation = LiveObservation()

    package init(_ source: LiveValue<Value>, initially value: Value) {
        self.value = value
        observation.begin(source) { [weak self] in self?.receive($0) }
    }

    private func receive(_ result: Result<Value, any Error>) {
        switch result {
        case .success(let value):
            self.value = value
            // Who tracks the phase alone is told when it becomes another, and not of each value. Nobody tracks this look at it, and in
            // a generic type each access that can be tracked makes a key path anew.
            if case .ready = _phase { break }
            phase = .ready
        case .failure(let error):
            phase = .failed(error)
        }
    }

    /// The error that the last attempt to read ended with, if it failed.
    public var error: (any Error)? {
        if case .failed(let error) = phase { error } else { nil }
    }

    /// Reads the value again, after an error say. It returns when the value is here, or the error; at once if the query was
    /// stopped.
    public func refresh() async { await observation.refresh() }

    /// Ends the observation. The last value stays.
    public func stop() { observation.stop() }
}

extension LiveQuery {
    /// The entities that a query asks for.
    ///
    /// - Parameter query: The query.
    public convenience init<E>(_ query: Query<E>) where Value == [E] {
        self.init(query.live, initially: [])
    }

    /// The rows of a selection, of joined tables, or of a query of selected rows.
    ///
    /// - Parameter query: The query.
    public convenience init<Rows: RowQuery>(_ query: Rows) where Value == [Rows.Row] {
        self.init(query._rows.live, initially: [])
    }

    /// The row that sums up a query, `LiveQuery(query.aggregate { $0.count() })`; nil until it is read.
    ///
    /// - Parameter row: The row.
    public convenience init<E, Row>(_ row: OneRow<E, Row>) where Value == Row? {
        self.init(row.selection.live.map { $0.first }, initially: nil)
    }

    /// All entities of a type, sorted.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - storage: The store.
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    public convenience init<E: RegisteredEntity>(
        _ type: E.Type, in storage: Storage, orderBy: String? = nil, ascending: Bool = true
    ) where Value == [E] {
        self.init(storage.repository(type).liveAll(orderBy: orderBy, ascending: ascending), initially: [])
    }

    /// The entity with an id; nil while there is none.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text.
    ///   - storage: The store.
    public convenience init<E: RegisteredEntity>(_ type: E.Type, id: String, in storage: Storage) where Value == E? {
        self.init(storage.repository(type).liveRow(text: id), initially: nil)
    }

    /// The entity with an id; nil while there is none.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id.
    ///   - storage: The store.
    @_disfavoredOverload
    public convenience init<E: RegisteredEntity>(_ type: E.Type, id: E.Id, in storage: Storage) where Value == E? {
        self.init(storage.repository(type).liveRow(id), initially: nil)
    }
}
