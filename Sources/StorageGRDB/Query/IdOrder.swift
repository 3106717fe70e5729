import GRDB

// A text key stands in an index of its own, beside the rows. To read a table in the order of its ids, SQLite walks that
// index and looks each row up, or sorts whole rows; either costs more than to copy the rows as they lie and to sort the
// copies here by the first bytes of the ids. Entities are only then made, so that those which follow each other lie near each
// other in memory: who goes through them, and whoever releases them, waits for less.

extension QueryPlan {
    /// The order of the ids, if the plan asks for nothing but all rows in that order, and the ids are texts.
    func idOrder<R: StorageKitEntityRecord>(_ table: RecordTable<R>) -> SortOrder? {
        guard R.E.Id.self == String.self, order.count == 1, let term = order.first, limit == nil, offset == nil,
            ownColumn(term.expression) == table.idColumn, term.nulls == nil
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
        var rows = CopiedRows(columns: table.columns.count)
        var keys: [IdKey] = []
        try forEachRow(query, coders: table.coders) { row in
            if let cells = row.statementCells { keys.append(IdKey(rows.append(cells), place)) }
        }
        keys.sort()
        keys.sortAlikes(place)
        guard !keys.isEmpty else { return [] }
        // The last first, as the reader takes them.
        if order == .ascending { keys.reverse() }
        var entities: [R.E] = []
        entities.reserveCapacity(keys.count)
        var row = RowReader(reversed: keys.map(\.row), names: table.sql.columnNames, coders: table.coders)
        try withExtendedLifetime(rows) { try EntityCodec.decodeAll(R.self, &row, into: &entities) }
        return entities
    }
}

/// A row by the first sixteen bytes of its id, as numbers that compare as the bytes do; zeroes past its end.
private struct IdKey: Comparable {
    let high: UInt64
    let low: UInt64
    let row: CopiedCells

    init(_ row: CopiedCells, _ place: Int32) {
        self.row = row
        var words: (UInt64, UInt64) = (0, 0)
        let cell = row.cell(at: place)
        if cell.storageClass == .text {
            let text = UnsafeRawBufferPointer(cell.text)
            withUnsafeMutableBytes(of: &words) {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: text.prefix(16)))
            }
        }
        (high, low) = (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
    }

    static func == (left: IdKey, right: IdKey) -> Bool { left.high == right.high && left.low == right.low }

    static func < (left: IdKey, right: IdKey) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension [IdKey] {
    /// Sorts those that begin alike by their whole ids.
    fileprivate mutating func sortAlikes(_ place: Int32) {
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, self[end] == self[start] { end += 1 }
            if end - start > 1 {
                let sorted = self[start..<end].map { (id: $0.row.storedValue(at: place), key: $0) }
                    .sorted { $0.id.isBytesBefore($1.id) }
                replaceSubrange(start..<end, with: sorted.map(\.key))
            }
            start = end
        }
    }
}
