import Foundation
import StorageKit

// Rows that refer to others of their own table.

@StorageEntity
struct Boss: Equatable {
    var id: String
    var name: String?
    var level: Int
    @StorageReference(Boss.self, onDelete: .setNull) var aboveId: String?
    @StorageHasMany(foreignKey: "aboveId") var staff: [Boss]
    @StorageHasMany(foreignKey: "bossId") var nodes: [Node]
}

@StorageEntity
struct Node: Equatable {
    var id: Int
    var name: String
    var weight: Double?
    var seenAt: Date?
    var isOpen: Bool
    @StorageReference(Node.self, onDelete: .setNull) var parentId: Int?
    @StorageReference(Boss.self, onDelete: .setNull) var bossId: String?
    @StorageBelongsTo(foreignKey: "bossId") var boss: Boss?
    @StorageHasMany(foreignKey: "parentId") var children: [Node]
    @StorageHasMany(foreignKey: "nodeId") var marks: [Score]
}

@StorageEntity
struct Score: Equatable {
    var id: Int
    @StorageReference(Node.self, onDelete: .cascade) var nodeId: Int
    var value: Decimal
    var times: Int
    var points: UInt64
    var bonus: UInt64?
    @StorageBelongsTo(foreignKey: "nodeId") var node: Node?
}

extension Boss: DrawnEntity {
    static let idWord = Asked<Boss, String>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Boss> {
        ColumnWords(
            ints: KindWords(needed: [Asked("level", \.level) { row, _ in row.level }]),
            texts: KindWords(maybe: [Asked("name", \.name) { row, _ in row.name }]))
    }

    static var words: ColumnWords<Boss> {
        var words = settable
        words.texts.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Boss>] {
        [OptionalStep("above", \.above) { row, world in world[Boss.self].first { $0.id == row.aboveId } }]
    }

    static var manys: [any ManyStep<Boss>] {
        [
            Many("staff", \.staff, property: \.staff) { row, world in world[Boss.self].filter { $0.aboveId == row.id }
            },
            Many("nodes", \.nodes, property: \.nodes) { row, world in world[Node.self].filter { $0.bossId == row.id } },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Boss? {
        let others: [String?] = world[Boss.self].map(\.id) + [nil, nil]
        return Boss(
            id: "\(number % 3)' \(number)", name: maker.maybe(.draw(&maker)), level: .draw(&maker),
            aboveId: maker.pick(others))
    }
}

extension Node: DrawnEntity {
    static let searched = [SearchedColumn<Node>(name: "name") { $0.name }]

    static let idWord = Asked<Node, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Node> {
        ColumnWords(
            reals: KindWords(maybe: [Asked("weight", \.weight) { row, _ in row.weight }]),
            texts: KindWords(needed: [Asked("name", \.name) { row, _ in row.name }]),
            dates: KindWords(maybe: [Asked("seenAt", \.seenAt) { row, _ in row.seenAt }]),
            flags: KindWords(needed: [Asked("isOpen", \.isOpen) { row, _ in row.isOpen }]))
    }

    static var words: ColumnWords<Node> {
        var words = settable
        words.ints = KindWords(needed: [idWord], maybe: [Asked("parentId", \.parentId) { row, _ in row.parentId }])
        return words
    }

    static var ones: [any OneStep<Node>] {
        [
            OptionalStep("parent", \.parent) { row, world in world[Node.self].first { $0.id == row.parentId } },
            OptionalStep("boss", \.boss, property: \.boss) { row, world in
                world[Boss.self].first { $0.id == row.bossId }
            },
        ]
    }

    static var manys: [any ManyStep<Node>] {
        [
            Many("children", \.children, property: \.children) { row, world in
                world[Node.self].filter { $0.parentId == row.id }
            },
            Many("marks", \.marks, property: \.marks) { row, world in world[Score.self].filter { $0.nodeId == row.id }
            },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Node? {
        let (others, bosses): ([Int?], [String?]) = (
            world[Node.self].map(\.id) + [nil], world[Boss.self].map(\.id) + [nil]
        )
        return Node(
            id: number, name: .draw(&maker), weight: maker.maybe(.draw(&maker)), seenAt: maker.maybe(.draw(&maker)),
            isOpen: .draw(&maker), parentId: maker.pick(others), bossId: maker.pick(bosses))
    }
}

extension Score: DrawnEntity {
    static let idWord = Asked<Score, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Score> {
        ColumnWords(
            ints: KindWords(needed: [Asked("times", \.times) { row, _ in row.times }]),
            decimals: KindWords(needed: [Asked("value", \.value) { row, _ in row.value }]),
            wholes: KindWords(
                needed: [Asked("points", \.points) { row, _ in row.points }],
                maybe: [Asked("bonus", \.bonus) { row, _ in row.bonus }]))
    }

    static var words: ColumnWords<Score> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Score>] {
        [
            NeededStep("node", \.node, property: \.node) { row, world in
                world[Node.self].first { $0.id == row.nodeId }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Score? {
        guard !world[Node.self].isEmpty else { return nil }
        return Score(
            id: number, nodeId: maker.pick(world[Node.self]).id, value: .draw(&maker), times: .draw(&maker),
            points: .draw(&maker), bonus: maker.maybe(.draw(&maker)))
    }
}
