/// A selected row that can be told from others, and found again in a later list.
package struct KnownRow<Row: Sendable>: Sendable {
    /// What no other row has: an id, or the keys of a group.
    package let identity: [StoredValue]
    /// All that was selected.
    package let values: [StoredValue]
    package let row: Row
}

extension LiveTable {
    /// What a plan selects, each row with what it is known by.
    package func knownRows<Row: Sendable>(
        _ plan: QueryPlan, _ selected: _Selected<Row>
    ) -> LiveValue<[KnownRow<Row>]> {
        guard !plan.isDistinct else {
            return failing(
                StorageError.invalidQuery("rows that count once have nothing that one is known by in a later list"))
        }
        let (first, count) = (Int32(selected.nodes.count), Int32(plan.identity.count))
        let read = { @Sendable (row: inout RowReader) throws -> KnownRow<Row> in
            let value = try selected.read(&row)
            return KnownRow(
                identity: (first..<first + count).map { row.storedValue(at: $0) },
                values: (0..<first).map { row.storedValue(at: $0) }, row: value)
        }
        var plan = plan
        plan.selection = selected.nodes + plan.identity
        return selection(plan, { [plan] in table.values(try plan.selectionSQL(), reading: read) }, read)
    }
}
