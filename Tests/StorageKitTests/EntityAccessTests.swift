import GRDB
import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
private struct Secret {
    var id: String
    private var code: Code
    fileprivate var level: Level?

    @StorageEmbedded private var point: Point
    @StorageJSON private var codes: [Code]?

    private enum Code: Int, Codable, Sendable { case one = 1, two }
    private struct Point: Codable, Sendable { var x: Int }

    init(id: String) {
        self.id = id
        code = .two
        level = .high
        point = Point(x: 40)
    }

    var number: Int { code.rawValue + point.x }
}

@StorageEntity
fileprivate struct Confidential {
    var id: String
    @StorageHasMany(foreignKey: "owner") var secrets: [Secret]
    @StorageEmbedded var point: GeoPoint
}

private enum Outer {
    @StorageEntity
    fileprivate struct Inner {
        var id: Int
        fileprivate var name: String
    }

    enum Middle {
        @StorageEntity
        struct Innermost {
            var id: Int
            var kind: Kind
            enum Kind: String, Codable, Sendable { case only }
        }
    }
}

/// Entities of every access level, and private members of theirs.
@Suite struct EntityAccessTests {
    @Test func aPrivateEntityWithPrivateProperties() async throws {
        let store = try TemporaryStore { $0.autoSchema(SecretRecord.self) }
        try await store.storage.save(Secret(id: "1"))
        #expect(try await store.storage.get(Secret.self, id: "1")?.number == 42)
        #expect(try await store.storage.query(Secret.self).where { $0.level == .high }.count() == 1)
    }

    @Test func aFileprivateEntityWithRelationsAndValues() async throws {
        let store = try TemporaryStore { $0.autoSchema(ConfidentialRecord.self) }
        let entity = Confidential(id: "1", point: GeoPoint(latitude: 1, longitude: 2))
        try await store.storage.save(entity)
        #expect(try await store.storage.query(Confidential.self).where { $0.point.latitude == 1 }.fetch() == [entity])
    }

    @Test func nestedEntitiesInTypesOfAnyAccess() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(Outer.InnerRecord.self, Outer.Middle.InnermostRecord.self, Packaged.ParcelRecord.self)
        }
        let inner = Outer.Inner(id: 1, name: "a")
        let innermost = Outer.Middle.Innermost(id: 1, kind: .only)
        let parcel = Packaged.Parcel(id: 1, made: store.clock.now, weight: 2)
        try await store.storage.save(inner)
        try await store.storage.save(innermost)
        try await store.storage.save(parcel)
        #expect(try await store.storage.all(Outer.Inner.self) == [inner])
        #expect(
            try await store.storage.query(Outer.Middle.Innermost.self).where { $0.kind == .only }.fetch() == [innermost]
        )
        #expect(try await store.storage.query(Packaged.Parcel.self).where { $0.id == 1 }.fetch() == [parcel])
    }

    @Test func aPublicEntityFromAnotherModule() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestOrderRecord.self, TestUserRecord.self) }
        let user = TestUser("u", name: "Ada")
        var order = TestOrder(UUID(), city: "Kyiv", userId: "u")
        order.notes = ["a": 1]
        try await store.storage.save(user)
        try await store.storage.save(order)
        let query = store.storage.query(TestOrder.self).where {
            $0.status == .open && $0.toCity == "Kyiv" && $0.address.floor == nil && $0.toFloor == nil
        }
        let found = try await query.fetchOne()
        #expect(found == order)
        #expect(found?.hidden == [1, 3])
        let users = try await store.db.read { db in
            try TestUserRecord.filter(key: "u").fetchAll(db).map { $0.asEntity() }
                + TestOrderRecord.including(required: TestOrderRecord.user).fetchAll(db).map { $0.asEntity().userId }
                .map { TestUser($0, name: "Ada") }
        }
        #expect(users == [user, user])
    }
}
