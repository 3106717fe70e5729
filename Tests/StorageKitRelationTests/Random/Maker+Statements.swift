import StorageKit

@StorageSelection
private struct StatementRow: Sendable, Equatable {
    let number: Int?
    let text: String?
    let date: Date?
}

extension Maker {
    /// A statement in SQL, with columns and values that are drawn.
    mutating func statement<E: DrawnEntity>(_ entity: E.Type) -> any DrawnSelection {
        let (number, text, date) = (column(Int.self, entity), column(String.self, entity), column(Date.self, entity))
        let (relation, isOne) = (pick(Relation.allCases), once(in: 2))
        let (least, name) = (Int.draw(&self), String.draw(&self))
        let table = E.Record.databaseTableName
        // In another order than the properties have.
        let columns = "\(date.name) AS date, \(text.name) AS text, 1 AS one, \(number.name) AS number"
        let head = "SELECT \(columns) FROM \"\(table)\" "
        var statement = SQLText.Interpolation(literalCapacity: 0, interpolationCount: 0)
        statement.appendLiteral(head + "WHERE \(isOne ? number.name : text.name) \(relation) ")
        if isOne { statement.appendInterpolation(least) } else { statement.appendInterpolation(name) }
        let world = world
        let rows = world[E.self].filter { row in
            let (number, text) = (number.value(row, world), text.value(row, world))
            // A comparison in SQL is not true of nil.
            guard isOne ? number != nil : text != nil else { return false }
            return isOne ? relation.holds(number, least) : relation.holds(text, name)
        }
        return StatementOf(
            "sql(\(head)... \(isOne ? number.name : text.name) \(relation) \(isOne ? "\(least)" : name))",
            storage.sql(SQLText(stringInterpolation: statement), as: StatementRow.self),
            rows: rows.map { row in
                let (number, text) = (number.value(row, world), text.value(row, world))
                return "\(number.shown) \(text.shown) \(date.value(row, world).shown)"
            }
        ) { "\($0.number.shown) \($0.text.shown) \($0.date.shown)" }
    }

    /// One of the entity's own columns, or NULL.
    private mutating func column<E: DrawnEntity, K: Kind>(
        _ kind: K.Type, _ entity: E.Type
    ) -> (name: String, value: @Sendable (E, World) -> K?) {
        let words = E.settable[kind]
        var columns = words.maybe.map { (name: "\"\($0.text)\"", value: $0.value) }
        for word in words.needed { columns.append(("\"\(word.text)\"", { word.value($0, $1) })) }
        return columns.isEmpty ? ("NULL", { _, _ in nil }) : pick(columns)
    }
}

/// A statement in SQL, and the rows that have to be found, as texts.
struct StatementOf<Row: SQLRow & Sendable>: DrawnSelection {
    let text: String
    private let query: SQLQuery<Row>
    private let rows: [String]
    private let show: @Sendable (Row) -> String

    init(
        _ text: String, _ query: SQLQuery<Row>, rows: [String], show: @escaping @Sendable (Row) -> String
    ) {
        self.text = text
        self.query = query
        self.rows = rows.sorted()
        self.show = show
    }

    var sql: String { text }

    func describe() async throws -> [String] { try await query.fetch().described(false) }

    func observe() -> AsyncStream<[String]> { query.observe(bufferingPolicy: .unbounded).described(false) }

    func problem(_ maker: inout Maker) async throws -> String? {
        let found = try await query.fetch().map(show).sorted()
        guard found == rows else { return "fetch \(found) and not \(rows)" }
        let isThere = try await query.fetchOne() != nil
        return isThere == !rows.isEmpty ? nil : "fetchOne \(isThere)"
    }
}
