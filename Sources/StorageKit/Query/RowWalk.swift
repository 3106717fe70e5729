import StorageRepo

/// Walks over the rows that a plan asks for, a stretch of some hundred at a time, all in one snapshot: what the iterators of streams
/// do.
struct RowWalk<Row: Sendable> {
    /// Reads the rows of a plan behind a cursor, at most so many.
    typealias Read = (QueryPlan, _ after: PageCursor?, _ limit: Int, any DatabaseReader) async throws -> Stretch<Row>

    private let plan: QueryPlan
    /// Throws if the plan cannot be asked.
    private let check: () throws -> Void
    private let snapshot: () async throws -> any DatabaseReader
    private let read: Read
    private var reader: (any DatabaseReader)?
    private var buffer: [Row] = []
    private var position = 0
    private var cursor: PageCursor?
    private var isAtEnd = false
    /// How many rows the limit still allows.
    private var remaining: Int

    init(
        _ plan: QueryPlan, check: @escaping () throws -> Void,
        snapshot: @escaping () async throws -> any DatabaseReader, read: @escaping Read
    ) {
        self.plan = plan
        self.check = check
        self.snapshot = snapshot
        self.read = read
        remaining = plan.limit ?? .max
    }

    mutating func next() async throws -> Row? {
        if position == buffer.count, !isAtEnd { try await fetch() }
        guard position < buffer.count else { return nil }
        defer { position += 1 }
        return buffer[position]
    }

    private mutating func fetch() async throws {
        buffer = []
        position = 0
        isAtEnd = true
        // What cannot be asked is reported, and not taken for an end.
        guard remaining != 0 else { return try check() }
        var plan = plan
        // The rows passed over lie before the first cursor.
        if cursor != nil { plan.offset = nil }
        let count = remaining < 0 ? remaining : Swift.min(remaining, RowWalk.rowsAtATime)
        let reading: any DatabaseReader
        if let reader { reading = reader } else { reading = try await snapshot() }
        // Given back at the end, and after an error.
        reader = nil
        let stretch = try await read(plan, cursor, count, reading)
        buffer = stretch.items
        remaining -= buffer.count
        cursor = stretch.next
        isAtEnd = cursor == nil || remaining == 0
        if !isAtEnd { reader = reading }
    }

    private static var rowsAtATime: Int { 256 }
}
