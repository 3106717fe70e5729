import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Upgrades along made-up histories of an app's schema, against a model without a database.
@Suite(.timeLimit(.minutes(20))) struct SchemaHistoryTests {
    @Test func everyUpgradeOfEveryHistoryEndsWhereAFreshInstallDoesAndKeepsAllRows() throws {
        var generator = SeededGenerator()
        for number in 0..<programCount(short: 8, quick: 40, full: 2000) {
            let length = Int.random(in: 2...5, using: &generator)
            let history = SchemaHistory(length: length, using: &generator)
            try check(history, using: &generator, "seed \(generator.seed), history \(number)")
        }
    }

    /// Walks from version to version with new rows in each, and goes from each to every later one at once.
    private func check(
        _ history: SchemaHistory, using generator: inout SeededGenerator, _ comment: Comment
    ) throws {
        let folder = try TemporaryFolder()
        let fresh = try history.versions.indices.map { try structure(ofFresh: $0, history, folder) }
        var model = SchemaModel()
        let file = folder.file("walk.sqlite")
        for version in history.versions.indices {
            try start(file, history, version, &model, fresh[version], "\(comment), to \(version)")
            try file.quickQueue().inDatabase { db in
                try model.addRows(history.versions[version], to: db, using: &generator)
            }
            for later in history.versions.indices.dropFirst(version + 2) {
                let copy = folder.file("\(version)-\(later).sqlite")
                try FileManager.default.copyItem(at: file, to: copy)
                var model = model
                try start(copy, history, later, &model, fresh[later], "\(comment), from \(version) to \(later)")
            }
        }
    }

    private func start(
        _ file: URL, _ history: SchemaHistory, _ version: Int, _ model: inout SchemaModel, _ fresh: Structure,
        _ comment: Comment
    ) throws {
        _ = try run(file, history, version)
        model.start(history.versions[version], now: ManualClock().now)
        let after = try file.quickQueue().inDatabase { db in
            #expect(try SchemaModel.tables(in: db) == model.tables, comment)
            #expect(try Structure(db) == fresh, comment)
            #expect(try Structure.migrations(db) == model.applied, comment)
            return try DatabaseDump(db)
        }
        #expect(try run(file, history, version) == [], comment)
        let again = try file.quickQueue().inDatabase { try DatabaseDump($0) }
        #expect(again == after, "\(again.firstDifference(from: after)); \(comment)")
    }

    private func structure(ofFresh version: Int, _ history: SchemaHistory, _ folder: TemporaryFolder) throws
        -> Structure
    {
        let file = folder.file("fresh-\(version).sqlite")
        _ = try run(file, history, version)
        return try file.quickQueue().inDatabase { try Structure($0) }
    }

    /// - Returns: What the logger was told.
    private func run(_ file: URL, _ history: SchemaHistory, _ version: Int) throws -> [String] {
        try AppMigrations.start(on: file.quickQueue()) { history.describe(version, &$0) }
    }
}

/// What an upgraded file and a fresh one have in common: not the order of columns, and not the defaults that existing
/// rows needed.
private struct Structure: Equatable {
    struct Column: Hashable {
        let table: String
        let name: String
        let type: String
        let isNotNull: Bool
        let keyIndex: Int
    }

    struct Index: Hashable {
        let table: String
        let name: String
        let isUnique: Bool
        let columns: [String]
    }

    let columns: Set<Column>
    let indexes: Set<Index>

    init(_ db: GRDB.Database) throws {
        var columns: Set<Column> = []
        var indexes: Set<Index> = []
        for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
            for column in try db.columns(in: table) {
                columns.insert(
                    Column(
                        table: table, name: column.name, type: column.type, isNotNull: column.isNotNull,
                        keyIndex: column.primaryKeyIndex))
            }
            for index in try db.indexes(on: table) {
                indexes.insert(
                    Index(table: table, name: index.name, isUnique: index.isUnique, columns: index.columns))
            }
        }
        self.columns = columns
        self.indexes = indexes
    }

    /// The recorded migrations of the app's own.
    static func migrations(_ db: GRDB.Database) throws -> Set<String> {
        Set(
            try String.fetchAll(
                db,
                sql: """
                    SELECT identifier FROM grdb_migrations
                    WHERE identifier NOT LIKE 'auto_schema%' AND identifier NOT LIKE 'storage_schema%'
                    """))
    }
}
