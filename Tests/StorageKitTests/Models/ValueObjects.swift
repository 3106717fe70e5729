import StorageKit

// Value types declared outside any entity, where no macro can look into them.

struct PostalAddress: Codable, Sendable, Equatable {
    var street: String
    var city: String
    var zip: String
    var country: String
}

struct Money: Codable, Sendable, Equatable {
    var amount: Decimal
    var currency: String
}

struct GeoPoint: Embeddable {
    var latitude: Double
    var longitude: Double

    static let origin = GeoPoint(latitude: 0, longitude: 0)
}

/// An enum of texts, none of which can be guessed.
enum Level: String, Codable, Sendable {
    case low, middle, high
}

/// An enum of numbers that has no 0.
enum Weekday: Int, Codable, Sendable, CaseIterable {
    case monday = 1
    case tuesday, wednesday
}

/// An enum with values, which becomes JSON.
enum Figure: Codable, Sendable, Equatable {
    case circle(radius: Double)
    case polygon(names: [String], closed: Bool)
    case none
}

struct Permissions: OptionSet, Codable, Sendable {
    let rawValue: Int32
}

/// Known by one text, as a type of its own.
struct Stamp: RawRepresentable, Codable, Sendable, Hashable {
    let rawValue: String
}

/// A value with fields of every kind, optional ones and deeper ones, and a coding key of its own.
struct Venue: Codable, Sendable, Equatable {
    var title: String
    var point: GeoPoint
    var backup: GeoPoint?
    var level: Level
    var day: Weekday?
    var tags: [String]
    var figure: Figure?
    var opened: Date
    var token: UUID
    var site: URL?
    var size: UInt64
    var price: Decimal
    var isOpen: Bool
    var isNew: Bool
    var postCode: String

    var shout: String { title.uppercased() }
    var town: String { postCode }
    var firstTag: String { tags[0] }
    var mirror: GeoPoint? { nil }

    enum CodingKeys: String, CodingKey {
        case title, point, backup, level, day, tags, figure, opened, token, site, size, price, isOpen, isNew
        case postCode = "post_code"
    }
}
