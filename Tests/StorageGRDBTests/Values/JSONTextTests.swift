import Foundation
import Testing

@testable import StorageGRDB

@Suite struct JSONTextTests {
    @Test func theKeysOfADictionaryAreNotShownWhateverReadsThem() {
        for strategy in [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = strategy
            let error = #expect(throws: DecodingError.self) {
                try decoder.decode([String: [Int8]].self, from: Data(#"{"secret":["x"]}"#.utf8))
            }
            #expect(error?.placeInValue == "*.Index 0")
        }
    }
}
