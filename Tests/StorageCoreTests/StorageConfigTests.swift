import StorageCore
import Testing

@Suite struct StorageConfigTests {
    @Test func defaultsAreTheDocumentedOnes() {
        let config = StorageConfig()
        #expect(config.defaultTTL == 300)
        #expect(config.diskQuotaBytes == 20_971_520)
        #expect(config.namespace == "storage")
        #expect(config.clock is SystemClock)
    }

    @Test func datesTravelAsISO8601() throws {
        let config = StorageConfig()
        let dates = [Date(timeIntervalSince1970: 0)]
        let json = try config.makeEncoder().encode(dates)
        #expect(String(decoding: json, as: UTF8.self) == #"["1970-01-01T00:00:00Z"]"#)
        #expect(try config.makeDecoder().decode([Date].self, from: json) == dates)
    }

    @Test(arguments: [
        (0.5, "1970-01-01T00:00:00.500Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
        (1_767_323_045.123_456, "2026-01-02T03:04:05.123456Z"),
    ])
    func fractionsOfASecondAreKeptWhenThereAreAny(seconds: Double, text: String) throws {
        let config = StorageConfig()
        let dates = [Date(timeIntervalSince1970: seconds)]
        let json = try config.makeEncoder().encode(dates)
        #expect(String(decoding: json, as: UTF8.self) == #"["\#(text)"]"#)
        #expect(try config.makeDecoder().decode([Date].self, from: json) == dates)
    }

    @Test func whatFoundationWritesAsISO8601IsRead() throws {
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        let dates = [-62_135_769_600.0, -12_219_292_801, 0, 1_767_323_045, 253_402_300_799].map {
            Date(timeIntervalSince1970: $0)
        }
        #expect(try StorageConfig().makeDecoder().decode([Date].self, from: foundation.encode(dates)) == dates)
    }

    @Test func aDateThatISO8601CannotWriteIsRefused() {
        let dates = [Date(timeIntervalSince1970: 253_402_300_800), Date(timeIntervalSince1970: .nan)]
        for date in dates {
            #expect(throws: EncodingError.self) { try StorageConfig().makeEncoder().encode([date]) }
        }
    }

    @Test func objectsAreWrittenWithSortedKeysAndPlainSlashes() throws {
        let json = try StorageConfig().makeEncoder().encode(["b": "/", "a": "", "c": ""])
        #expect(String(decoding: json, as: UTF8.self) == #"{"a":"","b":"/","c":""}"#)
    }

    @Test func eachUseGetsACoderOfItsOwnConfiguredAlike() throws {
        let config = StorageConfig(configureEncoder: { $0.keyEncodingStrategy = .convertToSnakeCase })
        let first = config.makeEncoder()
        #expect(first !== config.makeEncoder())
        let json = try config.makeEncoder().encode(Named(userName: 1))
        #expect(String(decoding: json, as: UTF8.self) == #"{"user_name":1}"#)
    }

    private struct Named: Codable {
        var userName: Int
    }
}
