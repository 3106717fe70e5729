import Synchronization

/// The least that a program can do: a dictionary behind a lock. Over capacity, the oldest value goes.
final class LockedDictionary: Sendable {
    private struct State {
        var users: [String: User] = [:]
        var keys: [String] = []
        var oldest = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    func user(_ key: String) -> User? {
        state.withLock { $0.users[key] }
    }

    func set(_ user: User, _ key: String) {
        state.withLock { state in
            guard state.users.updateValue(user, forKey: key) == nil else { return }
            if state.keys.count < capacity {
                state.keys.append(key)
            } else {
                state.users[state.keys[state.oldest]] = nil
                state.keys[state.oldest] = key
                state.oldest = (state.oldest + 1) % capacity
            }
        }
    }
}
