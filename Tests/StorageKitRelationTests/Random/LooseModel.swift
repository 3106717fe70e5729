import Foundation
import StorageKit

// Keys that nothing enforces, so that they may lead nowhere.

@StorageEntity
struct Client: Equatable {
    var id: Int
    var name: String
    var limit: Decimal?
    @StorageHasMany(foreignKey: "clientId") var bills: [Bill]
}

@StorageEntity
struct Bill: Equatable {
    var id: Int
    var clientId: Int
    var dueAt: Date
    var paidAt: Date?
    var note: String?
    @StorageBelongsTo var client: Client?
    @StorageHasMany(foreignKey: "billId") var lines: [Line]
}

@StorageEntity
struct Line: Equatable {
    var id: Int
    var billId: Int?
    var count: Int
    var price: Decimal
    var weight: Double?
    @StorageBelongsTo var bill: Bill?
}

extension Client: DrawnEntity {
    static let idWord = Asked<Client, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Client> {
        ColumnWords(
            decimals: KindWords(maybe: [Asked("limit", \.limit) { row, _ in row.limit }]),
            texts: KindWords(needed: [Asked("name", \.name) { row, _ in row.name }]))
    }

    static var words: ColumnWords<Client> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var manys: [any ManyStep<Client>] {
        [
            Many("bills", \.bills, property: \.bills) { row, world in
                world[Bill.self].filter { $0.clientId == row.id }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Client? {
        Client(id: number, name: .draw(&maker), limit: maker.maybe(.draw(&maker)))
    }
}

extension Bill: DrawnEntity {
    static let idWord = Asked<Bill, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Bill> {
        ColumnWords(
            ints: KindWords(needed: [Asked("clientId", \.clientId) { row, _ in row.clientId }]),
            texts: KindWords(maybe: [Asked("note", \.note) { row, _ in row.note }]),
            dates: KindWords(
                needed: [Asked("dueAt", \.dueAt) { row, _ in row.dueAt }],
                maybe: [Asked("paidAt", \.paidAt) { row, _ in row.paidAt }]))
    }

    static var words: ColumnWords<Bill> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Bill>] {
        [
            OptionalStep("client", \.client, property: \.client) { row, world in
                world[Client.self].first { $0.id == row.clientId }
            }
        ]
    }

    static var manys: [any ManyStep<Bill>] {
        [Many("lines", \.lines, property: \.lines) { row, world in world[Line.self].filter { $0.billId == row.id } }]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Bill? {
        Bill(
            id: number, clientId: maker.number(0...16), dueAt: .draw(&maker), paidAt: maker.maybe(.draw(&maker)),
            note: maker.maybe(.draw(&maker)))
    }
}

extension Line: DrawnEntity {
    static let idWord = Asked<Line, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Line> {
        ColumnWords(
            ints: KindWords(
                needed: [Asked("count", \.[\.count]) { row, _ in row.count }],
                maybe: [Asked("billId", \.billId) { row, _ in row.billId }]),
            reals: KindWords(maybe: [Asked("weight", \.weight) { row, _ in row.weight }]),
            decimals: KindWords(needed: [Asked("price", \.price) { row, _ in row.price }]))
    }

    static var words: ColumnWords<Line> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Line>] {
        [
            OptionalStep("bill", \.bill, property: \.bill) { row, world in
                world[Bill.self].first { $0.id == row.billId }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Line? {
        Line(
            id: number, billId: maker.maybe(maker.number(0...16)), count: .draw(&maker), price: .draw(&maker),
            weight: maker.maybe(.draw(&maker)))
    }
}
