import Dispatch
import Synchronization

/// A connection that many tasks save with, none of which blocks its thread: who finds it free saves at once, all others wait, and what came
/// meanwhile is saved in one transaction. It is the least that writes can do which commit in groups: no savepoints, caches or observers.
final class RawQueue: Sendable {
    private struct State {
        var isBusy = false
        var waiting: [(user: User, caller: UnsafeContinuation<Void, any Error>)] = []
    }

    private let store: RawStore
    private let (begin, save, commit): (RawStatement, RawStatement, RawStatement)
    private let state = Mutex(State())
    private let thread = DispatchQueue(label: "RawQueue")

    init(_ store: RawStore) throws {
        self.store = store
        begin = try store.prepare("BEGIN IMMEDIATE")
        save = try store.prepare(RawUsers.upsertSQL)
        commit = try store.prepare("COMMIT")
    }

    func saveEach(_ users: [User]) async throws {
        for user in users {
            let isFree = state.withLock { state in
                if state.isBusy { return false }
                state.isBusy = true
                return true
            }
            guard isFree else {
                try await withUnsafeThrowingContinuation { caller in wait(user, caller) }
                continue
            }
            try RawUsers.save(user, save)
            passOn()
        }
    }

    private func wait(_ user: User, _ caller: UnsafeContinuation<Void, any Error>) {
        let isFree = state.withLock { state in
            state.waiting.append((user, caller))
            if state.isBusy { return false }
            state.isBusy = true
            return true
        }
        if isFree { passOn() }
    }

    /// Gives the connection to those who wait, if there are any.
    private func passOn() {
        let isWanted = state.withLock { state in
            state.isBusy = !state.waiting.isEmpty
            return state.isBusy
        }
        if isWanted { thread.async { self.saveGroup() } }
    }

    private func saveGroup() {
        let group = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let result = Result {
            _ = try begin.number()
            for (user, _) in group { try RawUsers.save(user, save) }
            _ = try commit.number()
        }
        passOn()
        for (_, caller) in group { caller.resume(with: result) }
    }
}
