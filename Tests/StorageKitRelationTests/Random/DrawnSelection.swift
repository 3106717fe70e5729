import StorageKit
import StorageTestSupport

/// A query that can be asked in all ways, and live, whatever its rows are.
protocol DrawnSelection: Sendable {
    var text: String { get }
    /// The statement that finds it.
    var sql: String { get }
    /// Asks in all ways, and says what is not as in Swift; nil if all is.
    func problem(_ maker: inout Maker) async throws -> String?
    /// What it finds now, all of each row as a text, sorted if the query does not sort.
    func describe() async throws -> [String]
    /// The same, live.
    func observe() -> AsyncStream<[String]>
}

/// A selection or groups, and the rows that have to be found, as texts.
struct SelectionOf<E: RegisteredEntity, Row: Sendable>: DrawnSelection {
    let text: String
    private let selection: Selection<E, Row>
    private let rows: [String]
    private let isSorted: Bool
    private let show: @Sendable (Row) -> String

    init(
        _ text: String, _ selection: Selection<E, Row>, rows: [String], isSorted: Bool,
        show: @escaping @Sendable (Row) -> String
    ) {
        self.text = text
        self.selection = selection
        self.rows = isSorted ? rows : rows.sorted()
        self.isSorted = isSorted
        self.show = show
    }

    @Sendable private func shown(_ rows: [Row]) -> [String] {
        isSorted ? rows.map(show) : rows.map(show).sorted()
    }

    var sql: String { (try? selection.sql.sql) ?? "" }

    func describe() async throws -> [String] { try await selection.fetch().described(isSorted) }

    func observe() -> AsyncStream<[String]> { selection.observe(bufferingPolicy: .unbounded).described(isSorted) }

    func problem(_ maker: inout Maker) async throws -> String? {
        let found = try await shown(selection.fetch())
        guard found == rows else { return "fetch \(found) and not \(rows)" }
        let count = try await selection.count()
        guard count == rows.count else { return "count \(count) and not \(rows.count)" }
        guard try await selection.exists() == !rows.isEmpty else { return "exists" }
        if isSorted {
            let first = try await selection.fetchOne().map(show)
            guard first == rows.first else { return "fetchOne \(first ?? "nil") and not \(rows.first ?? "nil")" }
        }
        guard selection.plan.limit == nil, selection.plan.offset == nil else { return nil }
        switch maker.number(0...4) {
        case 0:
            var streamed: [Row] = []
            for try await row in selection.stream() { streamed.append(row) }
            return shown(streamed) == rows ? nil : "stream \(shown(streamed)) and not \(rows)"
        case 1:
            let paged = try await allPages { try await selection.page(after: $0, limit: maker.number(1...6)) }
            return shown(Array(paged.joined())) == rows ? nil : "pages \(paged.map(shown)) and not \(rows)"
        default: return nil
        }
    }
}

/// Entities, with relations filled or not.
struct EntitiesOf<E: DrawnEntity>: DrawnSelection {
    let text: String
    private let query: Query<E>
    private let filled: Filled<E>
    private let rows: [String]
    private let isSorted: Bool
    /// Something of each row that is summed up, and what it is in those that have to be found.
    private let number: Asked<E, Int?>
    private let numbers: [Int?]
    private let world: World

    init(_ maker: inout Maker) {
        let drawn = Drawn<E>(&maker)
        number = maker.maybe(Int.self, E.self, Draw(depth: 1, isExact: true))
        numbers = drawn.rows.map { [number] in number.value($0, drawn.world) }
        world = drawn.world
        let plain = Filled(drawn.query)
        let filled = maker.once(in: 2) ? plain.including(&maker) : plain
        self.filled = filled
        query = filled.query ?? drawn.query
        text = drawn.text + filled.text
        let rows = drawn.rows.map { filled.expected($0, drawn.world) }
        isSorted = drawn.isSorted
        self.rows = drawn.isSorted ? rows : rows.sorted()
    }

    @Sendable private func shown(_ entities: [E]) -> [String] {
        let rows = entities.map { filled.shown($0) }
        return isSorted ? rows : rows.sorted()
    }

    var sql: String { (try? query.sql.sql) ?? "" }

    func describe() async throws -> [String] { try await query.fetch().described(isSorted) }

    func observe() -> AsyncStream<[String]> { query.observe(bufferingPolicy: .unbounded).described(isSorted) }

    func problem(_ maker: inout Maker) async throws -> String? {
        let found = try await shown(query.fetch())
        guard found == rows else { return "fetch \(found) and not \(rows)" }
        let count = try await query.count()
        guard count == rows.count else { return "count \(count) and not \(rows.count)" }
        guard try await query.exists() == !rows.isEmpty else { return "exists" }
        if isSorted {
            let first = try await query.fetchOne().map { filled.shown($0) }
            guard first == rows.first else { return "fetchOne \(first ?? "nil") and not \(rows.first ?? "nil")" }
        }
        if let problem = try await problemOfValues() { return problem }
        guard query.plan.limit == nil, query.plan.offset == nil else { return nil }
        switch maker.number(0...4) {
        case 0:
            var streamed: [E] = []
            for try await row in query.stream() { streamed.append(row) }
            return shown(streamed) == rows ? nil : "stream \(shown(streamed)) and not \(rows)"
        case 1:
            let paged = try await allPages { try await query.page(after: $0, limit: maker.number(1...6)) }
            return shown(Array(paged.joined())) == rows ? nil : "pages \(paged.map(shown)) and not \(rows)"
        default: return nil
        }
    }
}

extension EntitiesOf {
    fileprivate func problemOfValues() async throws -> String? {
        let (path, values) = (number.path, numbers.compactMap(\.self))
        let (sum, least, most) = try await (query.sum(path), query.min(path), query.max(path))
        guard sum == values.reduce(0, +), least == values.min(), most == values.max() else {
            return "\(number.text): \(sum), \(least.shown), \(most.shown) of \(numbers.map(\.shown))"
        }
        // Nil comes first.
        let first = try await query.first(by: path).map { number.value($0, world) }
        let expected: Int?? = numbers.contains(nil) ? .some(nil) : least
        return first == (numbers.isEmpty ? nil : expected)
            ? nil : "first by \(number.text): \(first.shown) of \(numbers.map(\.shown))"
    }
}

extension Array {
    /// All of each row as a text.
    func described(_ isSorted: Bool) -> [String] {
        let texts = map { "\($0)" }
        return isSorted ? texts : texts.sorted()
    }
}

extension AsyncStream {
    func described<Row: Sendable>(_ isSorted: Bool) -> AsyncStream<[String]> where Element == [Row] {
        AsyncStream<[String]> { continuation in
            let task = Task {
                for await rows in self { continuation.yield(rows.described(isSorted)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
