/// First come, first served, however many wait.
struct Line<Element> {
    /// The first of them, the very first at the end, where it costs nothing to take it.
    private var ahead: [Element] = []
    private var behind: [Element] = []

    var isEmpty: Bool { ahead.isEmpty && behind.isEmpty }

    var first: Element? { ahead.last ?? behind.first }

    /// All of them, in order.
    var all: [Element] { ahead.reversed() + behind }

    mutating func append(_ element: Element) {
        behind.append(element)
    }

    mutating func removeFirst() {
        if ahead.isEmpty {
            ahead = behind.reversed()
            behind = []
        }
        ahead.removeLast()
    }
}
