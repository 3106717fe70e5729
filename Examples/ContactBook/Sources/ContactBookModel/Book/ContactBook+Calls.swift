public import StorageKit

/// A contact with what the call log says of it.
@StorageSelection
public struct LastCall: Equatable, Sendable {
    /// The contact.
    public let contact: Contact
    /// When the last call began; nil if there was none.
    public let date: Date?
    /// How many calls there were.
    public let calls: Int
    /// How many of them nobody answered.
    public let missed: Int
}

extension ContactBook {
    /// Writes a call into the log.
    ///
    /// - Parameters:
    ///   - call: The call, without an id.
    /// - Returns: The call with its id.
    /// - Throws: ``BookProblem/notFound(prefix:)`` if there is no such contact.
    @discardableResult
    public func log(_ call: PhoneCall) async throws -> PhoneCall {
        try await storage.transaction { tx in
            _ = try contact(id: call.contactId, in: tx)
            return try tx.insert(call)
        }
    }

    /// Those who were spoken with, the last first.
    ///
    /// - Parameter limit: How many at most.
    public func lastCalls(limit: Int) async throws -> [LastCall] {
        try await storage.query(Contact.self).where { $0.calls.exists() }
            .orderBy({ $0.calls.max(\.date) }, .descending).orderBy(\.id).limit(limit)
            .select {
                LastCall.columns(
                    contact: $0, date: $0.calls.max(\.date), calls: $0.calls.count(),
                    missed: $0.calls.count { $0.direction == .missed })
            }
            .fetch()
    }

    /// A contact with its groups and its last calls in it.
    ///
    /// - Parameters:
    ///   - id: The whole id.
    ///   - calls: How many calls at most.
    /// - Returns: The contact; nil if there is none.
    public func contactWithRelations(id: String, calls: Int = 3) async throws -> Contact? {
        try await storage.query(Contact.self).where { $0.id == id }
            .including(\.groups) { $0.orderBy(\.id) }
            .including(\.calls) { $0.orderBy(\.date, .descending).limit(calls) }
            .fetchOne()
    }
}
