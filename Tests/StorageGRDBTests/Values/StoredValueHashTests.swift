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

    /// Low bits choose the place in a table: those of ids that are numbered must not gather, whatever a process has for a seed.
    @Test func idsThatAreNumberedSpreadOverATable() {
        let kinds: [@Sendable (BytesHash, Int) -> Int] = [
            { $0.hash(UInt64($1)) }, { $0.hash(UInt64($1) << 20) }, { $0.hash(UInt64($1) << 40) },
            { hash, number in withUnsafeBytes(of: number.bigEndian) { hash.hash($0) } },
            { hash, number in withUnsafeBytes(of: (number.bigEndian, 7)) { hash.hash($0) } },
        ]
        for _ in 0..<30 {
            let hash = BytesHash()
            for (kind, value) in kinds.enumerated() {
                let slots = Set((0..<4096).map { value(hash, $0) & 4095 })
                // Of 4096 that fall anywhere 2589 slots are hit, hardly ever 100 fewer.
                #expect(slots.count > 2400, "kind \(kind)")
            }
        }
    }
}
