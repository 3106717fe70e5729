/// A selected row that can be told from others, and found again in a later list.
package struct KnownRow<Row: Sendable>: Sendable {
    /// What no other row has: an id, or the keys of a group.
    package let identity: [StoredValue]
    package let row: Row
    /// All that was selected.
    fileprivate let values: [StoredValue]
    /// What was read beside it.
    fileprivate let relations: [SelectedRelation]
    fileprivate let related: RelatedLists?

    /// Whether nothing that was selected is another. An entity may have a later time of its last save, and a date or decimal another
    /// spelling, and be equal.
    package func isSame(as other: KnownRow) -> Bool {
        (values == other.values || (row as? any Equatable)?.equals(other.row) == true)
            && relations.allSatisfy { $0.rows.areSame(of: values[$0.place], related, other.related) }
    }
}

extension LiveTable {
    /// What a plan selects, each row with what it is known by.
    package func knownRows<Row: Sendable>(
        _ plan: QueryPlan, _ selected: _Selected<Row>
    ) -> LiveValue<[KnownRow<Row>]> {
        let (first, count) = (Int32(selected.nodes.count), Int32(plan.identity.count))
        let relations = selected.all.related
        return unlessItFails {
            guard !plan.isDistinct else {
                throw StorageError.invalidQuery(
                    "rows that count once have nothing that one is known by in a later list")
            }
            // SQLite takes the key of a group from any of its rows, which may have it in several spellings; a query around groups, too.
            let forms = plan.isKnownByValues ? try plan.identity.map(plan.form) : nil
            let read = { @Sendable (row: inout RowReader) throws -> KnownRow<Row> in
                let value = try selected.read(&row)
                let identity = (first..<first + count).map { row.storedValue(at: $0) }
                return KnownRow(
                    identity: forms.map { zip($0, identity).map { $0.stored($1) } } ?? identity, row: value,
                    values: (0..<first).map { row.storedValue(at: $0) }, relations: relations, related: row.related)
            }
            var plan = try plan.sortingGroups()
            let keys = forms.map { zip(plan.identity, $0).map { $1.isDate ? .comparedDate($0) : $0 } } ?? plan.identity
            plan.selection = selected.nodes + keys
            let all = try table.reduce(plan.selectionSQL(), selected, alsoReading: Int(count), into: { [] }) {
                $0.append(try read(&$1))
            }
            return selection(plan, selected.all, all, read)
        }
    }
}
