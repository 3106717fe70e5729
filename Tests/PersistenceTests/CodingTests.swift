import Persistence
import StorageTestSupport
import Testing

/// A value that a column keeps, with the type that the column is declared with.
private func roundTrip<Value: Codable & Sendable & Equatable>(
    _ value: Value, column type: String, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> SQLiteValue? {
    let shelf = try await Shelf(
        "CREATE TABLE boxes (id INTEGER PRIMARY KEY, value \(type), other \(type))", sync: false)
    let boxes = DAO.make(
        database: shelf.database, schema: TableSchema<Box<Value>>.codable(table: "boxes", primaryKey: "id"))
    let box = Box(id: 1, value: value, other: nil)
    #expect(try await boxes.create(box) == box, sourceLocation: sourceLocation)
    #expect(try await boxes.read(.integer(1)) == box, sourceLocation: sourceLocation)
    let full = Box(id: 1, value: value, other: value)
    #expect(try await boxes.update(full) == full, sourceLocation: sourceLocation)
    #expect(try await boxes.list() == [full], sourceLocation: sourceLocation)
    return try await shelf.database.rows("SELECT value FROM boxes").first?.value("value")
}

private struct Box<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    var id: Int64
    var value: Value
    var other: Value?
}

@Suite struct CodingTests {
    @Test func boolsAndIntegersAreIntegers() async throws {
        #expect(try await roundTrip(true, column: "INTEGER") == .integer(1))
        #expect(try await roundTrip(false, column: "INTEGER") == .integer(0))
        #expect(try await roundTrip(Int.min, column: "INTEGER") == .integer(.min))
        #expect(try await roundTrip(Int8.min, column: "INTEGER") == .integer(-128))
        #expect(try await roundTrip(Int16.max, column: "INTEGER") == .integer(32767))
        #expect(try await roundTrip(Int32.min, column: "INTEGER") == .integer(-2_147_483_648))
        #expect(try await roundTrip(Int64.max, column: "INTEGER") == .integer(.max))
        #expect(try await roundTrip(UInt8.max, column: "INTEGER") == .integer(255))
        #expect(try await roundTrip(UInt16.max, column: "INTEGER") == .integer(65535))
        #expect(try await roundTrip(UInt32.max, column: "INTEGER") == .integer(4_294_967_295))
        #expect(try await roundTrip(UInt(7), column: "INTEGER") == .integer(7))
        #expect(try await roundTrip(UInt64(Int64.max), column: "INTEGER") == .integer(.max))
        #expect(try await roundTrip(5, column: "REAL") == .real(5))
    }

    @Test func everyIntegerButZeroIsTrue() throws {
        let row = Row(["a": .integer(2), "b": .integer(-1), "c": .integer(0)])
        #expect(try SQLiteDecoder().decode([String: Bool].self, from: row) == ["a": true, "b": true, "c": false])
    }

    @Test(arguments: ["INTEGER", "REAL", "TEXT", "BLOB", ""])
    func unsignedIntegersBeyondTheRangeOfSQLiteKeepTheirOrder(_ type: String) async throws {
        let edge = UInt64(Int64.max) + 1
        #expect(try await roundTrip(edge, column: type) == .blob(Data([128, 0, 0, 0, 0, 0, 0, 0])))
        #expect(try await roundTrip(UInt64.max, column: type) == .blob(Data(repeating: 255, count: 8)))
        #expect(try await roundTrip(UInt.max, column: type) == .blob(Data(repeating: 255, count: 8)))
        let shelf = try await Shelf("CREATE TABLE boxes (id INTEGER PRIMARY KEY, value INTEGER, other INTEGER)")
        let boxes = DAO.make(
            database: shelf.database, schema: TableSchema<Box<UInt64>>.codable(table: "boxes", primaryKey: "id"))
        let values = [edge + 1, 3, .max, edge, edge - 1]
        for (id, value) in zip(Int64(1)..., values) {
            _ = try await boxes.create(Box(id: id, value: value, other: nil))
        }
        let sorted = try await boxes.query("SELECT * FROM boxes ORDER BY value", []).map(\.value)
        #expect(sorted == values.sorted())
    }

    @Test func floatingPointNumbersAreRealToTheLastBit() async throws {
        #expect(try await roundTrip(0.1, column: "REAL") == .real(0.1))
        #expect(try await roundTrip(Double.infinity, column: "REAL") == .real(.infinity))
        #expect(try await roundTrip(-Double.greatestFiniteMagnitude, column: "REAL") == .real(-0x1.fffffffffffffp1023))
        #expect(try await roundTrip(Double.leastNonzeroMagnitude, column: "REAL") == .real(.leastNonzeroMagnitude))
        #expect(try await roundTrip(Float(0.1), column: "REAL") == .real(Double(Float(0.1))))
        #expect(try await roundTrip(-Float.infinity, column: "REAL") == .real(-.infinity))
        // A numeric column keeps whole numbers as INTEGER.
        #expect(try await roundTrip(5.0, column: "INTEGER") == .integer(5))
        #expect(try await roundTrip(-0.0, column: "REAL") == .real(0))
    }

    @Test(arguments: ["", "a\0b", "'; DROP TABLE boxes; --", "e\u{301}", "👩‍👩‍👧", "007", "null", "NULL"])
    func stringsAreText(_ text: String) async throws {
        #expect(try await roundTrip(text, column: "TEXT") == .text(text))
    }

    @Test func dataAreBlobs() async throws {
        #expect(try await roundTrip(Data(), column: "BLOB") == .blob(Data()))
        #expect(try await roundTrip(Data([0, 255, 0]), column: "TEXT") == .blob(Data([0, 255, 0])))
    }

    @Test func urlsAreText() async throws {
        let url = try #require(URL(string: "https://example.com/a%20b?q=%C3%A9#end"))
        #expect(try await roundTrip(url, column: "TEXT") == .text("https://example.com/a%20b?q=%C3%A9#end"))
    }

    @Test func datesAreTheSecondsSince1970() async throws {
        #expect(try await roundTrip(Date(timeIntervalSince1970: 0), column: "REAL") == .real(0))
        #expect(
            try await roundTrip(Date(timeIntervalSince1970: 1_763_751_234.123_456_7), column: "REAL")
                == .real(1_763_751_234.123_456_7))
        _ = try await roundTrip(Date.distantPast, column: "REAL")
        _ = try await roundTrip(Date.distantFuture, column: "REAL")
        _ = try await roundTrip(Date(timeIntervalSince1970: -1.25), column: "INTEGER")
    }

    @Test func secondsSince1970AreKeptToTheBit() throws {
        var random = SeededGenerator()
        for _ in 0..<programCount(quick: 20_000, full: 2_000_000) {
            let date = Date(timeIntervalSinceReferenceDate: .random(in: -4e9...4e9, using: &random))
            let row = try SQLiteEncoder().encode(["date": date])
            #expect(row == ["date": .real(date.timeIntervalSince1970)])
            let read = try SQLiteDecoder().decode([String: Date].self, from: Row(row))["date"]
            #expect(
                read?.timeIntervalSince1970 == date.timeIntervalSince1970, "STORAGEKIT_SEED=\(random.seed)")
            // From 1985 on, a date between two such values becomes the nearer one.
            #expect(abs((read ?? .distantPast).timeIntervalSince(date)) < 0.000_001)
        }
    }

    @Test func otherTypesAreJSON() async throws {
        enum Suit: String, Codable { case hearts, spades }
        enum Rank: Int, Codable { case two = 2, three }
        enum Play: Codable, Equatable { case pass, bid(Int) }
        struct Point: Codable, Equatable { var x: Double, label: String?, tags: [String] }

        #expect(try await roundTrip(Suit.spades, column: "TEXT") == .text(#""spades""#))
        #expect(try await roundTrip(Rank.two, column: "TEXT") == .text("2"))
        #expect(try await roundTrip(Rank.three, column: "INTEGER") == .integer(3))
        #expect(try await roundTrip(Play.bid(3), column: "TEXT") == .text(#"{"bid":{"_0":3}}"#))
        #expect(try await roundTrip([1, 2], column: "TEXT") == .text("[1,2]"))
        #expect(try await roundTrip(["a": [true]], column: "") == .text(#"{"a":[true]}"#))
        _ = try await roundTrip(Point(x: 0.1, label: "é\"\0", tags: ["", "b"]), column: "TEXT")
        _ = try await roundTrip(UUID(), column: "TEXT")
        _ = try await roundTrip(Decimal(string: "12345678901234567890.123456789012345678"), column: "TEXT")
        _ = try await roundTrip(Decimal(2.5), column: "REAL")
        #expect(try await roundTrip(Int128.max, column: "TEXT") == .text("\(Int128.max)"))
        #expect(try await roundTrip([Int?.none, 1], column: "TEXT") == .text("[null,1]"))
    }

    @Test func integersOf128BitsAreTexts() throws {
        struct Wide: Codable, Equatable {
            var signed: Int128, unsigned: UInt128, maybe: Int128?, none: UInt128?
        }
        let wide = Wide(signed: .min, unsigned: .max, maybe: 5, none: nil)
        let encoded = try SQLiteEncoder().encode(wide)
        #expect(encoded["signed"] == .text("\(Int128.min)"))
        #expect(try SQLiteDecoder().decode(Wide.self, from: encoded) == wide)
    }

    @Test func anEncoderThatWritesNoUTF8MakesBlobs() throws {
        final class Latin: JSONEncoder, @unchecked Sendable {
            override func encode(_ value: some Encodable) throws -> Data { Data([0xFF, 0xFE]) }
        }
        let options = SQLiteCodingOptions(jsonEncoder: { Latin() })
        #expect(try SQLiteEncoder(options: options).encode(["a": [1]]) == ["a": .blob(Data([0xFF, 0xFE]))])
        let row = Row(["a": .blob(Data("[1]".utf8))])
        #expect(try SQLiteDecoder().decode([String: [Int]].self, from: row) == ["a": [1]])
    }

    @Test func whatIsNilIsNull() throws {
        struct Optionals: Codable, Equatable {
            var bool: Bool?, int: Int?, byte: UInt8?, big: UInt64?, double: Double?, float: Float?, string: String?
            var data: Data?, date: Date?, url: URL?, list: [Int]?, int8: Int8?, int16: Int16?, int32: Int32?
            var int64: Int64?, uint: UInt?, uint16: UInt16?, uint32: UInt32?, int128: Int128?, uint128: UInt128?
        }
        let encoded = try SQLiteEncoder().encode(Optionals())
        #expect(encoded.count == 20)
        #expect(encoded.values.allSatisfy { $0 == .null })
        #expect(try SQLiteDecoder().decode(Optionals.self, from: Row(encoded)) == Optionals())
        #expect(try SQLiteDecoder().decode(Optionals.self, from: Row([:])) == Optionals())
    }

    @Test func anOptionalThatIsReadByItselfIsNilOrItsValue() throws {
        typealias Values = [String: Date?]
        let values: Values = ["a": nil, "b": Date(timeIntervalSince1970: 1.5)]
        let encoded = try SQLiteEncoder().encode(values)
        #expect(encoded == ["a": .null, "b": .real(1.5)])
        #expect(try SQLiteDecoder().decode(Values.self, from: Row(encoded)) == values)
    }
}
