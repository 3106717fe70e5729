import StorageKit
import Testing

/// The code of the article on entities, compiled and run.
enum Estate {
    @StorageEntity
    struct House {
        var id: UUID
        var name: String
        var state: State
        var price: Decimal
        var tags: [String]
        @StorageEmbedded var address: Address
        @StorageEmbedded(prefix: "site_") var site: Point?
        @StorageJSON var extra: [String: AnyCodable]
        @StorageHasMany(foreignKey: "houseId") var rooms: [Room]

        enum State: String, Codable, Sendable { case planned, built, sold }
    }

    struct Address: Codable, Sendable {
        var street: String
        var city: String
    }

    struct Point: Codable, Sendable {
        var latitude: Double
        var longitude: Double
    }

    @StorageEntity
    struct Room {
        var id: Int
        var area: Double
        var houseId: UUID
        @StorageBelongsTo var house: House?
    }

    struct HouseInfo: Decodable, FetchableRecord {
        var house: HouseRecord
        var rooms: [RoomRecord]
    }
}

enum Planner {
    @StorageEntity
    struct RemindersList {
        var id: UUID
        var title: String
    }

    @StorageEntity(indexes: [["listId", "position"], ["dueDate"]], unique: [["listId", "title"]])
    struct Reminder {
        var id: UUID
        @StorageReference(RemindersList.self, onDelete: .cascade) var listId: UUID
        @StorageUnique(ignoringCase: true) var slug: String
        @StorageRenamed(from: "body") var notes = ""
        @StorageIgnored var isExpanded = false
        var title: String
        var position = 0
        var dueDate: Date?
    }

    @StorageEntity
    struct LogLine {
        var id: Int64?
        var text: String
    }
}

enum Club {
    struct Rower: RegisteredEntity {
        typealias Record = RowerRecord
        var id: String
        var name: String
        var age: Int
    }

    struct RowerRecord: StorageKitEntityRecord, Codable {
        typealias E = Rower
        static let databaseTableName = "rowers"
        static let schemaColumns = [
            ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
            ColumnSchema(name: "full_name", type: "TEXT", notNull: true),
            ColumnSchema(name: "age", type: "INTEGER", notNull: true),
        ]
        static let schemaIndexes = [IndexSchema(["full_name"], isUnique: true)]

        var id: String
        var full_name: String
        var age: Int

        func asEntity() -> Rower { Rower(id: id, name: full_name, age: age) }
        static func from(_ rower: Rower, now: Date) -> RowerRecord {
            RowerRecord(id: rower.id, full_name: rower.name, age: rower.age)
        }
    }
}

@Suite struct EntityArticleTests {
    typealias House = Estate.House
    typealias HouseRecord = Estate.HouseRecord
    typealias HouseInfo = Estate.HouseInfo
    typealias Room = Estate.Room

    @Test func theArticleDoesWhatItShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("houses.sqlite")) { schema in
            schema.autoSchema(Estate.HouseRecord.self, Estate.RoomRecord.self)
        }
        let storage = context.facade
        let saved = House(
            id: UUID(), name: "Villa", state: .built, price: 1.5, tags: ["old"],
            address: Estate.Address(street: "1 Street", city: "Kyiv"),
            site: Estate.Point(latitude: 50.45, longitude: 30.5), extra: ["garden": true])
        try await storage.save(saved)
        try await storage.save(Room(id: 1, area: 20, houseId: saved.id))

        let queries = [
            storage.query(House.self).where { $0.address.city == "Kyiv" && $0.site.latitude > 50 },
            storage.query(House.self).where { Column<String>("address_city") == "Kyiv" },
            storage.query(House.self).where { $0.addressCity == "Kyiv" && $0.site != nil },
        ]
        for query in queries {
            #expect(try await query.fetch() == [saved])
        }

        let houses = [saved]
        var house = houses[0]
        house.rooms = try await storage.loadChildren(Room.self, where: "houseId", equals: house.id.uuidString)
        let parent = try await storage.loadParent(House.self, id: house.rooms[0].houseId)
        #expect(parent == saved)

        let infos = try await context.storage.dbActor.read { db in
            try HouseRecord.including(all: HouseRecord.rooms).asRequest(of: HouseInfo.self).fetchAll(db)
        }
        #expect(infos.map { $0.rooms.map { $0.asEntity() } } == [house.rooms])
    }

    @Test func aTableHasTheKeysOfTheArticle() {
        let schema = Planner.ReminderRecord.tableSchema
        #expect(
            schema.indexes.map(\.columns) == [["listId", "position"], ["dueDate"], ["listId", "title"], ["slug"]])
        #expect(schema.references.map(\.table) == ["reminderslists"])
        #expect(schema.column(named: "isExpanded") == nil)
    }

    @Test func sqliteGivesIdsAsTheArticleShows() async throws {
        typealias LogLine = Planner.LogLine
        let context = try StorageKit.startInMemory { $0.autoSchema(Planner.LogLineRecord.self) }
        let storage = context.facade
        let line = try await storage.insert(LogLine(id: nil, text: "begun"))
        let others = try await storage.insert([LogLine(text: "read"), LogLine(text: "ended")])
        let first = try await storage.get(LogLine.self, id: line.id)
        #expect(first == line)
        #expect(try await storage.all(LogLine.self) == [line] + others)
    }

    @Test func aRecordWrittenByHandDoesWhatTheArticleShows() async throws {
        typealias Rower = Club.Rower
        let context = try StorageKit.startInMemory { $0.autoSchema(Club.RowerRecord.self) }
        let storage = context.facade
        try await storage.save([Rower(id: "1", name: "Ada", age: 41), Rower(id: "2", name: "Bo", age: 17)])
        let query =
            storage.query(Rower.self).where { $0.fullName.hasPrefix("A") && $0.age >= 18 }.orderBy(\.age)
        #expect(try await query.fetch().map(\.name) == ["Ada"])
    }
}
