import Foundation
import StorageKit

// A chain of keys of which none may be nil.

@StorageEntity
struct Country: Equatable {
    var id: Int
    var name: String
    @StorageHasMany(foreignKey: "countryId") var regions: [Province]
}

@StorageEntity
struct Province: Equatable {
    var id: String
    @StorageReference(Country.self, onDelete: .cascade) var countryId: Int
    var area: Double
    var since: Date?
    @StorageHasMany(foreignKey: "regionId") var towns: [Town]
}

@StorageEntity
struct Town: Equatable {
    var id: Int
    @StorageReference(Province.self, onDelete: .cascade) var regionId: String
    var name: String?
    var people: Int
    @StorageBelongsTo(foreignKey: "regionId") var region: Province?
    @StorageHasMany(foreignKey: "townId") var streets: [Street]
}

@StorageEntity
struct Street: Equatable {
    var id: Int
    @StorageReference(Town.self, onDelete: .cascade) var townId: Int
    var name: String
    var tax: Decimal?
    var isPaved: Bool
    @StorageBelongsTo(foreignKey: "townId") var town: Town?
}

extension Country: DrawnEntity {
    static let idWord = Asked<Country, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Country> {
        ColumnWords(texts: KindWords(needed: [Asked("name", \.name) { row, _ in row.name }]))
    }

    static var words: ColumnWords<Country> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var manys: [any ManyStep<Country>] {
        [
            Many("regions", \.regions, property: \.regions) { row, world in
                world[Province.self].filter { $0.countryId == row.id }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Country? {
        number < 5 ? Country(id: number, name: .draw(&maker)) : nil
    }
}

extension Province: DrawnEntity {
    static let idWord = Asked<Province, String>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Province> {
        ColumnWords(
            reals: KindWords(needed: [Asked("area", \.area) { row, _ in row.area }]),
            dates: KindWords(maybe: [Asked("since", \.since) { row, _ in row.since }]))
    }

    static var words: ColumnWords<Province> {
        var words = settable
        words.texts.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Province>] {
        [NeededStep("country", \.country) { row, world in world[Country.self].first { $0.id == row.countryId } }]
    }

    static var manys: [any ManyStep<Province>] {
        [
            Many("towns", \.towns, property: \.towns) { row, world in
                world[Town.self].filter { $0.regionId == row.id }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Province? {
        guard !world[Country.self].isEmpty, number < 8 else { return nil }
        return Province(
            id: "é\(number)", countryId: maker.pick(world[Country.self]).id, area: .draw(&maker),
            since: maker.maybe(.draw(&maker)))
    }
}

extension Town: DrawnEntity {
    static let idWord = Asked<Town, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Town> {
        ColumnWords(
            ints: KindWords(needed: [Asked("people", \.people) { row, _ in row.people }]),
            texts: KindWords(maybe: [Asked("name", \.name) { row, _ in row.name }]))
    }

    static var words: ColumnWords<Town> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Town>] {
        [
            NeededStep("region", \.region, property: \.region) { row, world in
                world[Province.self].first { $0.id == row.regionId }
            }
        ]
    }

    static var manys: [any ManyStep<Town>] {
        [
            Many("streets", \.streets, property: \.streets) { row, world in
                world[Street.self].filter { $0.townId == row.id }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Town? {
        guard !world[Province.self].isEmpty else { return nil }
        return Town(
            id: number, regionId: maker.pick(world[Province.self]).id, name: maker.maybe(.draw(&maker)),
            people: .draw(&maker))
    }
}

extension Street: DrawnEntity {
    static let idWord = Asked<Street, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Street> {
        ColumnWords(
            decimals: KindWords(maybe: [Asked("tax", \.tax) { row, _ in row.tax }]),
            texts: KindWords(needed: [Asked("name", \.name) { row, _ in row.name }]),
            flags: KindWords(needed: [Asked("isPaved", \.isPaved) { row, _ in row.isPaved }]))
    }

    static var words: ColumnWords<Street> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Street>] {
        [
            NeededStep("town", \.town, property: \.town) { row, world in
                world[Town.self].first { $0.id == row.townId }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Street? {
        guard !world[Town.self].isEmpty else { return nil }
        return Street(
            id: number, townId: maker.pick(world[Town.self]).id, name: .draw(&maker),
            tax: maker.maybe(.draw(&maker)), isPaved: .draw(&maker))
    }
}
