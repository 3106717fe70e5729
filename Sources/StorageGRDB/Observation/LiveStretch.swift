import Synchronization

/// The stretch of a list that somebody holds, by what its rows hold in the column that the list is sorted by first. The hub passes over
/// changes of rows that stand beyond it before and after: they move nothing in it.
///
/// A reader forgets it before it takes the changes that it then reads, and says it when it has read: what is committed in between is to
/// be noted, since nobody knows yet where the stretch will end.
final class LiveStretch: Sendable {
    private let column: String
    /// Whether rows are known by what they hold there.
    private let isId: Bool
    private let known = Mutex<Known?>(nil)

    private struct Known: Sendable {
        let term: RowOrder.Term
        let start: StoredValue?
        let end: StoredValue?
        let neighbours: [StoredValue]

        /// Whether a row that holds a value stands beyond the stretch. One that is alike to the last row may stand on either side.
        func isBeyond(_ value: StoredValue) -> Bool {
            if let start, term.compare(value, start) < 0 { return true }
            if let end, term.compare(end, value) < 0 { return true }
            return false
        }
    }

    /// - Returns: Nil where what happens to one row may concern others, or the list is not sorted by a column of its table first.
    init?(_ plan: QueryPlan, _ trails: Trails) {
        let own = plan.table.name.asciiLowercased
        guard plan.groupKeys == nil, !plan.isDistinct, let first = plan.order.first,
            let column = plan.ownColumn(first.expression), trails.trails(of: own).isEmpty,
            !trails.untraced.mayRead(own)
        else { return nil }
        self.column = column
        isId = column == plan.table.idColumn
    }

    /// The column of which to collect what changed rows held and hold; nil for none.
    var tracked: String? { isId ? nil : column }

    /// - Parameters:
    ///   - order: The order of the list.
    ///   - start: The place that it begins at; nil where it begins with the list.
    ///   - end: The place that it ends at; nil where it ends with the list.
    ///   - neighbours: The ids of rows beyond it that matter to it.
    func become(_ order: RowOrder, from start: RowPlace?, to end: RowPlace?, neighbours: [StoredValue] = []) {
        let (start, end) = (start?.keys.first, end?.keys.first)
        let known = order.terms.first.map { Known(term: $0, start: start, end: end, neighbours: neighbours) }
        self.known.withLock { $0 = known }
    }

    func forget() {
        known.withLock { $0 = nil }
    }

    /// Whether all rows that a commit has changed stood beyond the stretch, and stand there still.
    func isPassedOver(by ids: Set<StoredValue>, _ values: ChangedValues) -> Bool {
        guard let met = isId ? ids : values.columns[column]?.all else { return false }
        return known.withLock { known in
            guard let known else { return false }
            return met.allSatisfy(known.isBeyond) && !known.neighbours.contains(where: ids.contains)
        }
    }
}
