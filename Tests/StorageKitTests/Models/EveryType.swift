import StorageKit
import StorageTestSupport

/// An entity with a property of every type that can be stored, and the optional of each.
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
    var cgFloat: CGFloat
    var decimal: Decimal
    var date: Date
    var data: Data
    var uuid: UUID
    var url: URL
    var level: Level
    var weekday: Weekday
    var permissions: Permissions
    var tag: Stamp
    var figure: Figure
    var list: [String]
    var json: AnyCodable
    @StorageJSON var dates: [Date]
    @StorageJSON var text: String
    @StorageEmbedded var place: Venue
    @StorageEmbedded(prefix: "total_") var money: Money

    var maybeString: String?
    var maybeBool: Bool?
    var maybeInt: Int?
    var maybeUInt64: UInt64?
    var maybeDouble: Double?
    var maybeCGFloat: CGFloat?
    var maybeDecimal: Decimal?
    var maybeDate: Date?
    var maybeData: Data?
    var maybeUUID: UUID?
    var maybeURL: URL?
    var maybeLevel: Level?
    var maybeWeekday: Weekday?
    var maybePermissions: Permissions?
    var maybeTag: Stamp?
    var maybeFigure: Figure?
    var maybeList: [String]?
    var maybeJSON: AnyCodable?
    @StorageJSON var maybeDates: [Date]?
    @StorageEmbedded var maybePlace: Venue?
    @StorageEmbedded var maybePoint: GeoPoint?
}

extension EveryType {
    static func random(using generator: inout SeededGenerator, allowsNUL: Bool = true) -> EveryType {
        var random = RandomValues(generator: generator, allowsNUL: allowsNUL)
        defer { generator = random.generator }
        return EveryType(
            id: random.uuid(), string: random.string(), bool: random.bool(), int: random.integer(),
            int8: random.integer(), int16: random.integer(), int32: random.integer(), int64: random.integer(),
            uint: random.integer(), uint8: random.integer(), uint16: random.integer(), uint32: random.integer(),
            uint64: random.integer(), double: random.double(), float: random.float(),
            cgFloat: CGFloat(random.double()), decimal: random.decimal(), date: random.date(), data: random.data(),
            uuid: random.uuid(), url: random.url(), level: random.level(), weekday: random.weekday(),
            permissions: Permissions(rawValue: random.integer()), tag: Stamp(rawValue: random.string()),
            figure: random.figure(), list: random.list { $0.string() }, json: random.json(),
            dates: random.list { $0.date() }, text: random.string(), place: random.place(),
            money: Money(amount: random.decimal(), currency: random.string()),
            maybeString: random.maybe { $0.string() }, maybeBool: random.maybe { $0.bool() },
            maybeInt: random.maybe { $0.integer() }, maybeUInt64: random.maybe { $0.integer() },
            maybeDouble: random.maybe { $0.double() }, maybeCGFloat: random.maybe { CGFloat($0.double()) },
            maybeDecimal: random.maybe { $0.decimal() }, maybeDate: random.maybe { $0.date() },
            maybeData: random.maybe { $0.data() }, maybeUUID: random.maybe { $0.uuid() },
            maybeURL: random.maybe { $0.url() }, maybeLevel: random.maybe { $0.level() },
            maybeWeekday: random.maybe { $0.weekday() },
            maybePermissions: random.maybe { Permissions(rawValue: $0.integer()) },
            maybeTag: random.maybe { Stamp(rawValue: $0.string()) }, maybeFigure: random.maybe { $0.figure() },
            maybeList: random.maybe { $0.list { $0.string() } }, maybeJSON: random.maybe { $0.json() },
            maybeDates: random.maybe { $0.list { $0.date() } }, maybePlace: random.maybe { $0.place() },
            maybePoint: random.maybe { $0.point() })
    }
}
