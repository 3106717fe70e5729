import StorageKit
import StorageTestSupport

/// Streams of a store, each value of which is that of a state that was committed, none earlier than the one before.
struct BankStreams {
    private var lists: [Stream] = []
    /// Of all programs so far: a stream may still be on the way to the last state when it gives a value that is equal to it.
    private var audits: [BankAudit] = []

    private struct Stream {
        let look: BankLook
        let probe: StreamProbe<String>
        var last: String?
        /// The state that the last value was found in.
        var place = 0
    }

    init(_ storage: Storage) {
        lists = [
            .init(
                look: .accounts,
                probe: .init(
                    storage.query(Bank.Account.self).orderBy(\.id).observe(bufferingPolicy: .unbounded).map { "\($0)" })
            ),
            .init(look: .drafts, probe: .init(storage.query(Bank.Draft.self).orderBy(\.id).observe().map { "\($0)" })),
            .init(
                look: .draft("x"),
                probe: .init(storage.observe(Bank.Draft.self, id: "x").map { $0?.description ?? "none" })),
        ]
    }

    /// Reads on until each stream has the value of the last state.
    ///
    /// - Returns: What is wrong, or nil.
    mutating func settle(_ audit: BankAudit) async throws -> String? {
        audits.append(audit)
        for index in lists.indices {
            if let problem = try await settle(&lists[index], audit) { return problem }
        }
        return nil
    }

    private func settle(_ stream: inout Stream, _ audit: BankAudit) async throws -> String? {
        let expected = audit.states.last?.look(stream.look)
        for value in stream.probe.takeAll() {
            if let problem = check(value, &stream) { return problem }
        }
        while stream.last != expected {
            guard let value = try? await stream.probe.next() else {
                return "the last value of \(stream.look) is \(stream.last ?? "none") and not \(expected ?? "none")"
            }
            if let problem = check(value, &stream) { return problem }
        }
        return nil
    }

    private func check(_ value: String, _ stream: inout Stream) -> String? {
        stream.last = value
        for audit in audits {
            let places = audit.base..<audit.base + audit.states.count
            for place in places where place >= stream.place && audit.isWhole(place) {
                guard audit.state(place)?.look(stream.look) == value else { continue }
                stream.place = place
                return nil
            }
        }
        return "\(stream.look) gave \(value), which is that of no state from \(stream.place) on"
    }
}
