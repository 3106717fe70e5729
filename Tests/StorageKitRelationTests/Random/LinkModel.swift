import Foundation
import StorageKit

// A link that refers to one entity twice, and one between two entities.

@StorageEntity
struct Member: Equatable {
    var id: Int
    var name: String
    var age: Int?
    @StorageHasMany(through: Friendship.self, from: "oneId", to: "otherId") var friends: [Member]
    @StorageHasMany(through: Friendship.self, from: "otherId", to: "oneId") var admirers: [Member]
    @StorageHasMany(through: Joined.self) var clubs: [Club]
}

@StorageEntity
struct Friendship: Equatable {
    var id: Int
    @StorageReference(Member.self, onDelete: .cascade) var oneId: Int
    @StorageReference(Member.self, onDelete: .cascade) var otherId: Int
    var strength: Double
}

@StorageEntity
struct Club: Equatable {
    var id: String
    var fee: Decimal
    @StorageReference(Member.self, onDelete: .setNull, as: "head") var leader: Int?
    @StorageHasMany(through: Joined.self) var members: [Member]
}

@StorageEntity
struct Joined: Equatable {
    var id: Int
    @StorageReference(Member.self, onDelete: .cascade) var memberId: Int
    @StorageReference(Club.self, onDelete: .cascade) var clubId: String
    var at: Date
}

extension Member: DrawnEntity {
    static let idWord = Asked<Member, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Member> {
        ColumnWords(
            ints: KindWords(maybe: [Asked("age", \.age) { row, _ in row.age }]),
            texts: KindWords(needed: [Asked("name", \.name) { row, _ in row.name }]))
    }

    static var words: ColumnWords<Member> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var manys: [any ManyStep<Member>] {
        [
            Many("friends", \.friends, property: \.friends) { row, world in
                let ids = Set(world[Friendship.self].filter { $0.oneId == row.id }.map(\.otherId))
                return world[Member.self].filter { ids.contains($0.id) }
            },
            Many("admirers", \.admirers, property: \.admirers) { row, world in
                let ids = Set(world[Friendship.self].filter { $0.otherId == row.id }.map(\.oneId))
                return world[Member.self].filter { ids.contains($0.id) }
            },
            Many("clubs", \.clubs, property: \.clubs) { row, world in
                let ids = Set(world[Joined.self].filter { $0.memberId == row.id }.map(\.clubId))
                return world[Club.self].filter { ids.contains($0.id) }
            },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Member? {
        Member(id: number, name: .draw(&maker), age: maker.maybe(.draw(&maker)))
    }
}

extension Friendship: DrawnEntity {
    static let idWord = Asked<Friendship, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Friendship> {
        ColumnWords(reals: KindWords(needed: [Asked("strength", \.strength) { row, _ in row.strength }]))
    }

    static var words: ColumnWords<Friendship> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Friendship>] {
        [
            NeededStep("one", \.one) { row, world in world[Member.self].first { $0.id == row.oneId } },
            NeededStep("other", \.other) { row, world in world[Member.self].first { $0.id == row.otherId } },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Friendship? {
        let members = world[Member.self]
        guard !members.isEmpty else { return nil }
        return Friendship(
            id: number, oneId: maker.pick(members).id, otherId: maker.pick(members).id, strength: .draw(&maker))
    }
}

extension Club: DrawnEntity {
    static let idWord = Asked<Club, String>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Club> {
        ColumnWords(decimals: KindWords(needed: [Asked("fee", \.fee) { row, _ in row.fee }]))
    }

    static var words: ColumnWords<Club> {
        var words = settable
        words.texts.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Club>] {
        [OptionalStep("head", \.head) { row, world in world[Member.self].first { $0.id == row.leader } }]
    }

    static var manys: [any ManyStep<Club>] {
        [
            Many("members", \.members, property: \.members) { row, world in
                let ids = Set(world[Joined.self].filter { $0.clubId == row.id }.map(\.memberId))
                return world[Member.self].filter { ids.contains($0.id) }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Club? {
        let leaders: [Int?] = world[Member.self].map(\.id) + [nil]
        return number < 6 ? Club(id: "club%\(number)_", fee: .draw(&maker), leader: maker.pick(leaders)) : nil
    }
}

extension Joined: DrawnEntity {
    static let idWord = Asked<Joined, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Joined> {
        ColumnWords(dates: KindWords(needed: [Asked("at", \.at) { row, _ in row.at }]))
    }

    static var words: ColumnWords<Joined> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Joined>] {
        [
            NeededStep("member", \.member) { row, world in world[Member.self].first { $0.id == row.memberId } },
            NeededStep("club", \.club) { row, world in world[Club.self].first { $0.id == row.clubId } },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Joined? {
        let (members, clubs) = (world[Member.self], world[Club.self])
        guard !members.isEmpty, !clubs.isEmpty else { return nil }
        return Joined(
            id: number, memberId: maker.pick(members).id, clubId: maker.pick(clubs).id, at: .draw(&maker))
    }
}
