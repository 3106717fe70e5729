import StorageCore
import Testing

@Suite struct SchemaDiffTests {
    private let id = ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true)

    private func table(_ columns: ColumnSchema...) -> TableSchema {
        TableSchema(name: "users", columns: columns)
    }

    private func column(_ type: String, notNull: Bool = false, default value: String? = nil) -> ColumnSchema {
        ColumnSchema(name: "age", type: type, notNull: notNull, defaultValue: value)
    }

    private func kinds(file: ColumnSchema, model: ColumnSchema) -> [SchemaDifference.Kind] {
        SchemaDiff(model: table(id, model), file: table(id, file)).differences.map(\.kind)
    }

    @Test func equalTablesHaveNoDifference() {
        let diff = SchemaDiff(model: table(id, column("INTEGER")), file: table(id, column("INTEGER")))
        #expect(diff.isUpToDate)
        #expect(diff.differences.isEmpty)
    }

    @Test func aTableThatIsNotThereIsMissing() {
        let diff = SchemaDiff(model: table(id), file: nil)
        #expect(diff.isTableMissing)
        #expect(!diff.isUpToDate)
    }

    @Test func columnsThatTheFileLacksStandInTheOrderOfTheModel() {
        let more = ["c", "a", "b"].map { ColumnSchema(name: $0, type: "TEXT") }
        let diff = SchemaDiff(model: TableSchema(name: "users", columns: [id] + more), file: table(id))
        #expect(diff.missingColumns == more)
        #expect(!diff.isUpToDate)
    }

    @Test func namesAreComparedWithoutCase() {
        let file = TableSchema(name: "USERS", columns: [ColumnSchema(name: "ID", type: "text", primaryKey: true)])
        let diff = SchemaDiff(model: table(id), file: file)
        #expect(diff.isUpToDate)
        #expect(diff.differences.isEmpty)
    }

    @Test func aColumnThatTheModelLacksIsADifference() {
        let diff = SchemaDiff(model: table(id), file: table(id, column("TEXT")))
        #expect(diff.isUpToDate)
        #expect(diff.differences.map(\.kind) == [.columnNotInModel])
        #expect(
            diff.differences[0].description.contains(#"'users.age' is in the file ("age" TEXT) and not in the model"#))
    }

    @Test(arguments: [(true, nil, true), (true, "0", false), (false, nil, false)] as [(Bool, String?, Bool)])
    func onlyAnUnknownColumnWithoutNullAndDefaultPreventsInserts(notNull: Bool, value: String?, prevents: Bool) {
        let diff = SchemaDiff(model: table(id), file: table(id, column("TEXT", notNull: notNull, default: value)))
        #expect(diff.differences.map(\.preventsInserts) == [prevents])
        #expect(diff.differences[0].description.contains("no new row can be saved") == prevents)
    }

    @Test func aChangedTypeIsADifferenceWithTheSQLOfBothSides() {
        let diff = SchemaDiff(
            model: table(id, column("INTEGER", notNull: true)), file: table(id, column("TEXT", notNull: true)))
        #expect(diff.differences.map(\.kind) == [.type])
        #expect(
            diff.differences[0].description.contains(
                #"'users.age' is "age" TEXT NOT NULL in the file and "age" INTEGER NOT NULL in the model"#))
    }

    @Test func aTypeOfOurOwnIsNotAnotherOfTheSameAffinity() {
        #expect(kinds(file: column("BOOLEAN"), model: column("DATETIME")) == [.type])
        #expect(kinds(file: column("TEXT"), model: column("DECIMAL_TEXT")) == [.type])
    }

    @Test(arguments: [
        ("VARCHAR(20)", "TEXT"), ("INT", "INTEGER"), ("bigint", "UNSIGNED BIG INT"), ("DOUBLE", "REAL"),
        ("TIMESTAMP", "DATETIME"), ("", "BLOB"), ("integer", "INTEGER"), ("CLOB", "TEXT"),
    ])
    func aTypeOfAnotherProgramGoesByItsAffinity(file: String, model: String) {
        #expect(kinds(file: column(file), model: column(model)) == [])
    }

    @Test(arguments: [("VARCHAR(20)", "INTEGER"), ("INT", "TEXT"), ("DOUBLE", "DATETIME")])
    func aTypeOfAnotherAffinityIsADifference(file: String, model: String) {
        #expect(kinds(file: column(file), model: column(model)) == [.type])
    }

    @Test func aChangedNullabilityIsADifference() {
        #expect(kinds(file: column("TEXT"), model: column("TEXT", notNull: true)) == [.nullability])
        #expect(kinds(file: column("TEXT", notNull: true), model: column("TEXT")) == [.nullability])
    }

    @Test func aChangedPrimaryKeyIsADifference() {
        let key = ColumnSchema(name: "id", type: "TEXT", primaryKey: true)
        let plain = ColumnSchema(name: "id", type: "TEXT")
        #expect(SchemaDiff(model: table(key), file: table(plain)).differences.map(\.kind) == [.primaryKey])
        #expect(SchemaDiff(model: table(plain), file: table(key)).differences.map(\.kind) == [.primaryKey])
    }

    @Test func aRowidKeyIsNotAnotherIntegerKey() {
        func key(_ type: String) -> TableSchema { table(ColumnSchema(name: "id", type: type, primaryKey: true)) }
        #expect(SchemaDiff(model: key("INTEGER"), file: key("INT")).differences.map(\.kind) == [.type])
        #expect(SchemaDiff(model: key("UNSIGNED BIG INT"), file: key("BIGINT")).differences.isEmpty)
    }

    @Test func aDefaultIsADifferenceOnlyWhereTheModelHasOne() {
        #expect(kinds(file: column("TEXT", default: "''"), model: column("TEXT")) == [])
        #expect(kinds(file: column("TEXT"), model: column("TEXT", default: "''")) == [.defaultValue])
    }
}
