import Foundation
import StorageSQLite
import Testing

/// Parameters and columns, by position.
@Suite struct StatementHandleTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", .create)
    }

    static let values: [SQLiteValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-.infinity),
        .real(.leastNonzeroMagnitude),
        .text(""), .text("a\0b"), .text("\0"), .text("e\u{301}"), .text("東京 🌱"), .blob(Data()),
        .blob(Data([0, 255, 0])),
    ]

    @Test(arguments: values)
    func aValueIsReadAsItWasBound(_ value: SQLiteValue) throws {
        #expect(try connection.value("SELECT ?", [value]) == value)
        let types: [StorageClass: String] = [
            .null: "null", .integer: "integer", .real: "real", .text: "text", .blob: "blob",
        ]
        let statement = try connection.prepare("SELECT ?1, typeof(?1)")
        try statement.bind([value])
        #expect(try statement.handle.step())
        #expect(statement.handle.row[1] == types[statement.handle.cell(at: 0).storageClass].map { .text($0) })
        #expect(try !statement.handle.step())
    }

    @Test func aTextIsReadWithAllItsBytesBeUTF8OrNot() throws {
        let statement = try connection.prepare("SELECT ?")
        let bytes: [UInt8] = [0xFF, 0, 0x61]
        #expect(bytes.withUnsafeBytes { statement.handle.bindText($0, at: 1) } == 0)
        #expect(try statement.handle.step())
        #expect(Array(statement.handle.cell(at: 0).text) == bytes)
        #expect(statement.handle.cell(at: 0).value == .text("\u{FFFD}\0a"))
    }

    @Test func bytesThatAreLeftInPlaceAreReadFromThere() throws {
        let statement = try connection.prepare("SELECT ?")
        let bytes: [UInt8] = Array("in place".utf8)
        bytes.withUnsafeBytes { bytes in
            #expect(statement.handle.bindBlob(bytes, at: 1, .leftInPlace) == 0)
            #expect(statement.handle.stepping() == 100)
            #expect(statement.handle.cell(at: 0).blob.baseAddress == bytes.baseAddress)
        }
    }

    @Test func bindingAnewNeedsNoReset() throws {
        let statement = try connection.prepare("SELECT ? + 1")
        for number in Int64(0)..<3 {
            try statement.bind([.integer(number)])
            #expect(try statement.handle.step())
            #expect(statement.handle.row == [.integer(number + 1)])
        }
        statement.handle.reset()
        statement.handle.clearBindings()
        #expect(try statement.handle.step())
        #expect(statement.handle.row == [.null])
    }

    @Test func aParameterThatIsNotThereIsAnError() throws {
        let statement = try connection.prepare("SELECT :a, $b, ?")
        #expect(statement.handle.parameterCount == 3)
        #expect(statement.handle.parameterIndex(":a") == 1)
        #expect(statement.handle.parameterIndex("$b") == 2)
        #expect(statement.handle.parameterIndex("a") == nil)
        let error = #expect(throws: SQLiteFailure.self) { try statement.bind(Array(repeating: .null, count: 4)) }
        #expect(error?.kind == .range)
    }

    @Test func aStatementTellsWhatItIs() throws {
        try connection.run("CREATE TABLE t (a, b)")
        let select = try connection.prepare("SELECT a, b AS \"b c\" FROM t")
        #expect(select.handle.isReadOnly)
        #expect(select.handle.columnNames == ["a", "b c"])
        let insert = try connection.prepare("INSERT INTO t VALUES (1, 2)")
        #expect(!insert.handle.isReadOnly)
        #expect(insert.handle.columnCount == 0)
        #expect(insert.handle.sql == "INSERT INTO t VALUES (1, 2)")
    }

    @Test func whatExplainsAChangeChangesNothing() throws {
        try connection.run("CREATE TABLE t (a, b)")
        #expect(try connection.prepare("EXPLAIN QUERY PLAN DELETE FROM t").handle.isReadOnly)
        #expect(try connection.prepare("EXPLAIN DELETE FROM t").handle.isReadOnly)
    }
}
