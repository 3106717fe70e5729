import StorageSQLite
import StudioSQLite

/// Which rows of a table are asked for.
struct RowQuestion: Decodable, Sendable {
    /// Where the rows begin.
    enum Place: Sendable {
        /// So many rows behind the first.
        case offset(Int)
        /// Behind a row that is known.
        case after(RowMark)
        /// In front of a row that is known: the nearest ones.
        case before(RowMark)
    }

    let table: String
    var sort: String?
    var isDescending: Bool?
    var filters: [RowFilter]?
    var offset: Int?
    var after: RowMark?
    var before: RowMark?
    var limit: Int?

    static let mostRows = 500

    var place: Place {
        if let after { return .after(after) }
        if let before { return .before(before) }
        return .offset(max(0, offset ?? 0))
    }

    /// The index that would give the rows in their order, as SQL; nil where there is one already, and where none would
    /// help: a view has none, and decimals are not compared as their texts are.
    func missingIndex(_ connection: Connection, _ schema: StudioSchema) throws -> String? {
        let table = try schema.table(table)
        guard let sort, table.kind == .table else { return nil }
        let column = try table.knownColumn(sort)
        guard !column.isForDecimals, !table.hasOrder(column, connection) else { return nil }
        let taken = Set(schema.catalog.parts.map(\.name.nameKey))
        let names = sequence(first: 1) { $0 + 1 }.lazy.map {
            "\(table.name)_\(column.name)" + ($0 == 1 ? "" : "_\($0)")
        }
        guard let name = names.first(where: { !taken.contains($0.nameKey) }) else { return nil }
        return "CREATE INDEX \(name.quotedName) ON \(table.name.quotedName) (\(column.name.quotedName))"
    }
}

/// The place of a row in an order: its value in the column that is sorted by, if there is one, and what tells it from its equals.
typealias RowMark = [CellJSON]

/// Rows, with what each is known by.
struct RowWindow: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        /// What it is known by to an edit; nil where rows cannot be told apart.
        let key: [CellJSON]?
        /// Its place in the order; nil where the order settles none, and where a value is long and would travel twice.
        let mark: RowMark?
        let cells: [CellJSON]
    }

    let columns: [String]
    let rows: [Row]
    /// Whether no index serves the order: a place is found by its number then, and not by a neighbour.
    let isNumbered: Bool
}

/// Reads rows in an order, from any place: by keys from a row that is known, by an offset over keys alone from anywhere else. An order of
/// many rows that no index serves is sorted once.
struct RowReader {
    private let connection: Connection
    private let orders: RowOrders
    private let table: Table
    private let question: RowQuestion
    private let condition: (sql: String, values: [Cell])
    private let identity: [String]
    private let sort: Table.Column?
    private let limit: Int
    /// Of values with more bytes only the beginning is shown.
    private let longest: Int
    /// Whether bytes that are too long for the connection are told by their number alone.
    private var measuresBytes = false

    init(
        _ question: RowQuestion, _ connection: Connection, _ schema: StudioSchema, _ orders: RowOrders
    ) throws {
        self.question = question
        self.connection = connection
        self.orders = orders
        let table = try schema.table(question.table)
        self.table = table
        // Where SQLite could tell no columns, of a view of a table that is gone say, it says why.
        if table.columns.isEmpty { _ = try connection.prepare("SELECT * FROM \(table.source)") }
        condition = try RowReader.condition(question.filters ?? [], table)
        identity = table.orderedIdentity
        sort = try question.sort.map { try table.knownColumn($0) }
        limit = min(max(1, question.limit ?? 100), RowQuestion.mostRows)
        longest = CellJSON.longest(in: limit * table.columns.count)
    }

    /// How many rows meet the conditions.
    func count() throws -> Int {
        try connection.integer("SELECT COUNT(*) FROM \(table.source) WHERE \(condition.sql)", condition.values)
    }

    /// The rows. Of bytes that are too long to be read only their number is told.
    ///
    /// - Throws: ``SQLiteFailure``, also for a text that is too long; ``StudioError`` for a place that does not belong to the order.
    func window() throws -> RowWindow {
        do {
            return try readWindow()
        } catch let failure as SQLiteFailure where failure.kind == .tooBig {
            var measuring = self
            measuring.measuresBytes = true
            return try measuring.readWindow()
        }
    }

    private func readWindow() throws -> RowWindow {
        let rows: [RowWindow.Row]
        let isNumbered = try isNumbered
        switch question.place {
        case .after(let mark): rows = try self.rows(from: place(mark), isBackwards: false, isIncluded: false)
        case .before(let mark): rows = try self.rows(from: place(mark), isBackwards: true, isIncluded: false).reversed()
        case .offset(let offset):
            if isNumbered, let rowids = try self.rowids(from: offset) {
                rows = try self.rows(rowids)
            } else if offset == 0 || identity.isEmpty {
                rows = try select(condition.sql, condition.values, limit, offset: offset, isBackwards: false)
            } else {
                // Over an index alone where there is one: the rows that are passed over are not read.
                let start = try connection.rows(
                    "SELECT \(marks) FROM \(table.source) WHERE \(condition.sql) \(order(isBackwards: false)) LIMIT 1 OFFSET \(offset)",
                    condition.values
                ).first
                rows = try start.map { try self.rows(from: place($0), isBackwards: false, isIncluded: true) } ?? []
            }
        }
        return RowWindow(columns: table.columns.map(\.name), rows: rows, isNumbered: isNumbered)
    }

    // MARK: - Orders that no index serves

    /// Whether SQLite sorts all rows each time: by a column, or by their numbers where an index finds what a filter asks for. The rows
    /// have to be known by one number.
    private var isNumbered: Bool {
        get throws {
            guard table.kind == .table, table.rowidName != nil else { return false }
            return try connection.sorts(rowidSQL)
        }
    }

    private var rowidSQL: String {
        "SELECT \(identity[0].quotedName) FROM \(table.source) WHERE \(condition.sql) \(order(isBackwards: false))"
    }

    private func rowids(from offset: Int) throws -> [Int64]? {
        let order = RowOrder(
            table: table.name, sort: sort?.name, isDescending: question.isDescending ?? false, condition: condition.sql,
            values: condition.values)
        return try orders.rowids(of: order, from: offset, limit: limit, rowidSQL, connection)
    }

    private func rows(_ rowids: [Int64]) throws -> [RowWindow.Row] {
        let statement = try connection.prepare(
            "SELECT \(list) FROM \(table.source) WHERE \(identity[0].quotedName) = ?")
        return try rowids.compactMap { rowid in
            defer { statement.handle.reset() }
            _ = statement.handle.bind(rowid, at: 1)
            return try statement.handle.step() ? row(statement.handle) : nil
        }
    }

    // MARK: - One window

    private typealias Start = (sort: Cell?, identity: [Cell])

    private func place(_ mark: RowMark) throws -> Start {
        guard !identity.isEmpty, mark.count == identity.count + (sort == nil ? 0 : 1) else {
            throw StudioError(.invalid, "the place belongs to another order")
        }
        return place(mark.map(\.cell))
    }

    private func place(_ cells: [Cell]) -> Start {
        sort == nil ? (nil, cells) : (cells[0], Array(cells.dropFirst()))
    }

    /// The rows behind a place. NULL stands in front of all values to SQLite, and no comparison finds it: values and NULLs are asked
    /// for one after the other, so that an index serves each.
    private func rows(from start: Start, isBackwards: Bool, isIncluded: Bool) throws -> [RowWindow.Row] {
        let isDescendingHere = (question.isDescending ?? false) != isBackwards
        let sign = (isDescendingHere ? "<" : ">") + (isIncluded ? "=" : "")
        let names = identity.map(\.quotedName).joined(separator: ", ")
        let marks = start.identity.map { _ in "?" }.joined(separator: ", ")
        let behind = "(\(names)) \(sign) (\(marks))"
        guard let sort, let value = start.sort else {
            return try select(
                "\(condition.sql) AND \(behind)", condition.values + start.identity, limit, isBackwards: isBackwards)
        }
        let name = sort.comparedName
        var parts: [(sql: String, values: [Cell])]
        if value == .null {
            parts = [("\(name) IS NULL AND \(behind)", start.identity)]
            if !isDescendingHere { parts.append(("\(name) IS NOT NULL", [])) }
        } else {
            let strict = isDescendingHere ? "<" : ">"
            parts = [("\(name) \(strict)= ? AND (\(name) \(strict) ? OR \(behind))", [value, value] + start.identity)]
            if isDescendingHere { parts.append(("\(name) IS NULL", [])) }
        }
        var rows: [RowWindow.Row] = []
        for part in parts where rows.count < limit {
            rows += try select(
                "\(condition.sql) AND \(part.sql)", condition.values + part.values, limit - rows.count,
                isBackwards: isBackwards)
        }
        return rows
    }

    private func select(
        _ condition: String, _ values: [Cell], _ limit: Int, offset: Int = 0, isBackwards: Bool
    ) throws -> [RowWindow.Row] {
        let statement = try connection.prepare(
            """
            SELECT \(list) FROM \(table.source) WHERE \(condition) \
            \(order(isBackwards: isBackwards)) LIMIT \(limit) OFFSET \(offset)
            """)
        try statement.bind(values)
        var rows: [RowWindow.Row] = []
        while try statement.handle.step() { rows.append(row(statement.handle)) }
        return rows
    }

    // MARK: - Parts of a statement

    private var marks: String {
        (identity.isEmpty ? [] : [sort?.name].compactMap { $0 } + identity).map(\.quotedName).joined(separator: ", ")
    }

    private var list: String {
        let names = table.columns.map(\.name.quotedName)
        let cells = measuresBytes ? names.map(RowReader.bounded) + names.map(RowReader.byteCount) : names
        return ([marks, keys] + cells).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The value, or no bytes in place of too many. SQLite knows how many bytes there are without reading them.
    private static func bounded(_ name: String) -> String {
        "CASE WHEN typeof(\(name)) = 'blob' AND length(\(name)) > \(STUDIO_LONGEST_VALUE) THEN x'' ELSE \(name) END"
    }

    private static func byteCount(_ name: String) -> String {
        "CASE typeof(\(name)) WHEN 'blob' THEN length(\(name)) END"
    }

    /// Values with the numbers of their bytes behind all of them.
    private func measured(_ cells: ArraySlice<CellJSON>) -> [CellJSON] {
        zip(cells, cells.dropFirst(table.columns.count)).map { cell, byteCount in
            guard let count = byteCount.cell.integer, count > STUDIO_LONGEST_VALUE else { return cell }
            return CellJSON(unreadBytes: Int(count))
        }
    }

    private var keys: String { (table.identity ?? []).map(\.quotedName).joined(separator: ", ") }

    private func order(isBackwards: Bool) -> String {
        let names = [sort?.comparedName].compactMap { $0 } + identity.map(\.quotedName)
        guard !names.isEmpty else { return "" }
        let isDescendingHere = (question.isDescending ?? false) != isBackwards
        return "ORDER BY " + names.map { "\($0) \(isDescendingHere ? "DESC" : "ASC")" }.joined(separator: ", ")
    }

    private func row(_ row: StatementHandle) -> RowWindow.Row {
        let marked = identity.isEmpty ? 0 : identity.count + (sort == nil ? 0 : 1)
        let known = marked + (table.identity?.count ?? 0)
        let cells = row.beginnings(longest: longest)
        let mark = Array(cells[..<marked])
        return RowWindow.Row(
            key: table.identity == nil ? nil : (marked..<known).map { CellJSON(Cell(row.cell(at: Int32($0)))) },
            mark: mark.isEmpty || mark.contains { $0.byteCount != nil } ? nil : mark,
            cells: measuresBytes ? measured(cells[known...]) : Array(cells[known...]))
    }

    private static func condition(_ filters: [RowFilter], _ table: Table) throws -> (sql: String, values: [Cell]) {
        let conditions = try filters.compactMap { try $0.sql(table) }
        return (conditions.map { "(\($0.sql))" }.conjunction, conditions.flatMap(\.values))
    }
}

extension Table {
    /// Whether an index gives the rows in the order of a column without a look at all of them. SQLite is asked: an
    /// index that compares otherwise than the column does is of no use.
    func hasOrder(_ column: Column, _ connection: Connection) -> Bool {
        // Most columns are the first of none, and need not be asked about.
        guard kind == .table, column.keyPosition > 0 || indexes.contains(where: { $0.columns.first == column.name })
        else { return false }
        let names = ([column.comparedName] + orderedIdentity.map(\.quotedName)).joined(separator: ", ")
        return (try? connection.sorts("SELECT 1 FROM \(source) ORDER BY \(names)")) == false
    }
}

extension Connection {
    /// Whether SQLite sorts the rows of a statement, since no index has their order.
    fileprivate func sorts(_ sql: String) throws -> Bool {
        try rows("EXPLAIN QUERY PLAN " + sql).contains { $0[3].text?.contains("TEMP B-TREE") == true }
    }
}
