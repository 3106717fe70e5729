import Persistence
import StorageTestSupport
import Testing

@Suite struct CodingErrorTests {
    struct Person: Codable, Sendable, Equatable {
        var id: Int64
        var age: UInt8
        var score: Float?
        var tags: [String]?
    }

    let schema = TableSchema<Person>.codable(table: "people", primaryKey: "id")

    @Test(arguments: [
        ("age", SQLiteValue.text("7"), "UInt8"), ("age", .null, "UInt8"), ("age", .integer(256), "UInt8"),
        ("age", .integer(-1), "UInt8"), ("age", .real(1.5), "UInt8"), ("age", .blob(Data([1])), "UInt8"),
        ("id", .real(0x1p60), "Int64"), ("id", .real(.infinity), "Int64"), ("score", .real(1e300), "Float"),
        ("score", .text("1"), "Float"), ("tags", .integer(1), "Array<String>"),
        ("score", .integer(0x20_0000_0000_0001), "Float"), ("score", .integer(0x100_0001), "Float"),
        ("id", .blob(Data(count: 8)), "Int64"),
    ])
    func aColumnOfAnotherTypeIsNamed(_ column: String, _ value: SQLiteValue, _ expected: String) async {
        var row: [String: SQLiteValue] = ["id": .integer(1), "age": .integer(1)]
        row[column] = value
        let error = await sqliteError { _ = try schema.decode(Row(row)) }
        guard case .wrongType(column, table: "people", expected, _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func aMissingColumnIsNamed() async {
        let error = await sqliteError { _ = try schema.decode(Row(["id": .integer(1)])) }
        #expect(error == .missingColumn("age", table: "people"))
        #expect(error?.description == "There is no column 'age' of table 'people'.")
    }

    @Test(arguments: ["", "[", "{}", "[1]", "[\"secret\", null]"])
    func jsonThatIsNotOfTheTypeIsNamedWithoutWhatStandsInIt(_ json: String) async {
        let row = Row(["id": .integer(1), "age": .integer(1), "tags": .text(json)])
        let error = await sqliteError { _ = try schema.decode(row) }
        guard case .decodingFailed(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.hasPrefix("Column 'tags' of table 'people' holds no JSON of a Array<String>"))
        #expect(!message.contains("secret"))
    }

    @Test func notANumberIsNamed() async {
        let error = await sqliteError { _ = try schema.encode(Person(id: 1, age: 1, score: .nan)) }
        #expect(error == .encodingFailed(message: "NaN cannot be stored in column 'score' of table 'people'."))
    }

    @Test func namesThatDifferInBytesAloneAreRefused() async {
        struct Twins: Encodable {
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
            let names: [String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for name in names { try container.encode(1, forKey: Key(stringValue: name)) }
            }
        }
        let error = await sqliteError { _ = try SQLiteEncoder().encode(Twins(names: ["\u{E9}", "e\u{301}"])) }
        #expect(
            error
                == .encodingFailed(
                    message: "Column 'e\u{301}' and another differ in their bytes alone, and Swift takes them for one.")
        )
        #expect(throws: Never.self) { try SQLiteEncoder().encode(Twins(names: ["\u{E9}", "\u{E9}"])) }
        let cases = await sqliteError { _ = try SQLiteEncoder().encode(Twins(names: ["name", "Name"])) }
        #expect(
            cases
                == .encodingFailed(
                    message: "Column 'Name' and 'name' are one to SQLite, to which no letter has a case."))
    }

    @Test func whatHasNoJSONFormIsNamed() async {
        struct Map: Codable, Sendable { var points: [Double] }
        let map = TableSchema<Map>.codable(table: "maps", primaryKey: "id")
        let error = await sqliteError { _ = try map.encode(Map(points: [.infinity])) }
        #expect(
            error
                == .encodingFailed(
                    message: "The value of column 'points' of table 'maps' has no JSON form: Array<Double>."))
    }

    @Test func aDecimalThatIsNoNumberHasNoJSONForm() async throws {
        struct Price: Codable, Sendable {
            var amount: Decimal
            var notes = ["NaN"]
        }
        let prices = TableSchema<Price>.codable(table: "prices", primaryKey: "id")
        let error = await sqliteError { _ = try prices.encode(Price(amount: .nan)) }
        #expect(
            error
                == .encodingFailed(
                    message: "The value of column 'amount' of table 'prices' has no JSON form: \(Decimal.self)."))
        #expect(try prices.encode(Price(amount: 1)) == ["amount": .text("1"), "notes": .text(#"["NaN"]"#)])
    }

    @Test func whatIsNotFlatIsRefused() async {
        struct Nested: Encodable {
            enum Key: CodingKey { case inner }
            let step: @Sendable (inout KeyedEncodingContainer<Key>) throws -> Void
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try step(&container)
            }
        }
        let values: [any Encodable] = [
            [1], [Int](), 5, "text", Int?.none,
            Nested { _ = $0.nestedUnkeyedContainer(forKey: .inner) },
            Nested { try $0.superEncoder().singleValueContainerOfOne() },
            Nested {
                var inner = $0.nestedContainer(keyedBy: Nested.Key.self, forKey: .inner)
                try inner.encode(1, forKey: .inner)
            },
        ]
        for value in values {
            let error = await sqliteError { _ = try SQLiteEncoder().encode(value) }
            guard case .encodingFailed(let message)? = error, message.contains("is not flat") else {
                Issue.record("unexpected for \(value): \(String(describing: error))")
                continue
            }
        }
        for type in [[Int].self, Int.self, String?.self] as [any Decodable.Type] {
            let error = await sqliteError { _ = try SQLiteDecoder().decode(type, from: Row(["a": .integer(1)])) }
            guard case .decodingFailed? = error else {
                Issue.record("unexpected for \(type): \(String(describing: error))")
                continue
            }
        }
    }

    @Test func anErrorOfTheEntityItselfKeepsItsForm() async {
        struct Refusal: Error, Equatable {}
        struct Picky: Codable {
            init() {}
            init(from decoder: any Decoder) throws { throw Refusal() }
            func encode(to encoder: any Encoder) throws { throw Refusal() }
        }
        #expect(throws: Refusal()) { try SQLiteEncoder().encode(Picky()) }
        #expect(throws: Refusal()) { try SQLiteDecoder().decode(Picky.self, from: Row([:])) }
    }

    @Test func anEncodingErrorOfTheWholeEntityNamesTableAndType() async {
        struct Strict: Codable, Sendable {
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "no"))
            }
        }
        let strict = TableSchema<Strict>.codable(table: "rules", primaryKey: "id")
        #expect(
            await sqliteError { _ = try strict.encode(Strict()) }
                == .encodingFailed(message: "A Strict cannot be stored in table 'rules'."))
        #expect(
            await sqliteError { _ = try SQLiteEncoder().encode(Strict()) }
                == .encodingFailed(message: "A Strict cannot be stored."))
    }

    @Test func anEncodingErrorOfTheEntityNamesTableAndColumnAndNotTheValue() async {
        struct Strict: Codable, Sendable {
            enum Key: CodingKey { case id }
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue("secret", .init(codingPath: [Key.id], debugDescription: "secret"))
            }
        }
        let strict = TableSchema<Strict>.codable(table: "rules", primaryKey: "id")
        #expect(
            await sqliteError { _ = try strict.encode(Strict()) }
                == .encodingFailed(message: "The value of column 'id' of table 'rules' cannot be stored."))
    }

    @Test func aDecodingErrorOfTheEntityNamesTheTable() async {
        struct Strict: Codable, Sendable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no"))
            }
        }
        let strict = TableSchema<Strict>.codable(table: "rules", primaryKey: "id")
        #expect(
            await sqliteError { _ = try strict.decode(Row([:])) }
                == .decodingFailed(message: "A row of table 'rules' is no Strict."))
    }
}

extension Encoder {
    fileprivate func singleValueContainerOfOne() throws {
        var container = singleValueContainer()
        try container.encode(1)
    }
}
