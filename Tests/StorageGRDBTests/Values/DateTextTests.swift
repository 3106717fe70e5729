import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageCore

@Suite struct DateTextTests {
    private func text(_ date: Date) throws -> String {
        try #require(DateText(date)).string
    }

    private func parse(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { DateText.parse($0) }
    }

    @Test func wholeMillisecondsAreWrittenAsGRDBWritesThem() throws {
        for seconds in [0.0, 1_767_225_600.5, 978_307_199.25, -1.5, 253_402_300_799.125, -62_135_769_600] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(try text(date).databaseValue == date.databaseValue)
        }
    }

    @Test func everyDateComesBackToTheBit() throws {
        var generator = SeededGenerator()
        for _ in 0..<programCount(quick: 20_000, full: 1_000_000) {
            let date = Date(timeIntervalSinceReferenceDate: randomSeconds(&generator))
            let text = try text(date)
            #expect(parse(text) == date, "seed \(generator.seed), \(date.timeIntervalSinceReferenceDate), \(text)")
        }
    }

    @Test func textsSortAsTheirDatesDo() throws {
        var generator = SeededGenerator()
        for _ in 0..<programCount(quick: 10_000, full: 500_000) {
            let first = randomSeconds(&generator)
            let second = Bool.random(using: &generator) ? first.nextUp : randomSeconds(&generator)
            let texts = try [first, second].map { try text(Date(timeIntervalSinceReferenceDate: $0)) }
            // SQLite compares bytes.
            let isLess = texts[0].utf8.lexicographicallyPrecedes(texts[1].utf8)
            #expect(isLess == (first < second), "seed \(generator.seed): \(first), \(second), \(texts)")
        }
    }

    @Test(arguments: [-1e-20, -Double.leastNonzeroMagnitude, -0.1, -0.9999, 1e-300, 0.1, 0.30000000000000004])
    func datesAroundTheReferenceDateComeBackToTheBit(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(parse(try text(date)) == date)
    }

    @Test(arguments: [
        ("2026-01-02", 1_767_312_000.0),
        ("2026-01-02 03:04", 1_767_323_040),
        ("2026-01-02 03:04:05", 1_767_323_045),
        ("2026-01-02T03:04:05.5Z", 1_767_323_045.5),
        ("2026-01-02T03:04:05+02:00", 1_767_315_845),
        ("2026-01-02T03:04:05-03:30", 1_767_335_645),
    ])
    func otherFormsOfSQLiteAndISO8601AreRead(text: String, seconds: Double) {
        #expect(parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "2026", "2026-13-01", "2026-01-32", "2026-02-29", "2026-04-31", "2026-01-02 25:00",
        "2026-01-02 03:04:05 pm", "03:04", "today", "2026-01-02 03:04:60", "2026-01-02 03:60:00",
        "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05-01:60",
    ])
    func whatIsNoDateIsNotRead(text: String) {
        #expect(parse(text) == nil)
    }

    @Test func theShortRoadReadsWhatTheGeneralRoadReads() throws {
        var generator = SeededGenerator()
        for _ in 0..<programCount(quick: 50_000, full: 2_000_000) {
            let date = Date(timeIntervalSince1970: .random(in: -13_000_000_000...253_402_300_799, using: &generator))
            var text = Array(try #require(DateText(date)).string.utf8.prefix(.random(in: 19...37, using: &generator)))
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: text.indices, using: &generator)
                text[place] = UInt8.random(in: 44...59, using: &generator)
            }
            let (short, general) = text.withUnsafeBufferPointer { (DateText.parse($0), DateText.parseAny($0)) }
            guard short == general else {
                Issue.record("STORAGEKIT_SEED=\(generator.seed): \(String(decoding: text, as: UTF8.self))")
                return
            }
        }
    }

    @Test func datesBeforeYear1AndAfterYear9999AreRefused() {
        #expect(DateText(Date.distantPast.addingTimeInterval(-86_400 * 400)) == nil)
        #expect(DateText(Date(timeIntervalSince1970: 253_402_300_800)) == nil)
        #expect(DateText(Date(timeIntervalSince1970: .infinity)) == nil)
        #expect(DateText(Date(timeIntervalSince1970: .nan)) == nil)
    }

    private func randomSeconds(_ generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: Double.random(in: -63_082_281_600...252_423_993_599, using: &generator)
        case 1: Double.random(in: 600_000_000...900_000_000, using: &generator)
        case 2: Double.random(in: -1...1, using: &generator)
        case 3: Double.random(in: -1...1, using: &generator) * pow(10, Double.random(in: -20...0, using: &generator))
        default: (Double.random(in: -1e9...1e9, using: &generator) * 1000).rounded() / 1000
        }
    }
}
