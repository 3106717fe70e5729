import GRDB

/// A row as a window finds it. One that only says that the list goes on need not be readable.
struct WindowRow<Item: Sendable>: Sendable {
    let id: StoredValue
    let place: RowPlace
    /// Whether it stands behind the place that was given, where a window ends.
    let isBeyondEnd: Bool
    fileprivate var item: Result<Item, any Error>

    /// The row, to be shown.
    ///
    /// - Throws: What is wrong with it.
    func readable() throws -> LiveRows<Item>.Item {
        LiveRows<Item>.Item(id: id, place: place, entity: try item.get())
    }
}

/// What a window shows a part of.
final class WindowQuestion<R: StorageKitEntityRecord, Item: Sendable>: Sendable {
    typealias Row = LiveRows<Item>.Item

    let table: RecordTable<R>
    /// The rows in an order in which no two are alike, and in the opposite one.
    let (forward, backward): (QueryPlan, QueryPlan)
    /// What its rows depend on.
    private let trails: Trails
    let selected: _Selected<Item>
    /// Fills relations in what was selected; nil where none are asked for.
    let fill: (@Sendable (inout [Item], Database) throws -> Void)?
    let size: WindowSize
    /// Whether a few of its rows may be read on the calling thread, as ``LoweredQuery/mayBeBrief`` says.
    let mayBeBrief: Bool

    /// - Throws: `StorageError.queryFailed` for a query with a limit or an offset, or a size that can hold nothing.
    init(
        _ table: RecordTable<R>, _ plan: QueryPlan, _ selected: _Selected<Item>, pageSize: Int, maximumPages: Int,
        fill: (@Sendable (inout [Item], Database) throws -> Void)?
    ) throws {
        try QueryPlan.check(pageLimit: pageSize)
        guard maximumPages >= 1 else { throw StorageError.invalidQuery("a window holds one page or more") }
        guard plan.limit == nil, plan.offset == nil else {
            throw StorageError.invalidQuery("a window shows a part of a whole list, and has a size of its own")
        }
        self.table = table
        var plan = try plan.totallyOrdered()
        plan.selection = selected.nodes
        (forward, backward) = (plan, plan.reversed())
        mayBeBrief = try plan.selectionSQL(alsoSelecting: []).mayBeBrief
        trails = plan.trails
        self.selected = selected
        self.fill = fill
        // No list is longer, and sums of two of them are numbers still.
        let most = Int.max / 4
        let (maximum, isTooLarge) = pageSize.multipliedReportingOverflow(by: maximumPages)
        size = WindowSize(page: min(pageSize, most), maximum: isTooLarge ? most : min(maximum, most))
    }

    /// What a change is heard of by.
    func reads(_ others: TablesRead) -> LiveReads {
        isFollowed ? LiveReads(forward, trails, hasStretch: true) : LiveReads(others)
    }

    /// Whether each row says all of itself, with nothing that is read beside it.
    private var isFollowed: Bool { fill == nil && selected.all.related.isEmpty }

    /// How changed rows are put in their places; nil if the window has to be read again.
    func sort(_ shape: TableShape, _ db: Database) throws -> LiveSort? {
        isFollowed ? try LiveSort(forward, trails, table, shape, db) : nil
    }

    /// Whether any commit may change what all rows are sorted by.
    var isByRank: Bool { forward.isByRank }

    // MARK: - Reading

    /// The first rows on the way from one side of the list to the other.
    ///
    /// - Parameters:
    ///   - side: The side that they lead to: with the end, rows come in the list's order.
    ///   - edge: The place that they stand behind; nil for the first ones.
    ///   - orAt: Whether a row at that place is one of them.
    ///   - limit: How many there may be.
    ///   - far: A place; rows behind it are marked.
    ///   - fills: Whether relations are filled in them.
    func rows(
        to side: WindowSide, behind edge: [StoredValue]? = nil, orAt: Bool = false, limit: Int,
        markingBeyond far: [StoredValue]? = nil, filling fills: Bool = true, _ db: Database
    ) throws -> [WindowRow<Item>] {
        let plan = side == .end ? forward : backward
        let mark = try far.map { try plan.condition(behind: $0) ?? .never }
        var found: [WindowRow<Item>] = []
        for var range in try edge.map({ try plan.ranges(behind: $0, orAt: orAt) }) ?? plan.ranges() {
            guard found.count < limit else { break }
            range.limit = limit - found.count
            found += try read(range, markingBeyond: mark, filling: fills, db)
        }
        return found
    }

    /// How many rows there are on the way from one side of the list to the other.
    ///
    /// - Parameters:
    ///   - side: The side that they lead to.
    ///   - near: The place that the first one stands at, or behind; nil for the side's opposite.
    ///   - far: The place that the last one stands at, or before; nil for the side itself.
    func count(to side: WindowSide, from near: [StoredValue]?, upTo far: [StoredValue]?, _ db: Database) throws -> Int {
        let (plan, back) = side == .end ? (forward, backward) : (backward, forward)
        var ranges = try near.map { try plan.ranges(behind: $0, orAt: true) } ?? [plan]
        if let far {
            ranges = try ranges.flatMap { range in
                var range = range
                range.order = back.order
                return try range.ranges(behind: far, orAt: true)
            }
        }
        return try ranges.reduce(0) { try $0 + table.count($1).body(db) }
    }

    /// The first row that holds some values in what rows are known by.
    func row(_ values: [StoredValue], _ db: Database) throws -> Row? {
        let identity = forward.identity
        guard values.count == identity.count else {
            throw StorageError.invalidQuery(
                "a row is known by \(identity.count) values here, and not by \(values.count)")
        }
        var plan = forward
        for (expression, value) in zip(identity, values) {
            let spellings = identity.count == 1 && forward.groupKeys == nil ? table.sql.idArguments(value) : [value]
            plan.add(selected: .isIn(expression, spellings.filter { $0 != .null }, nil, orNull: value == .null))
        }
        plan.limit = 1
        return try read(plan, markingBeyond: nil, db).first?.readable()
    }

    /// Those of some hits that the list still has, as they are now and in its order.
    func again(_ rows: [Row], _ db: Database) throws -> [WindowRow<Item>] {
        // Behind the rank stands the id of the hit, then those of joined rows.
        var plan = forward
        plan.add(.isIn(forward.order[1].expression, rows.map { $0.place.keys[1] }, nil, orNull: false))
        let known = Set(rows.map(\.id))
        return try read(plan, markingBeyond: nil, filling: false, db).filter { known.contains($0.id) }
    }

    private func read(
        _ plan: QueryPlan, markingBeyond mark: ExpressionNode?, filling fills: Bool = true, _ db: Database
    ) throws -> [WindowRow<Item>] {
        let (keys, identity) = (forward.order.map(\.expression), forward.identity)
        let query = try plan.selectionSQL(alsoSelecting: keys + identity + (mark.map { [$0] } ?? []))
        let firstKey = Int32(selected.nodes.count)
        let firstId = firstKey + Int32(keys.count)
        let end = firstId + Int32(identity.count)
        let isMarking = mark != nil
        let count = Int(end - firstKey) + (isMarking ? 1 : 0)
        var found = try table.reduce(query, selected, alsoReading: count, into: { [WindowRow<Item>]() }) {
            [selected] found, row in
            let item = Result { try EntityCodec.namingEntity(R.E.self) { try selected.read(&row) } }
            found.append(
                WindowRow(
                    id: .together((firstId..<end).map { row.storedValue(at: $0) }),
                    place: RowPlace(keys: (firstKey..<firstId).map { row.storedValue(at: $0) }, rowid: 0),
                    isBeyondEnd: isMarking && row.storedValue(at: end) == .integer(1), item: item))
        }.body(db)
        if fills, let fill { try found.fill(fill, db) }
        return found
    }
}

extension Array {
    /// Fills relations in the rows that can be read.
    fileprivate mutating func fill<Item>(_ fill: (inout [Item], Database) throws -> Void, _ db: Database) throws
    where Element == WindowRow<Item> {
        let places = indices.filter { (try? self[$0].item.get()) != nil }
        guard !places.isEmpty else { return }
        var items = try places.map { try self[$0].item.get() }
        try fill(&items, db)
        for (place, item) in zip(places, items) { self[place].item = .success(item) }
    }
}
