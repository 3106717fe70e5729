import StorageKit

/// The entity of the fixtures: a property for each type of column that there is.
@StorageEntity(table: "keepsakes")
struct Keepsake {
    var id: String
    var text: String
    var integer: Int
    var real: Double
    var bool: Bool
    var date: Date
    var data: Data
    var unsigned: UInt64
    var decimal: Decimal
    var mood: Mood
    @StorageJSON var tags: [String]
    @StorageEmbedded(prefix: "spot_") var spot: Spot
    var note: String?
    var count: Int?
    var ratio: Double?
    var flag: Bool?
    var seen: Date?
    var bytes: Data?
    var price: Decimal?

    enum Mood: String, Codable, Sendable { case calm, wild }

    struct Spot: Codable, Sendable, Equatable {
        var city: String
        var floor: Int?
    }
}

extension Keepsake {
    /// The rows of `store-1.sql`.
    static let ofStore1 = [
        Keepsake(
            id: "full", text: "it's ümlaut", integer: .min, real: -1.5, bool: true,
            date: Date(timeIntervalSinceReferenceDate: 700_000_000.123456), data: Data([0, 255]), unsigned: .max,
            decimal: Decimal(string: "12345678901234567890.123456789") ?? 0, mood: .wild, tags: ["a", "b"],
            spot: Spot(city: "Rome", floor: 3), note: "", count: 0, ratio: 0, flag: false,
            seen: Date(timeIntervalSince1970: 0), bytes: Data(), price: Decimal(string: "-0.01")),
        Keepsake(
            id: "sparse", text: "", integer: 0, real: 0, bool: false, date: Date(timeIntervalSince1970: 1_577_836_800),
            data: Data(), unsigned: 0, decimal: 0, mood: .calm, tags: [], spot: Spot(city: "", floor: nil), note: nil,
            count: nil, ratio: nil, flag: nil, seen: nil, bytes: nil, price: nil),
    ]

    /// A later version of the model that `model-1.sql` holds: what has been added has a value for existing rows.
    enum Grown {
        @StorageEntity(table: "keepsakes")
        struct Keepsake {
            var id: String
            var text: String
            @StorageEmbedded(prefix: "spot_") var spot: Spot
            var note: String?
            var integer: Int
            var real: Double
            var bool: Bool
            var date: Date
            var data: Data
            var decimal: Decimal
            @StorageJSON var tags: [String]
            var mood: Mood = Mood.calm
            var seen: Date?
        }
    }
}
