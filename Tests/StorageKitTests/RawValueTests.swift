import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Ticket {
    enum Priority: Int, Codable, Sendable { case low = 1, high = 10, urgent = 100 }

    /// Both a raw value and a column value: its own form wins.
    enum Colour: String, Codable, ColumnValue {
        case red, blue

        static var columnType: ColumnType { .integer }
        func storedValue() -> StoredValue { .integer(self == .red ? 0 : 1) }
        static func read(from row: borrowing RowReader, at index: Int32) throws -> Colour {
            try row.integer(at: index, as: Colour.self) == 0 ? .red : .blue
        }
    }

    var id: Stamp
    var priority: Priority
    var second: Priority?
    var permissions: Permissions
    var colour: Colour
    var other: Colour?
}

@Suite struct RawValueTests {
    private func ticket(_ id: String, _ priority: Ticket.Priority, second: Ticket.Priority? = nil) -> Ticket {
        Ticket(
            id: Stamp(rawValue: id), priority: priority, second: second, permissions: Permissions(rawValue: 5),
            colour: .blue, other: second.map { _ in .red })
    }

    @Test func rawValuesTakeTheColumnTypeOfTheRawValue() {
        #expect(
            TicketRecord.schemaColumns.map { "\($0.name) \($0.type) \($0.notNull)" } == [
                "id TEXT true", "priority INTEGER true", "second INTEGER false", "permissions INTEGER true",
                "colour INTEGER true", "other INTEGER false", "updatedAt DATETIME true",
            ])
    }

    @Test func rawValuesAreComparedAndSortedAsWhatTheyAre() async throws {
        let store = try TemporaryStore { $0.autoSchema(TicketRecord.self) }
        let tickets = [ticket("a", .high), ticket("b", .urgent, second: .low), ticket("c", .low, second: .high)]
        try await store.storage.save(tickets)
        let query = store.storage.query(Ticket.self).orderBy("id")
        #expect(try await query.where { $0.priority == .high }.fetch() == [tickets[0]])
        #expect(try await query.where { $0.priority != .high }.fetch() == [tickets[1], tickets[2]])
        let wanted: Set<Ticket.Priority> = [.low, .urgent]
        #expect(try await query.where { $0.second.in(wanted) }.fetch() == [tickets[1]])
        #expect(try await query.where { $0.priority > .low && $0.priority <= .urgent }.count() == 2)
        #expect(try await query.where { $0.priority < .high || $0.priority >= .urgent }.count() == 2)
        #expect(try await query.where { $0.second == nil }.fetch() == [tickets[0]])
        #expect(try await query.where { $0.second != nil && $0.second != .low }.fetch() == [tickets[2]])
        #expect(try await query.where { $0.second > .low }.fetch() == [tickets[2]])
        #expect(try await query.where { $0.colour == .blue && $0.other == .red }.count() == 2)
        #expect(try await query.where { $0.permissions == Permissions(rawValue: 5) }.count() == 3)
        #expect(try await query.where { $0.id == Stamp(rawValue: "c") }.fetch() == [tickets[2]])
        #expect(try await store.storage.all(Ticket.self, orderBy: "priority").map(\.id.rawValue) == ["c", "a", "b"])
    }

    @Test func aTypeThatIsBothHasItsOwnFormInFunctionsAndStatementsToo() async throws {
        let store = try TemporaryStore { $0.autoSchema(TicketRecord.self) }
        try await store.storage.save([ticket("a", .low), ticket("b", .low, second: .high)])
        let query = store.storage.query(Ticket.self).orderBy("id")
        let colours = try await query.select { min($0.colour, .red) }.fetch()
        #expect(colours == [.red, .red])
        let others = try await query.select { max($0.other, .blue) }.fetch()
        #expect(others == [nil, .blue])
        let stored = store.storage.sql("SELECT colour FROM tickets", as: Ticket.Colour.self)
        #expect(try await stored.fetch() == [.blue, .blue])
        let optional = store.storage.sql("SELECT other FROM tickets ORDER BY id", as: Ticket.Colour?.self)
        #expect(try await optional.fetch() == [nil, .red])
    }

    @Test func aRawValueIsAnIdByItselfAndAsText() async throws {
        let store = try TemporaryStore { $0.autoSchema(TicketRecord.self) }
        let one = ticket("x", .low)
        try await store.storage.save(one)
        #expect(try await store.storage.get(Ticket.self, id: Stamp(rawValue: "x")) == one)
        #expect(try await store.storage.get(Ticket.self, id: "x") == one)
        try await store.storage.delete(Ticket.self, id: "x")
        #expect(try await store.storage.count(Ticket.self) == 0)
    }

    struct Pair: Codable, Sendable, Hashable {
        var x: Int
        var y: Int
    }

    struct Number: RawRepresentable, Codable, Sendable, Hashable {
        let rawValue: Int
        init?(rawValue: Int) {
            guard rawValue > 0 else { return nil }
            self.rawValue = rawValue
        }
    }

    @StorageEntity
    struct Cell {
        var id: Pair
        var text: String
    }

    @StorageEntity
    struct Numbered {
        var id: Number
    }

    @StorageEntity
    struct Counter {
        var id: UInt64
        var name: String
    }

    @Test func anUnsignedIdMayBeOfAnySize() async throws {
        let store = try TemporaryStore { $0.autoSchema(CounterRecord.self) }
        let counters = [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max].map { Counter(id: $0, name: "\($0)") }
        try await store.storage.save(counters)
        try await store.storage.save(counters.reversed())
        #expect(try await store.storage.all(Counter.self) == counters)
        for counter in counters {
            #expect(try await store.storage.get(Counter.self, id: counter.id) == counter)
            #expect(try await store.storage.get(Counter.self, id: counter.name) == counter)
        }
        #expect(try await store.storage.query(Counter.self).where { $0.id > UInt64(Int64.max) }.count() == 2)
    }

    @StorageEntity
    struct Amount {
        var id: Decimal
    }

    @Test func anyCodableTypeIsAnId() async throws {
        let store = try TemporaryStore { $0.autoSchema(CellRecord.self, NumberedRecord.self, AmountRecord.self) }
        let cell = Cell(id: Pair(x: 1, y: 2), text: "t")
        try await store.storage.save(cell)
        #expect(try await store.storage.get(Cell.self, id: Pair(x: 1, y: 2)) == cell)
        #expect(try await store.storage.get(Cell.self, id: Pair(x: 2, y: 1)) == nil)
        #expect(try await store.storage.get(Cell.self, id: "nothing of the kind") == nil)
        let number = Numbered(id: try #require(Number(rawValue: 7)))
        try await store.storage.save(number)
        #expect(try await store.storage.get(Numbered.self, id: "7") == number)
        #expect(try await store.storage.get(Numbered.self, id: "-7") == nil)
        #expect(try await store.storage.get(Numbered.self, id: "seven") == nil)
        let amount = Amount(id: 1.5)
        try await store.storage.save(amount)
        #expect(try await store.storage.get(Amount.self, id: "1.50") == amount)
        #expect(try await store.storage.get(Amount.self, id: Decimal(1.5)) == amount)
        #expect(try await store.storage.get(Amount.self, id: "much") == nil)
    }
}
