import Foundation
import StorageSQLite

/// One value, asked for on its own since it is long.
struct CellQuestion: Decodable, Sendable {
    let table: String
    /// Nil where the rows of the table cannot be told apart.
    let key: [CellJSON]?
    let column: String

    /// The value.
    ///
    /// - Throws: ``StudioError`` if there is no such row or column.
    func cell(_ connection: Connection, _ schema: StudioSchema) throws -> Cell {
        let table = try schema.table(table)
        let column = try table.knownColumn(column)
        let condition = try RowCondition(key ?? [], table)
        let sql = "SELECT \(column.name.quotedName) FROM \(table.source) WHERE \(condition.sql)"
        guard let cell = try connection.rows(sql, condition.values).first?.first else {
            throw StudioError(.notFound, "the row is not there any more")
        }
        return cell
    }
}

/// Which row is meant, by what it is known by.
struct RowCondition {
    let sql: String
    let values: [Cell]

    /// - Throws: ``StudioError`` if the rows of the table cannot be told apart, or the key is another table's.
    init(_ key: [CellJSON], _ table: Table) throws {
        guard let identity = table.identity else {
            throw StudioError(.invalid, "the rows of '\(table.name)' have no key")
        }
        guard identity.count == key.count else {
            throw StudioError(.invalid, "the key is not one of '\(table.name)'")
        }
        sql = identity.map { "\($0.quotedName) IS ? COLLATE BINARY" }.joined(separator: " AND ")
        values = key.map(\.cell)
    }
}
