import StorageCore
import Synchronization

/// Something that the page is told as it happens.
enum StudioEvent: Sendable {
    case commit(Commit)
    /// A statement of the app that took long.
    case slow(SlowStatement)
    /// What streams of the app have read.
    case streams([StreamFigures.Figure])
    /// How far a sort is.
    case sorting(SortProgress)
    /// A line of the app's store: a failure, or the figures of its caches.
    case note(String, isProblem: Bool)
    /// The file could not be read.
    case trouble(String)
    /// From now on commits are told.
    case ready
    /// Nothing; shows that the connection is alive.
    case quiet
}

extension StudioEvent: Encodable {
    private enum Key: String, CodingKey {
        case type, commit, sql, milliseconds, plan, text, isProblem, streams, sorting
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .commit(let commit):
            try container.encode("commit", forKey: .type)
            try container.encode(commit, forKey: .commit)
        case .slow(let statement):
            try container.encode("slow", forKey: .type)
            try container.encode(statement.sql, forKey: .sql)
            try container.encode(statement.duration / .milliseconds(1), forKey: .milliseconds)
            try container.encode(statement.plan, forKey: .plan)
        case .streams(let streams):
            try container.encode("streams", forKey: .type)
            try container.encode(streams, forKey: .streams)
        case .sorting(let progress):
            try container.encode("sorting", forKey: .type)
            try container.encode(progress, forKey: .sorting)
        case .note(let text, let isProblem):
            try container.encode("note", forKey: .type)
            try container.encode(text, forKey: .text)
            try container.encode(isProblem, forKey: .isProblem)
        case .trouble(let text):
            try container.encode("trouble", forKey: .type)
            try container.encode(text, forKey: .text)
        case .ready: try container.encode("ready", forKey: .type)
        case .quiet: try container.encode("quiet", forKey: .type)
        }
    }
}

/// Hands what happens to all pages that listen. A page that is slow misses what is old.
final class StudioEvents: Sendable {
    private struct State {
        var number = 0
        var listeners: [Int: AsyncStream<StudioEvent>.Continuation] = [:]
    }

    static let mostListeners = 20
    private let state = Mutex(State())

    /// What happens from now on; nil if too many listen already.
    ///
    /// - Parameter first: What is told at once.
    func listen(first: StudioEvent) -> AsyncStream<StudioEvent>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StudioEvent.self, bufferingPolicy: .bufferingNewest(100))
        let number: Int? = state.withLock { state in
            guard state.listeners.count < StudioEvents.mostListeners else { return nil }
            state.number += 1
            state.listeners[state.number] = continuation
            return state.number
        }
        guard let number else { return nil }
        continuation.yield(first)
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Whether anybody listens.
    var isHeard: Bool { state.withLock { !$0.listeners.isEmpty } }

    func tell(_ event: StudioEvent) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }
}
