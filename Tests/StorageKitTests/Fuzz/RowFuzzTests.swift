import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Whatever stands in a row: it is an entity, or the error names the column.
@Suite struct RowFuzzTests {
    @Test func anyRowIsAnEntityOrAnErrorThatNamesTheColumn() async throws {
        let store = try TemporaryStore(options: { $0.pool = .withoutSync }) { $0.autoSchema(EveryTypeRecord.self) }
        let count = programCount(short: 400, quick: 1_500, full: 200_000)
        let entities = try await store.db.write { db in
            var rows = try FuzzedRows(db)
            var entities = 0
            for _ in 0..<count { if try rows.next(db) { entities += 1 } }
            return entities
        }
        #expect(entities > count / 100)
        reportFuzz("rows", (count, "rows"), (entities, "entities"))
    }
}

extension PoolOptions {
    /// For tests that write much and never pull the plug.
    static let withoutSync = PoolOptions(configure: { configuration in
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    })
}

/// A table without types and keys, which takes any value in any column, with one row at a time.
private struct FuzzedRows {
    private var input = FuzzInput("rows")
    private let table = RecordTable(EveryTypeRecord.self)
    private let columns = EveryTypeRecord.schemaColumns.map(\.name)

    init(_ db: Database) throws {
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        try db.execute(sql: "DROP TABLE everytypes; CREATE TABLE everytypes (\(list), UNIQUE (id))")
    }

    /// - Returns: Whether the row is an entity.
    mutating func next(_ db: Database) throws -> Bool {
        var entity = EveryType.random(using: &input.random)
        // Of a value that is nil, one column that is not NULL makes the others wrong.
        entity.maybePoint = .origin
        entity.place.backup = .origin
        entity.maybePlace = entity.place
        try write(entity, db)
        var changed: Set<String> = []
        for _ in 0..<input.number(1...3) { changed.insert(input.pick(columns)) }
        for column in changed { try set(column, db) }
        return try read(changed, db)
    }

    private func write(_ entity: EveryType, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM everytypes")
        try db.upsertAll([entity], into: table, now: .distantPast)
    }

    private mutating func set(_ column: String, _ db: Database) throws {
        let (sql, argument) = value()
        let arguments = StatementArguments(argument.map { [$0] } ?? [])
        try db.execute(sql: "UPDATE everytypes SET \"\(column)\" = \(sql)", arguments: arguments)
    }

    /// A value of any storage class, as SQL with at most one argument.
    private mutating func value() -> (sql: String, argument: DatabaseValue?) {
        switch input.number(0...9) {
        case 0: return ("NULL", nil)
        case 1: return (input.pick(["9223372036854775807", "-9223372036854775808", "0", "-1", "256", "1e18"]), nil)
        case 2: return ("?", Int64(bitPattern: input.random.next()).databaseValue)
        case 3:
            return (input.pick(["9e999", "-9e999", "-0.0", "1e308", "5e-324", "9223372036854775808.0", "0.5"]), nil)
        case 4:
            let number = Double(bitPattern: input.random.next())
            return ("?", number.databaseValue)
        case 5: return ("?", Data(input.bytes(upTo: 40)).databaseValue)
        case 6: return ("zeroblob(\(input.pick([0, 1, 8, 16, 5_000])))", nil)
        // SQLite takes any bytes for text.
        case 7: return ("CAST(? AS TEXT)", Data(input.json().utf8).databaseValue)
        default: return ("CAST(? AS TEXT)", Data(input.textBytes()).databaseValue)
        }
    }

    private func read(_ changed: Set<String>, _ db: Database) throws -> Bool {
        do {
            let entity = try #require(try EveryType.fetchAll(db).first)
            try check(entity, changed, db)
            return true
        } catch StorageError.entityDecodingFailed("EveryType", let error as ColumnDecodingError) {
            #expect(changed.contains(error.column), "\(input.seed): \(error)")
            return false
        }
    }

    /// What was read can be saved and read again, unless it has no form that is stored.
    private func check(_ entity: EveryType, _ changed: Set<String>, _ db: Database) throws {
        do {
            try write(entity, db)
        } catch StorageError.entityEncodingFailed("EveryType", let error as ColumnEncodingError) {
            #expect(error.column != nil, "\(input.seed): \(error)")
            return
        }
        let isSame = try EveryType.fetchAll(db) == [entity]
        #expect(isSame, "\(input.seed): \(changed)")
    }
}
