/// Where a page ended, so that the next one begins there: see `Query.page(after:limit:)`.
///
/// It holds the values of the last row that the query sorts by, and says nothing to anybody but the query. It may be
/// kept, sent and read again: as `Codable`, or as text.
public struct PageCursor: Sendable, Hashable, Codable {
    /// The table and the order that the values belong to.
    let order: String
    /// What the last row holds in each column of the order.
    let values: [StoredValue]

    init(order: String, values: [StoredValue]) {
        self.order = order
        self.values = values
    }

    /// Reads the text of a cursor.
    ///
    /// - Parameter text: What ``text`` returned; nil comes of anything else.
    public init?(text: String) {
        let padded = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - padded.count % 4) % 4)
        guard let data = Data(base64Encoded: padded + padding),
            let cursor = try? JSONDecoder().decode(PageCursor.self, from: data)
        else { return nil }
        self = cursor
    }

    /// The cursor as text of letters, digits, `-` and `_`, fit for a URL.
    public var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = (try? encoder.encode(self)) ?? Data()
        return data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    // JSON has no form for infinite numbers, so that each value is a letter and its text.

    private enum CodingKeys: String, CodingKey { case order, values }

    /// Reads a cursor.
    ///
    /// - Throws: `DecodingError` for anything that is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        order = try container.decode(String.self, forKey: .order)
        values = try container.decode([String].self, forKey: .values).map { text in
            guard let value = StoredValue(tagged: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .values, in: container, debugDescription: "this is no cursor")
            }
            return value
        }
    }

    /// Writes the cursor.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(order, forKey: .order)
        try container.encode(values.map(\.tagged), forKey: .values)
    }
}

extension PageCursor: CustomStringConvertible {
    /// The order that it belongs to, and none of the values.
    public var description: String { "PageCursor(\(order.replacingOccurrences(of: "\n", with: ", ")))" }
}

/// A page of a query's entities, and where the next one begins.
public struct CursorPage<E: Sendable>: Sendable {
    /// The entities, in the query's order.
    public let items: [E]
    /// Hand it to `page(after:limit:)` for the next page; nil if this is the last.
    public let next: PageCursor?
    /// Whether there is another page with at least one item.
    public var hasMore: Bool { next != nil }
}

extension CursorPage: Equatable where E: Equatable {}

// MARK: - Going on

extension QueryPlan {
    /// The plan with an order in which no two rows are alike: ties are broken by id, those of groups by their keys.
    ///
    /// - Throws: `StorageError.queryFailed` where no part of the list can be read alone.
    package func totallyOrdered() throws -> QueryPlan {
        var plan = self
        plan.order = effectiveOrder
        let looksAtOthers = ((selection ?? []) + plan.order.map(\.expression)).contains { expression in
            expression.contains { if case .sql(let pieces, _) = $0 { pieces.looksAtOtherRows } else { false } }
        }
        if looksAtOthers {
            throw StorageError.invalidQuery(
                "SQL with OVER would see the rows of a page alone; select it first, and page its asQuery()")
        }
        let direction = plan.order.last?.order ?? .ascending
        for expression in try missingOrder() { plan.sort(by: expression, direction) }
        return try plan.orderedByValues()
    }

    /// What tells cursors of this order from those of another.
    func orderName() throws -> String {
        let terms = try order.map { "\(try name(of: $0.expression)) \($0.order) \($0.nullsFirst)" }
        let ranking = isByRank ? search : nil
        return ([table.name] + joins.map(\.table.name) + terms + (ranking.map { [$0.mark] } ?? [])).joined(
            separator: "\n")
    }

    /// A column by its name; of anything else a mark, since its values are nobody's business.
    private func name(of expression: ExpressionNode) throws -> String {
        if case .rank = expression { return FullTextSearch.Result.rank }
        let expression = expression.withoutSpelling
        if let column = ownColumn(expression) { return column }
        let written = try sql(of: expression)
        let text = ([written.sql] + written.arguments.map(\.tagged)).joined(separator: "\n")
        return String(text.utf8.fnv1a, radix: 36)
    }

    /// Whether any write may change what all rows are sorted by. Behind the rank stands what no two rows have in common.
    var isByRank: Bool { if case .rank? = order.first?.expression { true } else { false } }

    /// The query for what the last row of a page holds now in each column of the order, where that begins with the rank: any
    /// write moves the ranks of all rows, and the next page begins where that row stands now. Nil for another order.
    func place(of cursor: PageCursor) throws -> LoweredQuery? {
        guard isByRank else { return nil }
        var row = self
        for (term, value) in zip(order, cursor.values).dropFirst() {
            let isThat = ExpressionNode.compareStored(.equal, term.expression, value)
            row.add(selected: value == .null ? .isNull(term.expression) : isThat)
        }
        row.selection = order.map(\.expression)
        row.limit = 1
        return try row.selectionSQL()
    }

    /// The plans that find the rows behind the last one of a page, one after the other.
    ///
    /// - Throws: `StorageError.queryFailed` for a cursor of another table or order.
    package func after(_ cursor: PageCursor) throws -> [QueryPlan] {
        guard cursor.order == (try orderName()), cursor.values.count == order.count else {
            throw StorageError.invalidQuery("the cursor belongs to another table or order than '\(table.name)' here")
        }
        return try parts(behind: cursor.values)
    }
}
