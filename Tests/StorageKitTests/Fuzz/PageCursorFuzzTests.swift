import StorageKit
import StorageTestSupport
import Testing

/// Whatever is taken for a cursor: it is refused, or what follows is the end of the list and has an end.
@Suite struct PageCursorFuzzTests {
    @Test func anyTextIsNoCursorOrLeadsToTheEndOfTheList() async throws {
        var lists = try await FuzzedLists()
        let count = programCount(short: 400, quick: 1_500, full: 100_000)
        for _ in 0..<count { try await lists.next() }
        #expect(lists.walks > count / 20)
        reportFuzz("cursors", (count, "texts"), (lists.read, "read as cursors"), (lists.walks, "walked to the end"))
    }
}

private struct FuzzedLists {
    private var input = FuzzInput("cursors")
    private let store: TemporaryStore
    private let orders: [Query<Sample>]
    /// All rows in each order.
    private var lists: [[Int]] = []
    private var cursors: [PageCursor] = []
    private(set) var read = 0
    private(set) var walks = 0

    init() async throws {
        store = try TemporaryStore(options: { $0.pool = .withoutSync }) { $0.autoSchema(SampleRecord.self) }
        var maker = SampleMaker(random: RandomValues(generator: input.random))
        try await store.storage.save((1...12).map { maker.sample($0) })
        let all = store.storage.query(Sample.self)
        orders = [
            all, all.orderBy("number"), all.orderBy("maybeNumber", .descending), all.orderBy("text").orderBy("real"),
            all.orderBy("maybeText", .ascending, nulls: .last),
            all.orderBy("price", .descending).orderBy("id", .descending),
            all.orderBy("maybePrice"), all.orderBy("maybeAt", .descending, nulls: .first), all.orderBy("big"),
            all.orderBy("flag").orderBy("maybeLevel").orderBy("at"),
        ]
        for order in orders {
            lists.append(try await order.fetch().map(\.id))
            var cursor: PageCursor?
            repeat {
                cursor = try await order.page(after: cursor, limit: 3).next
                if let cursor { cursors.append(cursor) }
            } while cursor != nil
        }
        // Without a second column, rows that are alike stand in no order; pages then sort them by id.
        for (index, order) in orders.enumerated() { lists[index] = try await order.page(limit: 100).items.map(\.id) }
    }

    mutating func next() async throws {
        guard let cursor = PageCursor(text: text()) else { return }
        read += 1
        for (order, list) in zip(orders, lists) {
            guard let rest = try await walk(order, cursor, limit: input.number(1...5)) else { continue }
            walks += 1
            #expect(list.suffix(rest.count) == rest[...], "\(input.seed): \(cursor.text)")
        }
    }

    /// All that follows; nil if the cursor is refused.
    private func walk(_ order: Query<Sample>, _ cursor: PageCursor, limit: Int) async throws -> [Int]? {
        var ids: [Int] = []
        var next: PageCursor? = cursor
        do {
            while next != nil, ids.count <= 100 {
                let page = try await order.page(after: next, limit: limit)
                ids += page.items.map(\.id)
                next = page.next
            }
        } catch StorageError.queryFailed {
            return nil
        }
        #expect(next == nil, "\(input.seed): no end behind \(cursor.text)")
        return ids
    }

    private mutating func text() -> String {
        let valid = input.pick(cursors).text
        switch input.number(0...5) {
        case 0: return input.text()
        case 1: return String(decoding: input.mutated(Array(valid.utf8)), as: UTF8.self)
        case 2: return encoded(input.mutated(decoded(valid)))
        default: return encoded(withOtherValues(decoded(valid)))
        }
    }

    private func decoded(_ text: String) -> [UInt8] {
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        let plain = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        return Data(base64Encoded: plain).map { Array($0) } ?? []
    }

    private func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The same order with values of any storage class.
    private mutating func withOtherValues(_ bytes: [UInt8]) -> [UInt8] {
        guard var object = try? JSONDecoder().decode([String: AnyCodable].self, from: Data(bytes)),
            let values = object["values"]?.arrayValue
        else { return bytes }
        object["values"] = .array(values.map { input.once(in: 2) ? .string(value()) : $0 })
        return (try? JSONEncoder().encode(object)).map { Array($0) } ?? bytes
    }

    private mutating func value() -> String {
        switch input.number(0...5) {
        case 0: return "n"
        case 1: return "i\(input.pick([Int64.min, -1, 0, 1, 2, 3, .max]))"
        case 2:
            let number = input.pick([
                0, -0.0, 1.5, .infinity, -.infinity, .nan, Double(bitPattern: input.random.next()),
            ])
            return "r\(number.bitPattern)"
        case 3: return "b" + Data(input.bytes(upTo: 9)).base64EncodedString()
        case 4: return "t" + input.pick(SampleMaker.texts)
        default: return input.pick(["t", "i", "x", ""]) + input.text()
        }
    }
}
