import StorageKit
import Testing

/// The code of the article for those who come from Realm, compiled and run.
enum Kennel {
    @StorageEntity
    struct Dog {
        var id: String
        var name: String
        var age: Int
        @StorageReference(Person.self, onDelete: .setNull) var ownerId: String?
    }

    @StorageEntity(table: "people")
    struct Person {
        var id: String
        var fullName: String
        @StorageHasMany(foreignKey: "ownerId") var dogs: [Dog]
    }

    struct OldDog {
        var id: String
        var name: String
        var age: Int
        var owner: Person?
    }
}

@Suite struct ComingFromRealmArticleTests {
    typealias Dog = Kennel.Dog

    private func withStore(
        _ schema: (inout AppMigrations) -> Void = {
            $0.autoSchema(Kennel.DogRecord.self, Kennel.PersonRecord.self)
        },
        _ body: (StorageKit.Context) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(StorageKit.start(at: folder.appendingPathComponent("dogs.sqlite"), schema: schema))
    }

    @Test func theArticleDoesWhatItShows() async throws {
        try await withStore { context in
            let storage = context.facade
            try await storage.save(Kennel.Person(id: "ada", fullName: "Ada"))
            try await storage.save(Dog(id: "1", name: "Rex", age: 3, ownerId: "ada"))
            if var rex = try await storage.get(Dog.self, id: "1") {
                rex.age += 1
                try await storage.save(rex)
            }
            try await storage.modify(Dog.self, id: "1") { $0.age += 1 }
            #expect(try await storage.get(Dog.self, id: "1")?.age == 5)

            let old = try await storage.query(Dog.self)
                .where { $0.age > 10 && $0.name.hasPrefix("R") }
                .orderBy(\.age)
                .fetch()
            #expect(old.isEmpty)
        }
    }

    @Test func theDataMovesInOneTransaction() async throws {
        let ada = Kennel.Person(id: "ada", fullName: "Ada")
        let old = [
            Kennel.OldDog(id: "1", name: "Rex", age: 3, owner: ada), Kennel.OldDog(id: "2", name: "Bo", age: 5),
        ]
        try await withStore { context in
            let storage = context.facade
            try await storage.save(ada)
            try await storage.save(old.map { Dog(id: $0.id, name: $0.name, age: $0.age, ownerId: $0.owner?.id) })
            #expect(try await storage.all(Dog.self).map(\.ownerId) == ["ada", nil])
        }
    }

    @Test func relationsAreAskedForAsShown() async throws {
        typealias Person = Kennel.Person
        try await withStore { context in
            let storage = context.facade
            try await storage.save(Person(id: "ada", fullName: "Ada"))
            try await storage.save(Dog(id: "1", name: "Rex", age: 13, ownerId: "ada"))
            let ofAda = storage.query(Dog.self).where { $0.owner.fullName == "Ada" }
            let withOldDogs = storage.query(Person.self).where { $0.dogs.exists { $0.age > 10 } }
            let people = try await storage.query(Person.self).including(\.dogs) { $0.orderBy(\.name) }.fetch()
            #expect(try await ofAda.count() == 1)
            #expect(try await withOldDogs.count() == 1)
            #expect(people.map { $0.dogs.map(\.name) } == [["Rex"]])
        }
    }

    @StorageEntity(table: "people")
    struct OldPerson {
        var id: String
        var firstName: String
        var lastName: String
    }

    @Test(arguments: [true, false])
    func aColumnIsMadeOfOthers(isInstalled: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("people.sqlite")
        if isInstalled {
            let before = try StorageKit.start(at: url) { $0.autoSchema(OldPersonRecord.self) }
            try await before.facade.save(OldPerson(id: "1", firstName: "Ada", lastName: "Lovelace"))
            try await before.close()
        }
        let context = try StorageKit.start(at: url) { schema in
            schema.migration("2026-02-01_full_name") { db in
                guard try db.tableExists("people") else { return }
                try db.execute(sql: "ALTER TABLE people ADD COLUMN fullName TEXT NOT NULL DEFAULT ''")
                try db.execute(sql: "UPDATE people SET fullName = firstName || ' ' || lastName")
            }
            schema.autoSchema(Kennel.PersonRecord.self)
        }
        let names = try await context.facade.all(Kennel.Person.self).map(\.fullName)
        #expect(names == (isInstalled ? ["Ada Lovelace"] : []))
        try await context.facade.save(Kennel.Person(id: "2", fullName: "Grace Hopper"))
    }

    // Without an end.
    private func observe(_ storage: Storage, show: ([Dog]) -> Void) async {
        for await dogs in storage.query(Dog.self).where({ $0.age > 10 }).orderBy(\.age).observe() { show(dogs) }
    }
}
