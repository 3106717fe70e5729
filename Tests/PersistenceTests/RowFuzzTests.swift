import Persistence
import StorageTestSupport
import Testing

/// Whatever stands in a row: it is a value, or an `SQLiteError`.
@Suite struct RowFuzzTests {
    private struct Everything: Codable, Equatable, Sendable {
        var text: String
        var flag: Bool?
        var small: Int8?
        var large: UInt64?
        var huge: Int128?
        var real: Double?
        var float: Float?
        var date: Date?
        var data: Data?
        var url: URL?
        var uuid: UUID?
        var decimal: Decimal?
        var list: [String]?
        var nested: [String: [Int]]?
    }

    private static let columns = [
        "text", "flag", "small", "large", "huge", "real", "float", "date", "data", "url", "uuid", "decimal", "list",
        "nested",
    ]

    @Test func anyRowIsAValueOrAnError() throws {
        var input = FuzzInput("Persistence rows")
        let count = programCount(short: 1_000, quick: 5_000, full: 300_000)
        var values = 0
        for _ in 0..<count {
            var row: [String: SQLiteValue] = ["text": .text("x")]
            for _ in 0..<input.number(1...3) { row[input.pick(Self.columns)] = input.value() }
            do {
                let value = try SQLiteDecoder().decode(Everything.self, from: Row(row))
                values += 1
                guard let stored = try? SQLiteEncoder().encode(value) else { continue }
                let isSame = try SQLiteDecoder().decode(Everything.self, from: Row(stored)) == value
                #expect(isSame, "\(input.seed): \(row.keys)")
            } catch let error as SQLiteError {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(values > count / 50)
        reportFuzz("Persistence rows", (count, "rows"), (values, "values"))
    }
}

extension FuzzInput {
    /// A value of any storage class.
    fileprivate mutating func value() -> SQLiteValue {
        switch number(0...6) {
        case 0: .null
        case 1: .integer(pick([.min, .max, 0, -1, 256, Int64(bitPattern: random.next())]))
        case 2: .real(Double(bitPattern: random.next()))
        case 3: .real(pick([0, -0.0, .infinity, -.infinity, 1e308, 9_223_372_036_854_775_808, 0.5]))
        case 4: .blob(Data(once(in: 2) ? bytes(upTo: 40) : Array(json().utf8)))
        case 5: .text(json())
        default: .text(text())
        }
    }
}
