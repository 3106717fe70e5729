/// A window as the documentation has it, of a list that is all in memory.
struct ModelWindow {
    private let orders: [Volume.Order]
    private let page: Int
    private let maximum: Int
    /// Where the window begins and ends; nil where the list does too.
    private var start: Volume?
    private var end: Volume?
    private(set) var rows: [Volume] = []
    private(set) var hasMoreBefore = false
    private(set) var hasMoreAfter = false

    init(_ orders: [Volume.Order], pageSize: Int, maximumPages: Int) {
        self.orders = orders
        page = pageSize
        maximum = pageSize * maximumPages
    }

    // MARK: - Going

    mutating func jumpToStart(_ list: [Volume]) { show(0..<min(page, list.count), list) }

    mutating func jumpToEnd(_ list: [Volume]) { show(max(0, list.count - page)..<list.count, list) }

    mutating func jump(to id: Int, _ list: [Volume]) -> Bool {
        guard let place = list.firstIndex(where: { $0.id == id }) else { return false }
        let first = max(0, place - page / 2)
        let last = min(list.count, first + page)
        show(max(0, last - page)..<last, list)
        return true
    }

    mutating func loadNext(_ list: [Volume]) {
        guard end != nil else { return }
        let range = range(in: list)
        let last = min(list.count, range.upperBound + page)
        show(range.lowerBound..<last, list, keepingStart: true)
        dropAtStart(list)
        refill(list)
    }

    mutating func loadPrevious(_ list: [Volume]) {
        guard start != nil else { return }
        let range = range(in: list)
        show(max(0, range.lowerBound - page)..<range.upperBound, list, keepingEnd: true)
        dropAtEnd(list)
        refill(list)
    }

    // MARK: - Changes

    mutating func update(_ list: [Volume]) {
        let known = Set(rows.map(\.id))
        let isLastKnown = list.last.map { known.contains($0.id) } ?? true
        let (wasAtStart, wasAtEnd) = (start == nil, end == nil)
        show(range(in: list), list, keepingStart: true, keepingEnd: true)
        // A window that had come to one end of the list stays there.
        let isAtEnd = wasAtStart != wasAtEnd ? wasAtEnd : end == nil && (start != nil || !isLastKnown)
        if isAtEnd {
            dropAtStart(list)
        } else {
            dropAtEnd(list)
        }
        refill(list)
    }

    private mutating func refill(_ list: [Volume]) {
        var range = range(in: list)
        if rows.count < page, end != nil {
            show(range.lowerBound..<min(list.count, range.lowerBound + page), list, keepingStart: true)
        }
        range = self.range(in: list)
        if rows.count < page, start != nil {
            show(max(0, range.upperBound - page)..<range.upperBound, list, keepingEnd: true)
        }
    }

    private mutating func dropAtStart(_ list: [Volume]) {
        let excess = rows.count - maximum
        guard excess > 0 else { return }
        let range = range(in: list)
        show(range.lowerBound + (excess + page - 1) / page * page..<range.upperBound, list, keepingEnd: true)
    }

    private mutating func dropAtEnd(_ list: [Volume]) {
        let excess = rows.count - maximum
        guard excess > 0 else { return }
        let range = range(in: list)
        show(range.lowerBound..<range.upperBound - (excess + page - 1) / page * page, list, keepingStart: true)
    }

    /// The places of the list that the window holds.
    private func range(in list: [Volume]) -> Range<Int> {
        let first = start.map { start in list.firstIndex { !orders.isBefore($0, start) } ?? list.count } ?? 0
        let last = end.map { end in list.firstIndex { orders.isBefore(end, $0) } ?? list.count } ?? list.count
        return first..<max(first, last)
    }

    /// - Parameters:
    ///   - keepingStart: Whether the window begins where it did, be there still a row or none.
    ///   - keepingEnd: The same of its end.
    private mutating func show(
        _ range: Range<Int>, _ list: [Volume], keepingStart: Bool = false, keepingEnd: Bool = false
    ) {
        rows = Array(list[range])
        hasMoreBefore = range.lowerBound > 0
        hasMoreAfter = range.upperBound < list.count
        start = hasMoreBefore ? keepingStart ? start ?? rows.first : rows.first : nil
        end = hasMoreAfter ? keepingEnd ? end ?? rows.last : rows.last : nil
    }
}
