import StorageCore
import Testing

@Suite struct TableSchemaTests {
    private let schema = TableSchema(
        name: "users",
        columns: [
            ColumnSchema(name: "id", type: "TEXT", primaryKey: true),
            ColumnSchema(name: "name", type: "TEXT", notNull: true),
        ])

    @Test func aColumnIsFoundByItsExactName() {
        #expect(schema.column(named: "name")?.notNull == true)
        #expect(schema.column(named: "Name") == nil)
    }

    @Test func aColumnMayHoldNullAndHasNoKeyAndNoDefaultUnlessToldSo() {
        let column = ColumnSchema(name: "bio", type: "TEXT")
        #expect(!column.notNull)
        #expect(!column.primaryKey)
        #expect(column.defaultValue == nil)
    }

    @Test(arguments: [("NULL", false), ("null", false), ("'null'", true), (nil, false)])
    func aDefaultOfNULLIsNone(value: String?, isOne: Bool) {
        #expect(ColumnSchema(name: "bio", type: "TEXT", defaultValue: value).hasDefault == isOne)
    }
}
