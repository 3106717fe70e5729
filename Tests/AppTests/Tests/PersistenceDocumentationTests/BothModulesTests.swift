import Persistence
import StorageKit
import Testing

/// A file that imports both libraries tells their types of one name apart by the module.
@Suite struct BothModulesTests {
    struct Tag: Codable, Sendable, Equatable {
        let id: Int64
        let name: String
    }

    @Test func typesOfOneNameAreToldApartByTheirModule() async throws {
        let schema: Persistence.TableSchema<Tag> = .codable(table: "tags", primaryKey: "id")
        let database = try await SQLiteDatabase.inMemory()
        try await database.execute("CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT)")
        let tag = Tag(id: 1, name: "red")
        #expect(try await DAO.make(database: database, schema: schema).create(tag) == tag)

        let row: Persistence.Row? = try await database.rows("SELECT * FROM tags").first
        #expect(row?.value("name") == .text("red"))
        let other: StorageGRDB.Row = ["name": "blue"]
        #expect(other["name"] == "blue")
    }
}
