import Foundation
import Testing

@testable import StorageGRDB
@testable import StorageSQLite

@Suite struct StoredValueHashTests {
    @Test func everyByteOfATextCounts() {
        for length in 0...70 {
            let bytes = [UInt8](repeating: 97, count: length)
            var hashes: Set = [StoredValue.text(String(decoding: bytes, as: UTF8.self)).hashValue]
            for place in bytes.indices {
                var changed = bytes
                changed[place] = 98
                hashes.insert(StoredValue.text(String(decoding: changed, as: UTF8.self)).hashValue)
            }
            #expect(hashes.count == length + 1)
        }
    }

    @Test func textsOfZeroBytesDifferByTheirLengths() {
        let hashes = (0...40).map { StoredValue.text(String(repeating: "\0", count: $0)).hashValue }
        #expect(Set(hashes).count == 41)
    }

    @Test(arguments: [
        (StoredValue.real(0.0), StoredValue.real(-0.0)), (.null, .null), (.integer(-1), .integer(-1)),
        (.blob(Data([1, 2])), .blob(Data([0, 1, 2]).dropFirst())),
        (.text("a text of more than fifteen bytes"), .text(String(Array("a text of more than fifteen bytes")))),
    ])
    func whatIsTheSameHasTheSameHash(_ pair: (StoredValue, StoredValue)) {
        #expect(pair.0 == pair.1)
        #expect(pair.0.hashValue == pair.1.hashValue)
    }
}
