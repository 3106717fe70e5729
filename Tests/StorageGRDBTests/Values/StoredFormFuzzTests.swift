import StorageKit
import StorageSQLite
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// What the parsers of stored forms make of anything at all.
@Suite struct StoredFormFuzzTests {
    @Test func anyTextIsADecimalOrNone() throws {
        var input = FuzzInput("decimals")
        let count = programCount(short: 3_000, quick: 10_000, full: 500_000)
        var decimals = 0
        for _ in 0..<count {
            let text = input.once(in: 2) ? input.decimalText() : input.text()
            let row = RowReader(values: [.text(text)], names: ["price"])
            guard let value = try? Decimal.read(from: row, at: 0) else { continue }
            decimals += 1
            let stored = RowReader(values: [try value.storedValue()], names: ["price"])
            #expect(try Decimal.read(from: stored, at: 0) == value, "\(input.seed): \(text.debugDescription)")
        }
        #expect(decimals > count / 10)
        reportFuzz("decimals", (count, "texts"), (decimals, "numbers"))
    }

    @Test func anyNumberIsADecimalOrNone() throws {
        var input = FuzzInput("numbers as decimals")
        let count = programCount(short: 3_000, quick: 10_000, full: 500_000)
        for _ in 0..<count {
            let bits = input.random.next()
            for value in [StoredValue.real(Double(bitPattern: bits)), .integer(Int64(bitPattern: bits))] {
                let row = RowReader(values: [value], names: ["price"])
                guard let decimal = try? Decimal.read(from: row, at: 0) else { continue }
                #expect(try decimal.storedValue() == value.asDecimalText, "\(input.seed): \(value)")
            }
        }
        reportFuzz("numbers as decimals", (2 * count, "numbers"))
    }

    /// SQLite asks a collation of any texts, and builds on it that they have one order.
    @Test func anyTextsHaveOneOrderAsDecimals() {
        var input = FuzzInput("order of decimals")
        let count = programCount(short: 1_500, quick: 5_000, full: 200_000)
        for _ in 0..<count {
            let texts = (0..<3).map { _ in input.once(in: 3) ? input.text() : input.decimalText() }
            for one in texts {
                for other in texts {
                    let isLess = compareDecimalTexts(one, other)
                    #expect(
                        compareDecimalTexts(other, one).rawValue == -isLess.rawValue, "\(input.seed): \([one, other])")
                }
            }
        }
        reportFuzz("order of decimals", (9 * count, "pairs of texts"))
    }
}

extension FuzzInput {
    /// A number, or nearly.
    fileprivate mutating func decimalText() -> String {
        let digits = { (input: inout FuzzInput, most: Int) in
            String((0..<input.number(0...input.pick([1, 3, most]))).map { _ in input.pick(Array("0123456789")) })
        }
        var text = pick(["", "", "-", "+"]) + digits(&self, 60)
        if once(in: 2) { text += "." + digits(&self, 200) }
        if once(in: 3) { text += pick(["e", "E"]) + pick(["", "-", "+"]) + digits(&self, 25) }
        return text
    }
}
