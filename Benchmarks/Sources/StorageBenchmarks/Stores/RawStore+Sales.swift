import Foundation
import GRDBSQLite

/// The work of the raw side on several tables.
extension RawStore {
    /// Fills the tables that StorageKit made.
    func fill(_ content: Sales) throws {
        try run("BEGIN")
        let region = try prepare("INSERT INTO regions (id, name, updatedAt) VALUES (?, ?, '2026-01-01 00:00:00.000')")
        for one in content.regions {
            region.reset()
            region.bind(one.id, at: 1)
            region.bind(one.name, at: 2)
            _ = try region.step()
        }
        let shop = try prepare("INSERT INTO shops (id, regionId, name, isOpen, updatedAt) VALUES (?, ?, ?, ?, ?)")
        for one in content.shops {
            shop.reset()
            shop.bind(one.id, at: 1)
            shop.bind(one.regionId, at: 2)
            shop.bind(one.name, at: 3)
            sqlite3_bind_int64(shop.handle, 4, one.isOpen ? 1 : 0)
            RawDate.bind(one.updatedAt, shop.handle, 5)
            _ = try shop.step()
        }
        let sale = try prepare(RawSales.upsertSQL)
        for one in content.sales { try RawSales.save(one, sale) }
        region.reset()
        shop.reset()
        try run("COMMIT")
        try run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The sales of a region.
    func sales(inRegion name: String) throws -> Int {
        let select = try prepare(
            """
            SELECT \(RawSales.columns(of: "sales")) FROM sales JOIN shops shop ON shop.id = sales.shopId
            JOIN regions region ON region.id = shop.regionId WHERE region.name = ?
            """)
        select.bind(name, at: 1)
        return try RawSales.all(select).reduce(0) { $0 &+ $1.checksum }
    }

    /// Columns of the sales of a region and of what they refer to.
    func rows(inRegion name: String) throws -> Int {
        let select = try prepare(
            """
            SELECT sales.id, sales.amount, shop.name, region.name FROM sales JOIN shops shop ON shop.id = sales.shopId
            JOIN regions region ON region.id = shop.regionId WHERE region.name = ?
            """)
        select.bind(name, at: 1)
        var rows: [(String, Int, String, String)] = []
        while try select.step() {
            let row = select.handle
            rows.append(
                (
                    RawUsers.text(row, 0), Int(sqlite3_column_int64(row, 1)), RawUsers.text(row, 2),
                    RawUsers.text(row, 3)
                ))
        }
        return rows.reduce(0) { $0 &+ $1.0.utf8.count &+ $1.1 &+ $1.2.utf8.count &+ $1.3.utf8.count }
    }

    /// A sum of each sale's numbers.
    func totals() throws -> Int {
        let select = try prepare("SELECT id, amount * 2 - discount FROM sales")
        var rows: [(String, Int)] = []
        while try select.step() {
            rows.append((RawUsers.text(select.handle, 0), Int(sqlite3_column_int64(select.handle, 1))))
        }
        return rows.reduce(0) { $0 &+ $1.0.utf8.count &+ $1.1 }
    }

    /// What each shop has sold.
    func shopTotals(average: Bool) throws -> Int {
        let select = try prepare(
            "SELECT shopId, COUNT(*), SUM(amount), \(average ? "AVG(amount)" : "MAX(amount)") FROM sales GROUP BY shopId"
        )
        return try RawSales.totals(select).reduce(0) { $0 &+ RawSales.checksum($1) }
    }

    /// The open shops with their sales, by two statements and a dictionary.
    func shopsWithSales() throws -> Int {
        var shops: [Shop] = []
        let select = try prepare("SELECT id, regionId, name, isOpen, updatedAt FROM shops WHERE isOpen ORDER BY id")
        while try select.step() {
            let row = select.handle
            shops.append(
                Shop(
                    id: RawUsers.text(row, 0), regionId: RawUsers.text(row, 1), name: RawUsers.text(row, 2),
                    isOpen: sqlite3_column_int64(row, 3) != 0, updatedAt: RawDate.read(row, 4)))
        }
        let children = try prepare(
            """
            SELECT \(RawSales.columns(of: "sales")) FROM sales
            WHERE shopId IN (SELECT id FROM shops WHERE isOpen) ORDER BY id
            """)
        let sales = Dictionary(grouping: try RawSales.all(children), by: \.shopId)
        for place in shops.indices { shops[place].sales = sales[shops[place].id] ?? [] }
        return shops.checksum
    }

    /// Saves each sale in a transaction of its own, and reads columns of all sales and of their shops again.
    func saveEachAndReadRows(_ sales: [Sale]) throws -> Int {
        let save = try prepare(RawSales.upsertSQL)
        let select = try prepare(
            """
            SELECT sales.id, sales.amount, shop.name FROM sales JOIN shops shop ON shop.id = sales.shopId
            ORDER BY sales.id
            """)
        return try sales.reduce(0) { sum, sale in
            try RawSales.save(sale, save)
            select.reset()
            var rows: [(String, Int, String)] = []
            while try select.step() {
                let row = select.handle
                rows.append((RawUsers.text(row, 0), Int(sqlite3_column_int64(row, 1)), RawUsers.text(row, 2)))
            }
            return sum &+ rows.count
        }
    }

    /// Saves each sale in a transaction of its own, and sums up all sales again.
    func saveEachAndSumUp(_ sales: [Sale]) throws -> Int {
        let save = try prepare(RawSales.upsertSQL)
        let select = try prepare(
            "SELECT shopId, COUNT(*), SUM(amount), MAX(amount) FROM sales GROUP BY shopId ORDER BY shopId")
        return try sales.reduce(0) { sum, sale in
            try RawSales.save(sale, save)
            select.reset()
            return try sum &+ RawSales.totals(select).count
        }
    }
}

/// Sales to statements and back.
enum RawSales {
    private static let names = ["id", "shopId", "amount", "discount", "price", "note", "soldAt", "updatedAt"]
    static let upsertSQL =
        "INSERT INTO sales (\(names.joined(separator: ", "))) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        + names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

    static func columns(of table: String) -> String {
        names.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    static func save(_ sale: Sale, _ statement: RawStatement) throws {
        let handle = statement.handle
        statement.reset()
        statement.bind(sale.id, at: 1)
        statement.bind(sale.shopId, at: 2)
        sqlite3_bind_int64(handle, 3, Int64(sale.amount))
        sqlite3_bind_int64(handle, 4, Int64(sale.discount))
        sqlite3_bind_double(handle, 5, sale.price)
        if let note = sale.note { statement.bind(note, at: 6) } else { sqlite3_bind_null(handle, 6) }
        RawDate.bind(sale.soldAt, handle, 7)
        RawDate.bind(sale.updatedAt, handle, 8)
        _ = try statement.step()
        statement.reset()
    }

    static func all(_ statement: RawStatement) throws -> [Sale] {
        var sales: [Sale] = []
        while try statement.step() {
            let row = statement.handle
            sales.append(
                Sale(
                    id: RawUsers.text(row, 0), shopId: RawUsers.text(row, 1), amount: Int(sqlite3_column_int64(row, 2)),
                    discount: Int(sqlite3_column_int64(row, 3)), price: sqlite3_column_double(row, 4),
                    note: sqlite3_column_type(row, 5) == SQLITE_NULL ? nil : RawUsers.text(row, 5),
                    soldAt: RawDate.read(row, 6), updatedAt: RawDate.read(row, 7)))
        }
        return sales
    }

    static func totals(_ statement: RawStatement) throws -> [(String, Int, Int, Double)] {
        var totals: [(String, Int, Int, Double)] = []
        while try statement.step() {
            let row = statement.handle
            totals.append(
                (
                    RawUsers.text(row, 0), Int(sqlite3_column_int64(row, 1)), Int(sqlite3_column_int64(row, 2)),
                    sqlite3_column_double(row, 3)
                ))
        }
        return totals
    }

    static func checksum(_ total: (String, Int, Int, Double)) -> Int {
        total.0.utf8.count &+ total.1 &+ total.2 &+ Int(total.3 * 1000)
    }
}

extension [Shop] {
    var checksum: Int {
        reduce(0) { sum, shop in
            shop.sales.reduce(sum &+ shop.name.utf8.count) { $0 &* 31 &+ $1.checksum }
        }
    }
}
