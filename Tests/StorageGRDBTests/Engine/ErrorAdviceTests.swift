import GRDB
import StorageKit
import Testing

@testable import StorageGRDB

/// What is said of statements that no longer fit the tables, as those of a version of the app that runs while a newer one starts.
@Suite struct ErrorAdviceTests {
    @Test(arguments: [
        "INSERT INTO items (id, name) VALUES (1, '')", "UPDATE items SET name = ''", "SELECT name FROM items",
        "SELECT name FROM things",
    ])
    func aColumnOrTableThatIsGoneIsSaidToBeOfANewerVersion(sql: String) throws {
        let error = try #require(throws: GRDB.DatabaseError.self) {
            try GRDB.DatabaseQueue().write { db in
                try db.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT)")
                try db.execute(sql: sql)
            }
        }
        #expect(StorageError.from(error, during: .write).localizedDescription.contains("update the app"))
    }
}
