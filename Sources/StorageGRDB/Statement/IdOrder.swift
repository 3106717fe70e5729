import GRDB
import GRDBSQLite

// A text key stands in an index of its own, beside the rows. To read a table in the order of its ids, SQLite walks that
// index and looks each row up, or sorts whole rows; either costs more than to read the rows as they lie and to sort here
// by the first bytes of the ids.

extension QueryPlan {
    /// The order of the ids, if the plan asks for nothing but all rows in that order, and the ids are texts.
    func idOrder<R: StorageKitEntityRecord>(_ table: RecordTable<R>) -> SortOrder? {
        guard R.E.Id.self == String.self, order.count == 1, let term = order.first, limit == nil, offset == nil,
            term.column == table.idColumn, term.nulls == nil
        else { return nil }
        return term.order
    }

    /// The same rows in any order.
    func unordered() -> QueryPlan {
        var plan = unranked()
        plan.order = []
        return plan
    }
}

extension Database {
    /// Runs a SELECT of all columns of the table, and sorts by the ids.
    func entities<R: StorageKitEntityRecord>(
        _ query: LoweredQuery, of table: RecordTable<R>, sortedById order: SortOrder
    ) throws -> [R.E] {
        let place = Int32(table.columns.firstIndex { $0.name == table.idColumn } ?? 0)
        var entities: [R.E] = []
        var keys: [IdKey] = []
        try forEachRow(query, coders: table.coders) { row in
            keys.append(IdKey(row.textPrefix(at: place), place: entities.count))
            entities.append(try EntityCodec.decode(R.self, &row))
        }
        keys.sort()
        keys.sortAlikes { entities[$0].id as? String ?? "" }
        if order == .descending { keys.reverse() }
        entities.permute(keys.map(\.place))
        return entities
    }
}

/// The first sixteen bytes of an id, and where its row was read.
private struct IdKey: Comparable {
    let high: UInt64
    let low: UInt64
    let place: Int

    init(_ prefix: (high: UInt64, low: UInt64), place: Int) {
        (high, low) = prefix
        self.place = place
    }

    func isAlike(_ other: IdKey) -> Bool { high == other.high && low == other.low }

    static func < (left: IdKey, right: IdKey) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension [IdKey] {
    /// Sorts those that begin alike by their whole ids.
    fileprivate mutating func sortAlikes(_ id: (Int) -> String) {
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, self[end].isAlike(self[start]) { end += 1 }
            if end - start > 1 {
                let sorted = self[start..<end].map { (id: StoredValue.text(id($0.place)), key: $0) }
                    .sorted { $0.id.isBytesBefore($1.id) }
                replaceSubrange(start..<end, with: sorted.map(\.key))
            }
            start = end
        }
    }
}

extension Array {
    /// Puts the elements into the order of those places, moving each once: a copy, which `swapAt` makes in generic code,
    /// would retain and release all that it holds.
    fileprivate mutating func permute(_ places: [Int]) {
        var sources = places
        withUnsafeMutableBufferPointer { elements in
            guard let base = elements.baseAddress else { return }
            let displaced = UnsafeMutablePointer<Element>.allocate(capacity: 1)
            defer { displaced.deallocate() }
            for start in sources.indices where sources[start] != start {
                displaced.moveInitialize(from: base + start, count: 1)
                var place = start
                while sources[place] != start {
                    let source = sources[place]
                    (base + place).moveInitialize(from: base + source, count: 1)
                    sources[place] = place
                    place = source
                }
                (base + place).moveInitialize(from: displaced, count: 1)
                sources[place] = place
            }
        }
    }
}
