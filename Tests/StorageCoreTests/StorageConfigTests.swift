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
