import StorageKit
import StorageTestSupport

/// Random values of every type, at the edges of its range half of the time.
struct RandomValues {
    var generator: SeededGenerator
    /// GRDB cuts text there, so that records which pass through it have none.
    var allowsNUL = true

    mutating func pick<T>(_ edges: [T], _ other: (inout RandomValues) -> T) -> T {
        bool() ? edges.randomElement(using: &generator) ?? edges[0] : other(&self)
    }

    mutating func maybe<T>(_ value: (inout RandomValues) -> T) -> T? {
        bool() ? value(&self) : nil
    }

    mutating func list<T>(_ element: (inout RandomValues) -> T) -> [T] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in element(&self) }
    }

    mutating func bool() -> Bool { Bool.random(using: &generator) }

    mutating func integer<T: FixedWidthInteger>() -> T {
        pick([.min, .max, 0, 1]) { T.random(in: .min ... .max, using: &$0.generator) }
    }

    mutating func double() -> Double {
        pick([0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, 1e22]) {
            Double.random(in: -1e12...1e12, using: &$0.generator)
        }
    }

    mutating func finite() -> Double {
        let value = double()
        return value.isFinite ? value : 1e308
    }

    mutating func float() -> Float {
        pick([0, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1]) {
            Float.random(in: -1...1, using: &$0.generator)
        }
    }

    mutating func decimal() -> Decimal {
        pick([0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -1, 0.1, .pi]) { random in
            let digits = (0..<Int.random(in: 1...38, using: &random.generator)).map { _ in
                String(Int.random(in: 0...9, using: &random.generator))
            }
            let exponent = Int.random(in: -60...60, using: &random.generator)
            let significand = Decimal(string: digits.joined()) ?? 0
            return Decimal(sign: random.bool() ? .plus : .minus, exponent: exponent, significand: significand)
        }
    }

    mutating func uuid() -> UUID {
        withUnsafeBytes(of: (generator.next(), generator.next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    mutating func string() -> String {
        let string = anyString()
        return allowsNUL ? string : string.replacingOccurrences(of: "\0", with: "0")
    }

    private mutating func anyString() -> String {
        pick([
            "", "\0", "a\0b", "日本語", "👩‍👩‍👧‍👦", "e\u{301}", "\u{E9}", "'; DROP TABLE x; --", "%_\\\"", "\u{FEFF}", "null",
            "\u{2028}", "12", "true", "\u{10FFFF}",
        ]) { random in
            String(
                (0..<Int.random(in: 0..<40, using: &random.generator)).map { _ in
                    "aé漢🎈\n\"".randomElement(using: &random.generator) ?? "a"
                })
        }
    }

    mutating func data() -> Data {
        pick([Data(), Data([0]), Data(repeating: 255, count: 5000)]) { Data("\($0.generator.next())".utf8) }
    }

    mutating func date() -> Date {
        pick([
            Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: -0.1),
            Date(timeIntervalSince1970: -62_135_769_600), Date(timeIntervalSince1970: 253_402_300_799.999),
        ]) {
            Date(
                timeIntervalSinceReferenceDate: Double.random(
                    in: -63_000_000_000...250_000_000_000, using: &$0.generator))
        }
    }

    mutating func url() -> URL {
        let number = Int.random(in: 0..<1000, using: &generator)
        return URL(string: "https://example.com/\(number)?q=%20#f") ?? URL(fileURLWithPath: "/")
    }

    mutating func level() -> Level { pick([.low, .middle, .high]) { _ in .low } }
    mutating func weekday() -> Weekday { pick([.monday, .tuesday, .wednesday]) { _ in .monday } }

    mutating func figure() -> Figure {
        pick([.none, .circle(radius: -0.0)]) {
            $0.bool()
                ? .circle(radius: $0.finite()) : .polygon(names: $0.list { $0.string() }, closed: $0.bool())
        }
    }

    mutating func json(depth: Int = 0) -> AnyCodable {
        pick([.null, true, .int(.min), .int(.max), .uint(.max), .double(0.1), "", [], [:]]) { random in
            guard depth < 3 else { return .string(random.string()) }
            if random.bool() { return .array(random.list { $0.json(depth: depth + 1) }) }
            let members = random.list { ($0.string(), $0.json(depth: depth + 1)) }
            return .object(Dictionary(members) { first, _ in first })
        }
    }

    mutating func point() -> GeoPoint { GeoPoint(latitude: double(), longitude: double()) }

    mutating func place() -> Venue {
        Venue(
            title: string(), point: point(), backup: maybe { $0.point() }, level: level(), day: maybe { $0.weekday() },
            tags: list { $0.string() }, figure: maybe { $0.figure() }, opened: date(), token: uuid(),
            site: maybe { $0.url() }, size: integer(), price: decimal(), isOpen: bool(), isNew: bool(),
            postCode: string())
    }
}
