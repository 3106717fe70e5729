import Synchronization

/// Where a window is asked to go.
package enum WindowWish: Sendable {
    /// A page further, towards the end of the list or its start.
    case next, previous
    /// To the end of the list, or its start.
    case end, start
    /// To the row that is known by these values.
    case row([StoredValue])
    /// Nowhere: whoever asks waits until all commits so far have been taken in.
    case nowhere
}

/// Collects what a window is asked for until its reader does it.
package final class WindowWishes: Sendable {
    private let requests = Mutex<[WindowRequest]>([])

    package init() {}

    /// Asks for something.
    package func add(_ wish: WindowWish) -> WindowRequest {
        let request = WindowRequest(wish)
        requests.withLock { $0.append(request) }
        return request
    }

    /// What came of a wish; nil if there is nothing where it leads, or nothing could be read. It is not done any more then.
    package func take(_ request: WindowRequest) -> Result<Void, any Error>? {
        requests.withLock { $0.removeAll { $0 === request } }
        return request.result.withLock { $0 }
    }

    /// What is still to be done, in the order in which it was asked for. A read that fails leaves it to the next one.
    var waiting: [WindowRequest] { requests.withLock { $0 } }

    /// Says what came of wishes.
    ///
    /// - Parameters:
    ///   - asked: The wishes.
    ///   - results: What came of each of them; nil for one that leads nowhere.
    func finish(_ asked: [WindowRequest], _ results: [Result<Void, any Error>?]) {
        for (request, result) in zip(asked, results) { request.result.withLock { $0 = result } }
        requests.withLock { requests in
            requests.removeAll { request in asked.contains { $0 === request } }
        }
    }
}

/// A wish of somebody who waits for what comes of it.
package final class WindowRequest: Sendable {
    let wish: WindowWish
    /// What came of it; nil before it was done, and where it leads nowhere.
    fileprivate let result = Mutex<Result<Void, any Error>?>(nil)

    fileprivate init(_ wish: WindowWish) {
        self.wish = wish
    }
}
