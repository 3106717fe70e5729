/// A selected row that can be told from others, and found again in a later list.
package struct KnownRow<Row: Sendable>: Sendable {
    /// What no other row has: an id, or the keys of a group.
    package let identity: [StoredValue]
    /// All that was selected.
    package let values: [StoredValue]
    package let row: Row
}

extension RecordTable {
    /// What a plan selects of each row or group, and what that is known by.
    func knownRows<Row: Sendable>(_ plan: QueryPlan, _ selected: _Selected<Row>) throws -> TableRead<[KnownRow<Row>]> {
        guard !plan.isDistinct else {
            throw StorageError.invalidQuery("rows that count once have nothing that one is known by in a later list")
        }
        let identity = plan.identity
        let (first, count) = (Int32(selected.nodes.count), Int32(identity.count))
        return try values(plan.selectionSQL(alsoSelecting: identity)) { row in
            let value = try selected.read(&row)
            return KnownRow(
                identity: (first..<first + count).map { row.storedValue(at: $0) },
                values: (0..<first).map { row.storedValue(at: $0) }, row: value)
        }
    }
}

extension LiveTable {
    /// What a plan selects, each row with what it is known by.
    package func knownRows<Row: Sendable>(
        _ plan: QueryPlan, _ selected: _Selected<Row>
    ) -> LiveValue<[KnownRow<Row>]> {
        do {
            return value(try table.knownRows(plan, selected), reading: plan.otherTablesRead)
        } catch {
            return failing(error)
        }
    }
}
