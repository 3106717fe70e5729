import Foundation
import Synchronization

/// Who may come in: a code of one use is traded for a token, which every request then has.
final class Door: Sendable {
    private struct State {
        var codes: [String: ContinuousClock.Instant] = [:]
        var tokens: [String] = []
    }

    /// How long a code can be traded.
    static let codeLifetime = Duration.seconds(10)
    /// So many codes wait at the most; the next one drops them.
    static let mostCodes = 16
    /// So many tokens are good; the next one drops the oldest.
    static let mostTokens = 32

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())
    /// The address that the studio listens on, as `Host` and `Origin` have to name it; nil until it does.
    private let listening = Mutex<String?>(nil)

    /// - Parameter now: What time it is.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// The host and port.
    var authority: String? {
        get { listening.withLock { $0 } }
        set { listening.withLock { $0 = newValue } }
    }

    /// The address to open, with a new code behind the `#`, which browsers send to nobody.
    func address() -> String? {
        authority.map { "http://\($0)/#code=\(newCode())" }
    }

    /// A code that can be traded once, and soon.
    func newCode() -> String {
        let code = Door.secret()
        state.withLock { state in
            state.codes = state.codes.filter { $0.value > now() }
            if state.codes.count >= Door.mostCodes { state.codes.removeAll() }
            state.codes[code] = now() + Door.codeLifetime
        }
        return code
    }

    /// A token for a code; nil if the code is wrong, old or used.
    func trade(_ code: String) -> String? {
        state.withLock { state in
            guard let known = state.codes.keys.first(where: { Door.isSame($0, code) }),
                let end = state.codes.removeValue(forKey: known), end > now()
            else { return nil }
            let token = Door.secret()
            state.tokens = state.tokens.suffix(Door.mostTokens - 1) + [token]
            return token
        }
    }

    /// Whether somebody may come in.
    ///
    /// - Parameter authorization: The header `Authorization`.
    func isOpen(to authorization: String?) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
        let token = String(authorization.dropFirst("Bearer ".count))
        return state.withLock { $0.tokens.contains { Door.isSame($0, token) } }
    }

    /// 256 random bits.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let text = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
    }

    /// Takes as long for texts that differ early as for those that differ late.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
