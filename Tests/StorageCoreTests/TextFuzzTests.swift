import StorageTestSupport
import Testing

@testable import StorageCore

/// What the plain parsers make of any text at all.
@Suite struct TextFuzzTests {
    @Test func anyTextIsADateOrNone() {
        var input = FuzzInput("dates")
        let count = programCount(short: 5_000, quick: 20_000, full: 1_000_000)
        var dates = 0
        for _ in 0..<count {
            let bytes = input.textBytes()
            guard let date = bytes.withUnsafeBufferPointer(DateText.parse) else { continue }
            dates += 1
            // What lies beyond the years that text can sort has no text.
            guard var text = DateText(date)?.string else { continue }
            #expect(text.withUTF8(DateText.parse) == date, "\(input.seed): \(bytes)")
        }
        #expect(dates > count / 100)
        reportFuzz("dates", (count, "texts"), (dates, "dates"))
    }

    @Test func anyNumberOfSecondsHasATextOrNone() {
        var input = FuzzInput("seconds")
        let count = programCount(short: 5_000, quick: 20_000, full: 1_000_000)
        for _ in 0..<count {
            let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: input.random.next()))
            for form in [DateText.Form.sql, .iso8601] {
                guard var text = DateText(date, form: form)?.string else { continue }
                #expect(text.withUTF8(DateText.parse) == date, "\(input.seed): \(text)")
            }
        }
        reportFuzz("seconds", (count, "numbers"))
    }

    @Test func anyTextIsJSONOrNone() throws {
        var input = FuzzInput("JSON")
        let count = programCount(short: 400, quick: 5_000, full: 20_000)
        let (encoder, decoder) = (JSONCoders.standardEncoder(), JSONCoders.standardDecoder())
        var values = 0
        for _ in 0..<count {
            let text = input.json()
            guard let value = try? decoder.decode(AnyCodable.self, from: Data(text.utf8)) else { continue }
            values += 1
            // What is nested deeply is read, and not written.
            guard let json = try? encoder.encode(value) else {
                #expect(text.utf8.count > 500, "\(input.seed): \(text.debugDescription)")
                continue
            }
            let again = try decoder.decode(AnyCodable.self, from: json)
            #expect(again == value, "\(input.seed): \(text.debugDescription)")
        }
        #expect(values > count / 4)
        reportFuzz("JSON", (count, "texts"), (values, "values"))
    }

    @Test func differentQuestionsHaveDifferentKeys() {
        var input = FuzzInput("keys")
        let count = programCount(short: 1_500, quick: 5_000, full: 200_000)
        let keys = KeyBuilder(namespace: "app")
        var seen: [String: (String, [String: String])] = [:]
        for _ in 0..<count {
            let name = input.question()
            var params: [String: String] = [:]
            for _ in 0..<input.number(0...2) { params[input.question()] = input.question() }
            let key = keys.queryKey(name, params: params)
            if let other = seen.updateValue((name, params), forKey: key) {
                #expect(other == (name, params), "\(input.seed): \(key.debugDescription)")
            }
            #expect(keys.queryKey(name, params: params) == key)
        }
        reportFuzz("keys", (count, "questions"), (seen.count, "keys"))
    }
}

extension FuzzInput {
    /// Of few letters, so that questions meet.
    fileprivate mutating func question() -> String {
        (0..<number(0...4)).map { _ in pick(["a", "b", "&", "=", "?", "%", "%26", ":"]) }.joined()
    }
}
