/// The rows of a live list, kept in the list's order, so that a few that changed can be put in their new places.
struct LiveRows<Entity: Sendable>: Sendable {
    struct Item: Sendable {
        let id: StoredValue
        let place: RowPlace
        let entity: Entity
    }

    enum Outcome: Equatable {
        case unchanged
        case changed
        /// The window has room for rows that are not known, or two rows have one id.
        case incomplete
    }

    /// The entities, in order.
    private(set) var entities: [Entity] = []
    private let order: RowOrder
    /// The ids and places of the entities, in the same order.
    private var slots: [Slot] = []
    private var places: [StoredValue: RowPlace] = [:]
    /// How many rows are kept; nil for all there are.
    private let window: Int?

    private struct Slot: Sendable {
        let id: StoredValue
        let place: RowPlace
    }

    /// The rows, in order.
    var items: [Item] {
        zip(slots, entities).map { Item(id: $0.id, place: $0.place, entity: $1) }
    }

    func contains(_ id: StoredValue) -> Bool { places[id] != nil }

    /// - Parameters:
    ///   - items: The rows, in order: as many as the window takes, if there are so many.
    ///   - order: Their order.
    ///   - window: How many rows to keep; nil for all.
    /// - Returns: Nil if the rows do not stand in that order, or two have one id.
    init?(_ items: [Item], order: RowOrder, window: Int?) {
        self.order = order
        self.window = window
        entities = items.map { $0.entity }
        slots = items.map { Slot(id: $0.id, place: $0.place) }
        places = Dictionary(items.map { ($0.id, $0.place) }, uniquingKeysWith: { first, _ in first })
        let isSorted = zip(slots, slots.dropFirst()).allSatisfy { order.isBefore($0.place, $1.place) }
        guard isSorted, places.count == items.count else { return nil }
    }

    /// Puts changed rows where they belong now.
    ///
    /// - Parameters:
    ///   - ids: The ids of all rows that may have changed.
    ///   - found: Those that the list asks for, as they are now.
    /// - Returns: Whether the list changed. If it became incomplete, it is of no use any more.
    mutating func apply(_ ids: Set<StoredValue>, found: [Item]) -> Outcome {
        guard found.count < 2 || Set(found.map { $0.id }).count == found.count else { return .incomplete }
        let isFull = window.map { slots.count >= $0 } ?? false
        let end = lastOfWindow
        if isFull, end == nil { return .unchanged }
        let removed = ids.compactMap { places.removeValue(forKey: $0) }.map { position(of: $0) }.sorted()
        let added = found.filter { item in end.map { !order.isBefore($0, item.place) } ?? true }
            .sorted { order.isBefore($0.place, $1.place) }
        guard !removed.isEmpty || !added.isEmpty else { return .unchanged }
        if removed.count + added.count <= LiveRows.fewChanges {
            change(without: removed, with: added)
        } else {
            rebuild(without: removed, with: added)
        }
        for item in added { places[item.id] = item.place }
        if let window {
            if isFull, slots.count < window { return .incomplete }
            truncate(to: window)
        }
        return .changed
    }

    /// Where a full window ends: of rows behind that it is only known that they stand there. Nil if the window has room.
    var lastOfWindow: RowPlace? {
        guard let window, slots.count >= window else { return nil }
        return slots.last?.place
    }

    private mutating func truncate(to window: Int) {
        guard slots.count > window else { return }
        for slot in slots[window...] { places[slot.id] = nil }
        slots.removeSubrange(window...)
        entities.removeSubrange(window...)
    }

    /// Where a row with that place stands, or would stand.
    private func position(of place: RowPlace) -> Int {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if order.isBefore(slots[middle].place, place) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Above so many changes, one pass over the list costs less than a shift for each of them.
    private static var fewChanges: Int { 8 }

    /// Changes rows where they stand. The places are held by nobody else, and of the entities only what observers hold is
    /// copied, once.
    private mutating func change(without removed: [Int], with added: [Item]) {
        if removed.count == 1, added.count == 1, keepsPlace(removed[0], added[0].place) {
            entities[removed[0]] = added[0].entity
            slots[removed[0]] = Slot(id: added[0].id, place: added[0].place)
            return
        }
        for position in removed.reversed() {
            entities.remove(at: position)
            slots.remove(at: position)
        }
        for item in added {
            let position = position(of: item.place)
            entities.insert(item.entity, at: position)
            slots.insert(Slot(id: item.id, place: item.place), at: position)
        }
    }

    /// Whether a row that stood at a position stands there with another place too.
    private func keepsPlace(_ position: Int, _ place: RowPlace) -> Bool {
        (position == 0 || order.isBefore(slots[position - 1].place, place))
            && (position == slots.count - 1 || order.isBefore(place, slots[position + 1].place))
    }

    /// Merges the rows that stay with those that come, in one pass.
    ///
    /// - Parameters:
    ///   - removed: The positions of rows to leave out.
    ///   - added: Rows to put in, in order.
    private mutating func rebuild(without removed: [Int], with added: [Item]) {
        var newEntities: [Entity] = []
        var newSlots: [Slot] = []
        newEntities.reserveCapacity(entities.count - removed.count + added.count)
        newSlots.reserveCapacity(entities.count - removed.count + added.count)
        func add(_ item: Item) {
            newEntities.append(item.entity)
            newSlots.append(Slot(id: item.id, place: item.place))
        }
        let removed = Set(removed)
        var added = added[...]
        for (position, slot) in slots.enumerated() where !removed.contains(position) {
            while let item = added.first, !order.isBefore(slot.place, item.place) {
                add(item)
                added = added.dropFirst()
            }
            newEntities.append(entities[position])
            newSlots.append(slot)
        }
        added.forEach(add)
        (entities, slots) = (newEntities, newSlots)
    }
}
