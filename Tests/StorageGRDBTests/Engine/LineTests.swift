import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct LineTests {
    @Test func whoCameFirstIsServedFirst() {
        var random = SeededGenerator()
        var line = Line<Int>()
        var model: [Int] = []
        for number in 0..<2_000 {
            if !model.isEmpty, Bool.random(using: &random) {
                line.removeFirst()
                model.removeFirst()
            } else {
                line.append(number)
                model.append(number)
            }
            #expect(line.first == model.first && line.isEmpty == model.isEmpty, "STORAGEKIT_SEED=\(random.seed)")
            if number.isMultiple(of: 50) { #expect(line.all == model, "STORAGEKIT_SEED=\(random.seed)") }
        }
    }
}
