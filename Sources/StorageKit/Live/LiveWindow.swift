public import Observation
import StorageRepo

/// A part of a list of any length that keeps itself up to date: what a chat, a feed or a log has in sight.
///
/// ```swift
/// let window = LiveWindow(storage.query(Message.self).where { $0.roomId == room }.orderBy(\.sentAt, .descending), pageSize: 50)
/// window.items
/// await window.loadNext()
/// await window.jump(to: message.id)
/// ```
///
/// A window is one stretch of the list, without gaps and as it was after one commit. It begins with the first page. A side that has reached
/// the list's end is open: what comes there comes in. The list goes on at the other sides, where nothing comes in. Where there are more rows
/// than the pages that may be kept, those at the far side are given back, a page at a time; where there is less than one page, the window is
/// filled again. Loads run one after the other, in the order in which they were asked for.
///
/// Rows that change are put in their places; what happens beyond the window moves nothing. The window is read again after each commit that touches what it reads where relations are included, entities are joined or
/// rows count once, where the order is that of a search or of texts that are not compared byte by byte, and wherever a stream of the same
/// query would read all rows; and it is after a commit of another process. The article Windows says which orders are quick.
///
/// SwiftUI, and whoever else uses `Observation`, sees each change. The window observes from the moment it is made until it is released or
/// stopped.
@MainActor @Observable public final class LiveWindow<Item: Sendable> {
    /// How far a window has come.
    public typealias Phase = LiveQuery<[Item]>.Phase

    /// The rows in sight, in the query's order; none before they were read.
    public private(set) var items: [Item] = []
    /// Whether the list goes on before the first of them.
    public private(set) var hasMoreBefore = false
    /// Whether the list goes on behind the last of them.
    public private(set) var hasMoreAfter = false
    /// How far the window has come, or the error that it could not be read with.
    public private(set) var phase = Phase.loading

    private let observation = LiveObservation()
    private let wishes: WindowWishes
    /// What the rows are known by, for an id in text form; nil for a text that is no id.
    let storedId: (_ text: String) -> StoredValue?

    init(
        _ wishes: WindowWishes, _ source: LiveValue<WindowContent<Item>>,
        storedId: @escaping (_ text: String) -> StoredValue?
    ) {
        self.wishes = wishes
        self.storedId = storedId
        observation.begin(source) { [weak self] in self?.receive($0) }
    }

    private func receive(_ result: Result<WindowContent<Item>, any Error>) {
        switch result {
        case .success(let content):
            items = content.items
            // Who tracks one of these alone is told when it becomes another, and not of each change. Nobody tracks this look at them,
            // and in a generic type each access that can be tracked makes a key path anew.
            if _hasMoreBefore != content.hasMoreBefore { hasMoreBefore = content.hasMoreBefore }
            if _hasMoreAfter != content.hasMoreAfter { hasMoreAfter = content.hasMoreAfter }
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

    /// Loads the next page, and returns when it is here. Nothing happens if the list does not go on.
    public func loadNext() async { await go(.next) }

    /// Loads the page before, and returns when it is here. Nothing happens if the list does not go on there.
    public func loadPrevious() async { await go(.previous) }

    /// Shows the first page.
    public func jumpToStart() async { await go(.start) }

    /// Shows the last page.
    public func jumpToEnd() async { await go(.end) }

    /// Reads the window again, after an error say, and returns when that is done.
    public func refresh() async { await observation.refresh() }

    /// Ends the observation. The last rows stay.
    public func stop() { observation.stop() }

    /// Returns when all commits so far have been taken in, for tests.
    package func settle() async { await go(.nowhere) }

    /// - Returns: Whether the wish could be done.
    @discardableResult
    func go(_ wish: WindowWish) async -> Bool {
        guard observation.isRunning else { return false }
        let request = wishes.add(wish)
        await observation.ask()
        switch wishes.take(request) {
        case .success: return true
        case .failure(let error):
            phase = .failed(error)
            return false
        case nil: return false
        }
    }
}
