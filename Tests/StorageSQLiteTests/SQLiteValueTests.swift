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

    @Test(arguments: StatementHandleTests.values.filter { $0 != .real(-.infinity) })
    func aValueIsKeptAsJSON(_ value: SQLiteValue) throws {
        #expect(try JSONDecoder().decode(SQLiteValue.self, from: JSONEncoder().encode(value)) == value)
    }
}
