import StorageKit
import Testing

/// What an app's source may say, checked by the compiler itself.
@Suite(.serialized) struct CompilationTests {
    private let entity = """
        @StorageEntity
        struct User {
            var id: String
            var name: String
            var email: String?
            var age: Int
            var score: Double
            var isActive: Bool
            var createdAt: Date
            var token: UUID
        }

        """

    @Test func aColumnInATextIsWarnedOf() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            \(entity)
            func find(_ storage: Storage) -> Query<User> {
                storage.query(User.self).where { $0.name == "user \\($0.age)" }
            }
            """)
        #expect(outcome.output.contains("warning: 'appendInterpolation' is deprecated: a column has no text"))
    }

    @Test func anEightTermPredicateTypeChecksWithinAHundredMilliseconds() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            \(entity)
            func find(_ storage: Storage, now: Date, token: UUID) -> Query<User> {
                storage.query(User.self).where {
                    $0.age >= 18 && $0.age < 65 && $0.name.contains("a") && $0.isActive
                        && ($0.email == nil || $0.email == "x@example.com") && $0.score > 1.5 && $0.createdAt < now
                        && $0.token != token
                }
            }
            func findBriefly(_ storage: Storage) -> Query<User> {
                storage.query(User.self).where {
                    $0.name == "a" || $0.name == "b" || $0.name == "c" || $0.name == "d" || $0.age == 1
                        || $0.age == 2 || $0.age == 3 || !$0.isActive
                }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func soDoTenTermsOfAllTypesAndOperators() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            enum Level: String, Codable, Sendable { case low, high }
            \(entity)
            @StorageEntity
            struct House {
                var id: UUID
                var level: Level
                var other: Level?
                var price: Decimal
                var size: UInt16?
                var name: String
                var note: String?
                var isOld: Bool
                var built: Date
                var ratio: Float
            }
            func find(_ storage: Storage, _ id: UUID, _ day: Date) -> Query<House> {
                storage.query(House.self).where {
                    $0.level == .low && $0.other != nil && $0.price.between(1, 100) && $0.size > 3
                        && $0.name.hasPrefix("A", ignoringCase: true) && ($0.note == nil || $0.note.contains("x"))
                        && !$0.isOld && $0.built < day && $0.ratio >= 0.5 && $0.id.in([id])
                }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func soDoEightTermsOfEnumsDecimalsAndEmbeddedValues() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            enum Level: String, Codable, Sendable { case low, high }
            struct Address: Codable, Sendable { var city: String; var floor: Int?; var isOld: Bool; var level: Level }
            @StorageEntity
            struct House {
                var id: String
                var level: Level
                var other: Level?
                var price: Decimal
                @StorageEmbedded var address: Address
                @StorageEmbedded var second: Address?
            }
            func find(_ storage: Storage) -> Query<House> {
                storage.query(House.self).where {
                    $0.level == .low && $0.other != .high && $0.price > 100 && $0.address.city == "Kyiv"
                        && $0.address.level == .low && !$0.address.isOld && $0.second == nil && $0.other == nil
                }
            }
            func findBySpelling(_ storage: Storage) -> Query<House> {
                storage.query(House.self).where {
                    $0.addressCity == "Kyiv" && $0.addressFloor > 3 && !$0.addressIsOld && $0.secondCity == "Lviv"
                        && $0.level == .high && $0.addressCity.hasPrefix("K") && $0.price < 7 && $0.secondIsOld
                }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func soDoEightTermsThatCalculate() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            @StorageEntity
            struct Parcel {
                var id: Int
                var width: Int
                var height: Int?
                var weight: Double
                var label: String
                var note: String?
                var isSent: Bool
                var isInsured: Bool?
                var sentAt: Date
                var seenAt: Date?
            }
            func find(_ storage: Storage, _ now: Date) -> Query<Parcel> {
                storage.query(Parcel.self).where {
                    ($0.width + 1) * 2 - $0.width / 3 > 100 * $0.width && $0.height - $0.width * 2 < 5
                        && $0.seenAt > $0.sentAt && ($0.seenAt ?? now) < now && $0.label + "x" == $0.note
                        && $0.isInsured.then(2, else: $0.width) == 2 && !$0.isInsured && $0.weight * 0.5 <= $0.width.as(Double.self)
                }.orderBy({ $0.width * $0.width + 1 }, .descending, nulls: .last)
            }
            func findBriefly(_ storage: Storage) -> Query<Parcel> {
                storage.query(Parcel.self).where {
                    $0.width == $0.height || $0.width != $0.height || $0.label < $0.note || $0.isInsured || $0.isSent
                        || $0.height == nil || $0.sentAt >= $0.seenAt || ($0.width > 3).then("a", else: "b") == "a"
                }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func soDoEightTermsOverTwoRelations() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            @StorageEntity
            struct List {
                var id: UUID
                var title: String
                var position: Int
                @StorageHasMany(foreignKey: "listId") var tasks: [Task]
            }
            @StorageEntity
            struct Person { var id: UUID; var name: String }
            @StorageEntity
            struct Step { var id: String; @StorageReference(Task.self) var taskId: UUID }
            @StorageEntity
            struct Task {
                var id: UUID
                var title: String
                var position: Int
                var isFlagged: Bool
                var due: Date?
                var madeAt: Date
                @StorageReference(List.self) var listId: UUID
                @StorageReference(Person.self) var personId: UUID?
                @StorageHasMany(foreignKey: "taskId") var steps: [Step]
            }
            func find(_ storage: Storage, _ now: Date) -> Query<Task> {
                storage.query(Task.self).where {
                    $0.list.title == "Home" && $0.position >= 3 && $0.title.hasPrefix("a") && $0.isFlagged
                        && $0.due < now && $0.person.name != "x" && $0.steps.count() > 2 && $0.list.position < 4
                }.orderBy(\\.list.position).orderBy({ $0.list.tasks.max(\\.due) }, .descending, nulls: .last)
            }
            func findBriefly(_ storage: Storage, _ now: Date) -> Query<Task> {
                storage.query(Task.self).where {
                    $0.list.title == "Home" || $0.list.position + 1 >= 3 && $0.madeAt > $0.due && !$0.isFlagged
                        && ($0.due ?? now) < now && $0.person.name == nil && $0.steps.count { $0.id == "a" } == 2
                        && $0.position.as(Double.self) < 0.5 * $0.list.tasks.avg(\\.position)
                }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func soDoTheMembersOfColumnsBehindOptionalPaths() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            struct Room: Codable, Sendable { var name: String; var floor: String? }
            struct Place: Codable, Sendable { var city: String; var tags: [String]; var room: Room }
            @StorageEntity
            struct Person {
                var id: Int
                var name: String
                var nick: String?
                @StorageReference(Person.self) var bossId: Int?
                @StorageJSON var place: Place
            }
            @StorageEntity
            struct Task {
                var id: Int
                var title: String
                @StorageReference(Person.self) var assigneeId: Int?
                @StorageJSON var place: Place?
            }
            func find(_ storage: Storage) -> Query<Task> {
                storage.query(Task.self).where { $0.assignee.name.count > 3 }
                    .where { $0.assignee.nick.count == 3 }
                    .where { $0.assignee.name.count > $0.title.count }
                    .where { ($0.assignee.boss.name.count ?? 0) > 3 }
                    .where { $0.assignee.place.city.count > 2 }
                    .where { $0.place.city.count > 1 && $0.place.room.name.count < 3 }
                    .where { $0.place.room.floor.count == 1 || $0.assignee.place.room.name == "x" }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func soDoEightTermsOfColumnsThatAreFoundByName() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            struct House: RegisteredEntity {
                typealias Record = HouseRecord
                var id: String
            }
            struct HouseRecord: StorageKitEntityRecord, Codable {
                typealias E = House
                static let databaseTableName = "houses"
                static let schemaColumns = [ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true)]
                var id: String
                func asEntity() -> House { House(id: id) }
                static func from(_ entity: House, now: Date) -> HouseRecord { HouseRecord(id: entity.id) }
            }
            func find(_ storage: Storage, _ day: Date, _ size: Int) -> Query<House> {
                storage.query(House.self).where {
                    $0.name == "a" && $0.size > 3 && !$0.isOld && ($0.note == nil || $0.note.contains("x"))
                        && $0.built < day && $0.ratio >= 0.5 && $0.id.in(["1", "2"]) && $0.size <= size
                }.orderBy(\\.name)
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func theNameOfAColumnIsNotTakenForThatOfItsValueWithoutAWord() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            enum Genre: String, Codable, Sendable { case rock; var name: String { "Rock" } }
            @StorageEntity struct Song { var id: Int; var title: String; var genre: Genre }
            func rename(_ storage: Storage) async throws {
                try await storage.query(Song.self).updateAll { [$0.title.set(to: $0.genre.name)] }
            }
            """)
        #expect(
            outcome.succeeded && outcome.output.contains("warning: 'name' is deprecated: it is the name of the column"))
    }

    @Test func ourNamesAreUnambiguousWithStorageKitAlone() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            \(entity)
            struct MockClock: Clock { var now: Date }
            func names(_ order: SortOrder, _ options: Options, _ db: Database, _ pool: DatabasePool) throws -> Predicate {
                var configuration = Configuration()
                configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA foreign_keys = ON") }
                let queue = try DatabaseQueue(configuration: configuration)
                let context = StorageContext(pool: queue, dbActor: DatabaseActor(pool: queue))
                _ = (context, ForeignKey(["a"]), UUID(), URL(fileURLWithPath: "/"))
                return Column<Int>("age") >= 18
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func anAppsOwnTypesMayHaveTheNamesOfTheFacadeAndItsQueries() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            \(entity)
            struct LiveQuery {}
            struct LiveWindow {}
            struct Query { let users: StorageKit.Query<User> }
            final class Storage {
                let inner: StorageKit.Storage
                init(_ inner: StorageKit.Storage) { self.inner = inner }
                var query: Query { Query(users: inner.query(User.self)) }
                @MainActor var live: StorageKit.LiveQuery<[User]> { StorageKit.LiveQuery(inner.query(User.self)) }
                @MainActor var window: StorageKit.LiveWindow<User> { StorageKit.LiveWindow(inner.query(User.self)) }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func foundationBesideStorageKitChangesNothingForTheDocumentedSnippets() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import Foundation
            import StorageKit
            \(entity)
            struct MockClock: Clock { var now: Date }
            func find(_ storage: Storage, sorted order: StorageKit.SortOrder) async throws -> [User] {
                let predicate: StorageKit.Predicate = StorageKit.Column<Int>("age") >= 18
                let same: StorageGRDB.Predicate = predicate
                let clock: any StorageKit.Clock = MockClock(now: .now)
                _ = (same, clock)
                _ = storage.query(User.self).orderBy("name", order)
                return try await storage.query(User.self).where { _ in predicate }.orderBy("name", .descending).fetch()
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func memberImportVisibilityInTheAppDoesNoHarm() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            \(entity)
            func migrate(_ schema: inout AppMigrations) {
                schema.autoSchema(UserRecord.self)
                schema.migration("2026-01-01_index") { db in
                    try db.create(index: "i", on: "users", columns: ["name"])
                }
            }
            """,
            arguments: ["-enable-upcoming-feature", "MemberImportVisibility"])
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func aMisspeltColumnDoesNotCompile() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            \(entity)
            func find(_ storage: Storage) -> Query<User> { storage.query(User.self).where { $0.nmae == "a" } }
            """)
        #expect(!outcome.succeeded)
        #expect(outcome.output.contains("nmae"))
    }

    @Test func withGRDBImportedOurNamesAreReachedThroughTheirModule() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import GRDB
            import StorageKit
            let ours = StorageGRDB.Column<Int>("age")
            let theirs = GRDB.Column("age")
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }
}
