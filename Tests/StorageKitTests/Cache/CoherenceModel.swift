import StorageKit
import Synchronization

/// What the table should hold, at which moments. Writes come one at a time, reads at any time.
///
/// A write may become visible at any moment between its begin and its end. So a read between its own begin and end may
/// return any state that was possibly current in that time, and no other.
final class CoherenceModel: Sendable {
    typealias Rows = [String: CoherentItem]

    private struct Version: Sendable {
        let rows: Rows
        /// The earliest moment at which it may have been current.
        let begin: Int
        /// The moment from which nothing older can be.
        var end = Int.max
    }

    private let clock = Atomic<Int>(0)
    private let versions: Mutex<[Version]>

    init() {
        versions = Mutex([Version(rows: [:], begin: 0, end: 0)])
    }

    private func tick() -> Int {
        clock.add(1, ordering: .sequentiallyConsistent).newValue
    }

    /// What the table holds while nobody writes.
    var rows: Rows { versions.withLock { $0[$0.count - 1].rows } }

    /// A write that changes the rows so.
    func write(_ rows: Rows, _ body: () async throws -> Void) async throws {
        let begin = tick()
        versions.withLock { $0.append(Version(rows: rows, begin: begin)) }
        try await body()
        let end = tick()
        versions.withLock { $0[$0.count - 1].end = end }
    }

    /// Reads, and checks that what was read was current at some moment of the read.
    ///
    /// - Parameter mayMiss: Whether nil may also mean that a cache does not know.
    /// - Returns: What is wrong, or nil.
    func read(_ id: String, mayMiss: Bool = false, _ body: () async throws -> CoherentItem?) async rethrows -> String? {
        let begin = tick()
        let found = try await body()
        let end = tick()
        if found == nil, mayMiss { return nil }
        let possible = versions.withLock { versions in
            versions.indices.filter { index in
                let isReplaced = index + 1 < versions.count && versions[index + 1].end < begin
                return versions[index].begin < end && !isReplaced
            }.map { versions[$0].rows[id] }
        }
        if possible.contains(found) { return nil }
        return "get(\(id)) returned \(describe(found)), but could only be \(possible.map(describe))"
    }

    private func describe(_ item: CoherentItem?) -> String {
        item.map { "\($0.value)" } ?? "nil"
    }
}

/// Lets one task at a time through, in the order in which they came.
actor Turnstile {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated func pass<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
        await enter()
        do {
            let result = try await body()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}

@StorageEntity(table: "owners")
struct CoherentOwner {
    var id: String
}

@StorageEntity(table: "items")
struct CoherentItem: Equatable {
    var id: String
    var value: Int
    /// Unique: saving one with REPLACE takes another row away without a word.
    var slug: String?
    /// Its deletion takes the item along.
    var owner: String?
}
