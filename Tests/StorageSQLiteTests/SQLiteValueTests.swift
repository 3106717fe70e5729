import Foundation
import StorageSQLite
import Testing

@Suite struct SQLiteValueTests {
    @Test func valuesAreToldApartAsSQLiteDoes() {
        let values = StatementHandleTests.values + [.text("\u{E9}"), .blob(Data("a\0b".utf8)), .real(1), .integer(1)]
        #expect(Set(values).count == values.count)
        #expect(SQLiteValue.real(0) == .real(-0.0))
        #expect(SQLiteValue.real(0).hashValue == SQLiteValue.real(-0.0).hashValue)
        #expect(SQLiteValue.text(String("été".reversed())) == .text("été"))
    }

    @Test(arguments: StatementHandleTests.values + [.real(1), .real(-0.0), .real(1e18), .real(.infinity), .real(0.1)])
    func aValueIsKeptAsJSON(_ value: SQLiteValue) throws {
        #expect(try JSONDecoder().decode(SQLiteValue.self, from: JSONEncoder().encode(value)) == value)
    }

    @Test func aNumberOfJSONIsAnIntegerOrAReal() throws {
        let values = try JSONDecoder().decode([SQLiteValue].self, from: Data("[1, 1.5, 10000000000000000000]".utf8))
        #expect(values == [.integer(1), .real(1.5), .real(1e19)])
    }

    @Test func anObjectThatIsNoValueIsAnError() {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SQLiteValue.self, from: Data("{}".utf8)) }
    }
}
