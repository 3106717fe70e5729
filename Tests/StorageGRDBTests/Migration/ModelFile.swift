import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// A file that starts with one version of a model after the other.
struct ModelFile {
    private let folder: TemporaryFolder
    let queue: GRDB.DatabaseQueue

    init() throws {
        folder = try TemporaryFolder()
        queue = try GRDB.DatabaseQueue(path: folder.file().path)
    }

    static func schema(_ tables: [TableSchema], _ more: (inout AppMigrations) -> Void = { _ in }) -> AppMigrations {
        var schema = AppMigrations()
        schema.autoSchema(tables: tables)
        more(&schema)
        return schema
    }

    /// Starts, and starts again, which must find nothing to do.
    ///
    /// - Returns: What was done, in words.
    @discardableResult
    func start(
        _ tables: TableSchema..., and more: (inout AppMigrations) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let schema = ModelFile.schema(tables, more)
        let plan = try schema.plan(on: queue)
        try schema.run(on: queue, clock: ManualClock())
        let again = try schema.plan(on: queue).operations
        #expect(again == [], sourceLocation: sourceLocation)
        #expect(try values("PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
        #expect(try values("PRAGMA foreign_keys") == ["1"], sourceLocation: sourceLocation)
        return plan.operations.map(\.description)
    }

    /// Expects that a start throws and leaves the file as it is.
    ///
    /// - Returns: What was thrown, without the step.
    @discardableResult
    func refuse(
        _ tables: TableSchema..., and more: (inout AppMigrations) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (any Error)? {
        let before = try dump()
        let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
            try ModelFile.schema(tables, more).run(on: queue)
        }
        #expect(try dump() == before, sourceLocation: sourceLocation)
        if case .migrationFailed(_, let underlying) = error { return underlying }
        return error
    }

    func execute(_ sql: String) throws {
        try queue.inDatabase { try $0.execute(sql: sql) }
    }

    func values(_ sql: String) throws -> [String] {
        try queue.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "NULL" : "\($0.storage.value ?? "")" }.joined(separator: " ")
            }
        }
    }

    func dump() throws -> DatabaseDump { try queue.read { try DatabaseDump($0) } }

    /// The text of a table, index or view.
    func sql(_ name: String) throws -> String? {
        try values("SELECT sql FROM sqlite_master WHERE name = '\(name)'").first
    }

    /// The names of the indexes that have a text.
    func indexes() throws -> [String] {
        try values("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    }
}

extension ColumnSchema {
    static let id = ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true)

    static func text(_ name: String, notNull: Bool = true) -> ColumnSchema {
        ColumnSchema(name: name, type: "TEXT", notNull: notNull)
    }
}

extension URL {
    /// A connection to one of very many files, at which nothing crashes.
    func quickQueue() throws -> GRDB.DatabaseQueue {
        var configuration = PoolOptions(preset: .none).configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY") }
        return try GRDB.DatabaseQueue(path: path, configuration: configuration)
    }
}

extension AppMigrations {
    /// Runs a schema.
    ///
    /// - Returns: What the logger was told.
    @discardableResult
    static func start(
        on writer: some DatabaseWriter, options: Options = Options(), clock: ManualClock = ManualClock(),
        _ describe: (inout AppMigrations) throws -> Void
    ) throws -> [String] {
        let lines = Lines()
        var options = options
        options.logger = lines.add
        var schema = AppMigrations()
        try describe(&schema)
        schema.setOptions(options)
        try schema.run(on: writer, clock: clock)
        return lines.all
    }
}
