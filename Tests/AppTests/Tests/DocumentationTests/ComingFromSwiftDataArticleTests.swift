import StorageKit
import StorageKitTesting
import Testing

/// The model of the article whose property has another name than before.
private enum Renamed {
    @StorageEntity
    struct Trip {
        var id: UUID
        @StorageUnique var name: String
        @StorageRenamed(from: "start") var begins: Date
        var isBooked = false
    }
}

/// The code of the article for those who come from SwiftData, compiled and run.
enum Travel {
    @StorageEntity
    struct Trip {
        var id: UUID
        @StorageUnique var name: String
        var begins: Date
        var isBooked = false
    }

    @StorageEntity
    struct Journey {
        var id: UUID
        var name: String
        @StorageHasMany(foreignKey: "journeyId") var stops: [Stop]
    }

    @StorageEntity
    struct Stop {
        var id: UUID
        var place: String
        var isPaid = false
        @StorageReference(Journey.self, onDelete: .cascade) var journeyId: UUID
        @StorageBelongsTo(foreignKey: "journeyId") var journey: Journey?
    }
}

@Suite struct ComingFromSwiftDataArticleTests {
    typealias Trip = Travel.Trip
    typealias TripRecord = Travel.TripRecord

    private let date = Date(timeIntervalSince1970: 1_000)

    private func withStore(
        migrating: (inout AppMigrations) -> Void = { _ in }, _ body: (Storage) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("trips.sqlite")) { schema in
            migrating(&schema)
            schema.autoSchema(TripRecord.self)
        }
        try await body(context.facade)
    }

    @Test func theArticleDoesWhatItShows() async throws {
        try await withStore { storage in
            let date = self.date + 1
            var trip = Trip(id: UUID(), name: "Kyiv", begins: date)
            trip.isBooked = true
            try await storage.save(trip)
            let trips = try await storage.query(Trip.self)
                .where { $0.isBooked && $0.begins > date }
                .orderBy(\.begins)
                .fetch()
            #expect(trips.isEmpty)
            await #expect(throws: StorageError.self) {
                try await storage.save(Trip(id: UUID(), name: "Kyiv", begins: date))
            }
            #expect(try await storage.all(Trip.self) == [trip])
        }
    }

    @Test func relationsAreAskedForAsShown() async throws {
        typealias Journey = Travel.Journey
        typealias Stop = Travel.Stop
        let context = try StorageKit.startInMemory { $0.autoSchema(Travel.JourneyRecord.self, Travel.StopRecord.self) }
        let storage = context.facade
        let journey = Journey(id: UUID(), name: "Kyiv")
        try await storage.save(journey)
        try await storage.save([
            Stop(id: UUID(), place: "Lviv", journeyId: journey.id),
            Stop(id: UUID(), place: "Kyiv", isPaid: true, journeyId: journey.id),
        ])
        let unpaid = storage.query(Journey.self).where { $0.stops.exists { !$0.isPaid } }
        let inKyiv = storage.query(Stop.self).where { $0.journey.name == "Kyiv" }
        let filled = try await storage.query(Journey.self).including(\.stops) { $0.orderBy(\.place) }.fetch()
        #expect(try await unpaid.count() == 1)
        #expect(try await inKyiv.count() == 2)
        #expect(filled.map { $0.stops.map(\.place) } == [["Kyiv", "Lviv"]])
    }

    @Test func theDataMovesInOneTransaction() async throws {
        let old = [Trip(id: UUID(), name: "Oslo", begins: date), Trip(id: UUID(), name: "Rome", begins: date)]
        try await withStore { storage in
            try await storage.save(
                old.map { Trip(id: UUID(), name: $0.name, begins: $0.begins, isBooked: $0.isBooked) })
            #expect(try await storage.count(Trip.self) == 2)
        }
    }

    @Test func aPropertyThatIsRenamedKeepsItsValues() throws {
        let folder = try TemporaryFolder()
        let id = UUID()
        let date = Date(timeIntervalSince1970: 1_767_312_000)
        try StorageKit.start(at: folder.file()) { schema in
            schema.migration("before") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE trips (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, start DATETIME NOT NULL,
                            isBooked BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL);
                        INSERT INTO trips VALUES ('\(id)', 'Kyiv', '2026-01-02', 1, '2026-01-02');
                        """)
            }
        }.storage.pool.close()
        let context = try StorageKit.start(at: folder.file()) { $0.autoSchema(Renamed.TripRecord.self) }
        let begins = try context.storage.pool.read { try Renamed.TripRecord.fetchAll($0).map { $0.asEntity().begins } }
        #expect(begins == [date])
    }

    // In Application Support, where no test may leave a file.
    private func start() throws -> StorageKit.Context {
        let context = try StorageKit.start { schema in
            schema.autoSchema(TripRecord.self)
        }
        return context
    }
}

#if canImport(SwiftUI)
import SwiftUI

extension Travel {
    @MainActor static let storage: Storage = {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
        guard let context = try? StorageKit.start(at: url, schema: { $0.autoSchema(TripRecord.self) }) else {
            fatalError("no store at \(url.path)")
        }
        return context.facade
    }()

    struct TripList: View {
        @Live(LiveQuery(Trip.self, in: Travel.storage, orderBy: "begins")) private var trips

        var body: some View {
            List(trips) { trip in Text(trip.name) }
        }
    }
}
#endif
