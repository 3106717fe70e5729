import StorageKit
import StorageKitTesting
import Testing

@StorageEntity
struct Album {
    var id: String
    @StorageHasMany(foreignKey: "albumId") var photos: [Photo]
}

@StorageEntity
struct Photo {
    var id: String
    @StorageReference(Album.self) var albumId: String
    @StorageHasMany(foreignKey: "photoId") var remarks: [Remark]
}

@StorageEntity
struct Remark {
    var id: String
    @StorageReference(Photo.self) var photoId: String
}

@Suite struct QueryPerRowTests {
    private let log = StatementLog()
    private let store: TemporaryStore
    private var albums: Query<Album> { store.storage.query(Album.self) }

    init() async throws {
        store = try TemporaryStore(log: log, options: { $0.memoryCapacity = 0 }) {
            $0.autoSchema(AlbumRecord.self, PhotoRecord.self, RemarkRecord.self)
        }
        try await store.fill(5) { Album(id: "\($0)") }
        try await store.fill(20) { Photo(id: "\($0)", albumId: "\($0 % 5)") }
        try await store.fill(40) { Remark(id: "\($0)", photoId: "\($0 % 20)") }
    }

    @Test func eagerLoadingIsAStatementForEachRelation() async throws {
        let statements = try await log.expectNoQueryPerRow {
            let found = try await albums.including(\.photos).including(\.photos.remarks).fetch()
            #expect(found.allSatisfy { $0.photos.count == 4 && $0.photos.allSatisfy { $0.remarks.count == 2 } })
        }
        #expect(statements.reads == 3 && statements.count == 3, "\(statements)")
        #expect(zip(["albums", "photos", "remarks"], statements.sql).allSatisfy { $1.contains("\"\($0)\"") })
    }

    @Test func aQueryForEachRowFailsAndNamesTheStatement() async throws {
        let error = await #expect(throws: QueryPerRow.self) {
            try await log.expectNoQueryPerRow {
                for album in try await albums.fetch() {
                    _ = try await store.storage.query(Photo.self).where { $0.albumId == album.id }.fetch()
                }
            }
        }
        #expect(error?.statements.map(\.count) == [5])
        #expect(error?.description.contains("5 x SELECT") == true)
        #expect(error?.description.contains("\"albumId\" = ?") == true)
    }

    @Test func aQueryForEachRowBehindACommentFailsToo() async throws {
        let error = await #expect(throws: QueryPerRow.self) {
            try await log.expectNoQueryPerRow {
                for id in 0..<5 {
                    _ = try await store.db.read {
                        try String.fetchAll(
                            $0, sql: "-- Its photos\nSELECT id FROM photos WHERE albumId = ?", arguments: ["\(id)"])
                    }
                }
            }
        }
        #expect(error?.statements.map(\.count) == [5])
    }

    @Test func asManyAsAreAllowedDoNotFail() async throws {
        func ask(_ ids: [String]) async throws {
            for id in ids { _ = try await store.storage.get(Album.self, id: id) }
        }
        try await log.expectNoQueryPerRow { try await ask(["0", "1", "2"]) }
        await #expect(throws: QueryPerRow.self) {
            try await log.expectNoQueryPerRow { try await ask(["0", "1", "2", "3"]) }
        }
        try await log.expectNoQueryPerRow(atMost: 4) { try await ask(["0", "1", "2", "3"]) }
    }

    @Test func theSameQuestionAgainIsNoQueryPerRow() async throws {
        try await log.expectNoQueryPerRow {
            for _ in 0..<10 { _ = try await store.storage.get(Album.self, id: "1") }
        }
    }

    @Test func aBatchIsOneWrite() async throws {
        try await log.expectNoQueryPerRow {
            try await store.storage.save((0..<9).map { Album(id: "new \($0)") })
            try await store.storage.insert((10..<19).map { Album(id: "new \($0)") })
        }
    }

    @Test func aLoopThatWritesEachRowFailsToo() async throws {
        await #expect(throws: QueryPerRow.self) {
            try await log.expectNoQueryPerRow {
                for number in 0..<5 { try await store.storage.save(Album(id: "new \(number)")) }
            }
        }
    }
}
