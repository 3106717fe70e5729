import StorageKit
import Testing

@testable import StorageGRDB

/// Names that Swift takes for one and SQLite for two: an é of one scalar, and of two.
@Suite struct SQLNameTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    private func places(_ column: String) -> TableSchema {
        TableSchema(name: "places", columns: [.id, .text(column)])
    }

    /// The columns of a table of the file by their bytes.
    private func columns() throws -> [String] {
        try file.values("SELECT hex(name) FROM pragma_table_info('places') WHERE pk = 0")
    }

    @Test func namesAreComparedByTheirBytesAndWithoutTheCaseOfASCII() {
        #expect(!Self.composed.isSameName(as: Self.decomposed))
        #expect(Set([Self.composed, Self.decomposed].map(SQLName.init)).count == 2)
        #expect("CAF\u{E9}".isSameName(as: Self.composed))
        #expect(SQLName("CAF\u{E9}") == SQLName(Self.composed))
        #expect(!"CAF\u{C9}".isSameName(as: Self.composed))
    }

    @Test(arguments: [(composed, decomposed), (decomposed, composed)])
    func aColumnThatIsComposedOtherwiseIsMissing(inFile: String, inModel: String) throws {
        try file.execute("CREATE TABLE places (id TEXT PRIMARY KEY, \"\(inFile)\" TEXT)")
        try file.execute("INSERT INTO places VALUES ('1', 'Bar')")
        #expect(try file.start(places(inModel)).count == 1)
        #expect(try file.values("SELECT \"\(inFile)\", \"\(inModel)\" FROM places") == ["Bar "])
    }

    @Test func ofTwoSuchColumnsTheOneThatTheModelDoesNotHaveIsDropped() throws {
        try file.execute("CREATE TABLE places (id TEXT PRIMARY KEY, \"\(Self.composed)\" TEXT)")
        try file.start(places(Self.decomposed)) { $0.drop(column: Self.composed, ofTable: "places") }
        #expect(try columns() == ["63616665CC81"])
    }

    @Test func aColumnGetsTheNameThatIsComposedOtherwise() throws {
        try file.start(places(Self.composed))
        try file.execute("INSERT INTO places VALUES ('1', 'Bar')")
        let renamed = TableSchema(
            name: "places", columns: [.id, .text(Self.decomposed)],
            formerColumnNames: [Self.decomposed: [Self.composed]])
        var schema = AppMigrations()
        schema.autoSchema(tables: [renamed])
        try schema.run(on: file.queue)
        #expect(try columns() == ["63616665CC81"])
        #expect(try file.values("SELECT \"\(Self.decomposed)\" FROM places") == ["Bar"])
    }

    @Test func tablesOfSuchNamesHaveTheirOwnColumnsAndIndexes() throws {
        let tables = [(Self.composed, "x"), (Self.decomposed, "y")].map { name, column in
            TableSchema(name: name, columns: [.id, .text(column)], indexes: [IndexSchema([column])])
        }
        try file.start(tables[0], tables[1])
        #expect(try file.indexes().count == 2)
    }

    @Test func aColumnByHandIsNotTakenForOneThatAModelHadInOtherBytes() throws {
        try file.start(places(Self.composed))
        try file.execute(
            "DROP TABLE places; CREATE TABLE places (id TEXT PRIMARY KEY, \"\(Self.decomposed)\" TEXT NOT NULL)")
        let error = try file.refuse(TableSchema(name: "places", columns: [.id]))
        #expect((error as? SchemaConflictError)?.reason == .unknownColumn)
    }
}
