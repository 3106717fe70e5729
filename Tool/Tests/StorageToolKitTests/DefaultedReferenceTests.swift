import Testing

@testable import StorageToolKit

/// References that set a default in the Swift that is written for a file.
@Suite struct DefaultedReferenceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aReferenceThatSetsADefaultIsWrittenWhereThePropertyHasOne() throws {
        let database = try folder.database(
            "defaulted.sqlite", "CREATE TABLE shelves (id INTEGER PRIMARY KEY)",
            """
            CREATE TABLE books (id INTEGER PRIMARY KEY, shelfId INTEGER NOT NULL DEFAULT 7 REFERENCES shelves ON DELETE SET DEFAULT, \
            otherId INTEGER NOT NULL REFERENCES shelves ON DELETE SET DEFAULT, thirdId INTEGER REFERENCES shelves ON UPDATE SET DEFAULT)
            """)
        let written = try Program.run("entities", database).output
        #expect(written.contains("onDelete: .setDefault) var shelfId: Int = 7\n"), "\(written)")
        #expect(written.contains("// Refers to \"shelves\" (\"id\").\n    var otherId: Int\n"), "\(written)")
        #expect(written.contains("onUpdate: .setDefault) var thirdId: Int?\n"), "\(written)")
    }

    @Test func aReferenceThatSetsNullIsWrittenWhereThePropertyMayBeNil() throws {
        let database = try folder.database(
            "nulls.sqlite", "CREATE TABLE shelves (id INTEGER PRIMARY KEY)",
            """
            CREATE TABLE books (id INTEGER PRIMARY KEY, shelfId INTEGER REFERENCES shelves ON DELETE SET NULL, \
            otherId INTEGER NOT NULL REFERENCES shelves ON DELETE SET NULL)
            """)
        let written = try Program.run("entities", database).output
        #expect(written.contains("onDelete: .setNull) var shelfId: Int?\n"), "\(written)")
        #expect(written.contains("// Refers to \"shelves\" (\"id\").\n    var otherId: Int\n"), "\(written)")
    }
}
