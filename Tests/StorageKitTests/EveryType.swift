import StorageKit
import StorageTestSupport

/// An entity with one property of every flat type.
@StorageEntity
struct EveryType {
    var id: UUID
    var string: String
    var bool: Bool
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var double: Double
    var float: Float
    var date: Date
    var data: Data
    var uuid: UUID
    var url: URL
    var maybeString: String?
    var maybeBool: Bool?
    var maybeInt: Int?
    var maybeUInt64: UInt64?
    var maybeDouble: Double?
    var maybeDate: Date?
    var maybeData: Data?
    var maybeUUID: UUID?
    var maybeURL: URL?
}

extension EveryType {
    static func random(using generator: inout SeededGenerator) -> EveryType {
        func pick<T>(_ edges: [T], _ other: (inout SeededGenerator) -> T) -> T {
            Bool.random(using: &generator) ? edges.randomElement(using: &generator) ?? edges[0] : other(&generator)
        }
        func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
            pick([.min, .max, 0, 1]) { T.random(in: .min ... .max, using: &$0) }
        }
        func maybe<T>(_ value: T) -> T? {
            Bool.random(using: &generator) ? value : nil
        }
        func uuid() -> UUID {
            withUnsafeBytes(of: (generator.next(), generator.next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        func double() -> Double {
            pick([0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1]) {
                Double.random(in: -1e12...1e12, using: &$0)
            }
        }
        func string() -> String {
            pick(["", "\0", "a\0b", "日本語", "👩‍👩‍👧‍👦", "e\u{301}", "'; DROP TABLE x; --", "%_\\\"", "\u{FEFF}"]) {
                String((0..<Int.random(in: 0..<40, using: &$0)).map { _ in "aé漢🎈\n\"".randomElement() ?? "a" })
            }
        }
        func data() -> Data {
            pick([Data(), Data([0]), Data(repeating: 255, count: 5000)]) { Data("\($0.next())".utf8) }
        }
        func date() -> Date {
            pick([Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: -0.1)]) {
                Date(timeIntervalSinceReferenceDate: Double.random(in: -63_000_000_000...250_000_000_000, using: &$0))
            }
        }
        func url() -> URL {
            URL(string: "https://example.com/\(Int.random(in: 0..<1000, using: &generator))?q=%20#f")
                ?? URL(fileURLWithPath: "/")
        }
        return EveryType(
            id: uuid(), string: string(), bool: Bool.random(using: &generator), int: integer(Int.self),
            int8: integer(Int8.self), int16: integer(Int16.self), int32: integer(Int32.self),
            int64: integer(Int64.self), uint: integer(UInt.self), uint8: integer(UInt8.self),
            uint16: integer(UInt16.self), uint32: integer(UInt32.self), uint64: integer(UInt64.self),
            double: double(),
            float: pick([0, .infinity, .greatestFiniteMagnitude]) { Float.random(in: -1...1, using: &$0) },
            date: date(), data: data(), uuid: uuid(), url: url(), maybeString: maybe(string()),
            maybeBool: maybe(Bool.random(using: &generator)), maybeInt: maybe(integer(Int.self)),
            maybeUInt64: maybe(integer(UInt64.self)), maybeDouble: maybe(double()), maybeDate: maybe(date()),
            maybeData: maybe(data()), maybeUUID: maybe(uuid()), maybeURL: maybe(url()))
    }
}
