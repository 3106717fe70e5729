import Foundation
import StorageKit

// Two keys to one entity, of which one may be nil, and a chain of both kinds.

@StorageEntity
struct Maze: Equatable {
    var id: Int
    var name: String?
    @StorageReference(Maze.self, onDelete: .setNull) var insideId: Int?
    @StorageHasMany(foreignKey: "mazeId") var rooms: [Room]
}

@StorageEntity
struct Room: Equatable {
    var id: UUID
    @StorageReference(Maze.self, onDelete: .cascade) var mazeId: Int
    var size: Int
    var litAt: Date?
    @StorageHasMany(foreignKey: "fromId") var doors: [Door]
    @StorageHasMany(foreignKey: "toId") var entries: [Door]
}

@StorageEntity
struct Door: Equatable {
    var id: Int
    @StorageReference(Room.self, onDelete: .cascade) var fromId: UUID
    @StorageReference(Room.self, onDelete: .setNull) var toId: UUID?
    var width: Double
    var label: String?
    var isShut: Bool
}

extension Maze: DrawnEntity {
    static let idWord = Asked<Maze, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Maze> {
        ColumnWords(texts: KindWords(maybe: [Asked("name", \.name) { row, _ in row.name }]))
    }

    static var words: ColumnWords<Maze> {
        var words = settable
        words.ints = KindWords(needed: [idWord], maybe: [Asked("insideId", \.insideId) { row, _ in row.insideId }])
        return words
    }

    static var ones: [any OneStep<Maze>] {
        [OptionalStep("inside", \.inside) { row, world in world[Maze.self].first { $0.id == row.insideId } }]
    }

    static var manys: [any ManyStep<Maze>] {
        [Many("rooms", \.rooms, property: \.rooms) { row, world in world[Room.self].filter { $0.mazeId == row.id } }]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Maze? {
        let others: [Int?] = world[Maze.self].map(\.id) + [nil]
        return number < 7 ? Maze(id: number, name: maker.maybe(.draw(&maker)), insideId: maker.pick(others)) : nil
    }
}

extension Room: DrawnEntity {
    static let idWord = Asked<Room, UUID>("id", \.id) { row, _ in row.id }

    static var words: ColumnWords<Room> {
        ColumnWords(
            ints: KindWords(needed: [Asked("size", \.size) { row, _ in row.size }]),
            dates: KindWords(maybe: [Asked("litAt", \.litAt) { row, _ in row.litAt }]))
    }

    static var ones: [any OneStep<Room>] {
        [NeededStep("maze", \.maze) { row, world in world[Maze.self].first { $0.id == row.mazeId } }]
    }

    static var manys: [any ManyStep<Room>] {
        [
            Many("doors", \.doors, property: \.doors) { row, world in world[Door.self].filter { $0.fromId == row.id } },
            Many("entries", \.entries, property: \.entries) { row, world in
                world[Door.self].filter { $0.toId == row.id }
            },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Room? {
        guard !world[Maze.self].isEmpty else { return nil }
        return Room(
            id: .number(number), mazeId: maker.pick(world[Maze.self]).id, size: .draw(&maker),
            litAt: maker.maybe(.draw(&maker)))
    }
}

extension Door: DrawnEntity {
    static let idWord = Asked<Door, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Door> {
        ColumnWords(
            reals: KindWords(needed: [Asked("width", \.width) { row, _ in row.width }]),
            texts: KindWords(maybe: [Asked("label", \.label) { row, _ in row.label }]),
            flags: KindWords(needed: [Asked("isShut", \.isShut) { row, _ in row.isShut }]))
    }

    static var words: ColumnWords<Door> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var ones: [any OneStep<Door>] {
        [
            NeededStep("from", \.from) { row, world in world[Room.self].first { $0.id == row.fromId } },
            OptionalStep("to", \.to) { row, world in world[Room.self].first { $0.id == row.toId } },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Door? {
        let rooms = world[Room.self]
        guard !rooms.isEmpty else { return nil }
        let others: [UUID?] = rooms.map(\.id) + [nil]
        return Door(
            id: number, fromId: maker.pick(rooms).id, toId: maker.pick(others), width: .draw(&maker),
            label: maker.maybe(.draw(&maker)), isShut: .draw(&maker))
    }
}
