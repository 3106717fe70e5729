import StorageCore
import Testing

@Suite struct AnyCodableTests {
    @Test(arguments: [
        AnyCodable.null, true, false, 0, -1, .int(.min), .int(.max), .uint(.max), 0.1, 1e300, .double(1), "", "null",
        "a\0ü🎈", [], [1, nil, "x"], [:], ["a": ["b": [1.5, true]], "": nil],
    ])
    func everyJSONValueComesBackEqual(value: AnyCodable) throws {
        let config = StorageConfig()
        let json = try config.makeEncoder().encode([value])
        let decoded = try config.makeDecoder().decode([AnyCodable].self, from: json)
        #expect(decoded == [value])
        #expect(decoded.map(\.hashValue) == [value.hashValue])
    }

    @Test func numbersCompareByValue() {
        #expect(AnyCodable.int(1) == .double(1))
        #expect(AnyCodable.uint(1) == .int(1))
        #expect(AnyCodable.double(1.5) != .int(1))
        #expect(AnyCodable.uint(.max) != .int(-1))
        #expect(AnyCodable.int(1) != .bool(true))
        #expect(AnyCodable.string("1") != .int(1))
    }

    @Test func aWholeNumberAboveInt64KeepsAllItsDigits() {
        #expect(AnyCodable(UInt64.max - 1) == .uint(.max - 1))
    }

    @Test func aNumberThatFitsNoIntIsNone() {
        #expect(AnyCodable.uint(.max).intValue == nil)
        #expect(AnyCodable.double(1e300).intValue == nil)
    }

    @Test func ofTwoMembersWithOneNameTheLaterWins() {
        let value: AnyCodable = ["a": 1, "a": 2]
        #expect(value == .object(["a": 2]))
    }

    @Test func infinityAndNaNHaveNoJSONForm() {
        for value in [Double.infinity, -.infinity, .nan] {
            #expect(throws: EncodingError.self) { try StorageConfig().makeEncoder().encode([AnyCodable.double(value)]) }
        }
    }

    @Test func whatNoDecoderReadsIsRefusedBeforeItTakesTheStack() throws {
        let config = StorageConfig()
        func wrapped(_ value: AnyCodable, times: Int) -> AnyCodable {
            (1...times).reduce(value) { value, level in
                level.isMultiple(of: 2) ? .array([1, value]) : .object(["a": value, "b": []])
            }
        }
        // Foundation takes seconds for it: at each level it is asked for types that the JSON is not, and each error has the whole path.
        let deep = wrapped(1, times: 500)
        let json = try config.makeEncoder().encode(["key": deep])
        #expect(try config.makeDecoder().decode([String: AnyCodable].self, from: json) == ["key": deep])
        for more in [20, 3_500] {
            #expect(throws: EncodingError.self) {
                try config.makeEncoder().encode(["key": wrapped(deep, times: more)])
            }
        }
    }

    @Test func membersAreReachedWithoutSwitching() {
        let value: AnyCodable = ["name": "Ada", "ages": [36, 36.5], "born": 1815, "died": true, "x": nil]
        #expect(value["name"]?.stringValue == "Ada")
        #expect(value["ages"]?[0]?.intValue == 36)
        #expect(value["ages"]?[1]?.doubleValue == 36.5)
        #expect(value["ages"]?[1]?.intValue == nil)
        #expect(value["ages"]?[2] == nil)
        #expect(value["died"]?.boolValue == true)
        #expect(value["x"]?.isNull == true)
        #expect(value["y"] == nil)
        #expect(value["name"]?["y"] == nil)
        #expect(value.objectValue?.count == 5)
        #expect(value.arrayValue == nil)
        #expect(AnyCodable(UInt8(3)) == 3)
        #expect(AnyCodable(UInt64.max).doubleValue == 0x1p64)
    }
}
