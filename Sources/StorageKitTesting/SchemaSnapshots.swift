public import StorageKit

/// The schemas of an app's released versions, each kept as a file of SQL among its tests: whatever the model becomes, a test sees
/// that today's code brings a store of each of those versions to what a fresh install gets.
///
/// ```swift
/// @Test func storesOfAllVersionsMigrate() throws {
///     try SchemaSnapshots("Schemas", schema: AppSchema.describe).check()
/// }
/// ```
///
/// When a version is to be released, run the test once with its name, and commit the file that this writes:
///
/// ```
/// STORAGEKIT_SNAPSHOT=1.4 swift test --filter storesOfAllVersionsMigrate
/// ```
///
/// The file has the tables, and rows that were made up, so that each migration finds some. Of virtual tables it has the rows of full-text
/// indexes that keep their texts, and of R-trees.
public struct SchemaSnapshots {
    /// Where the files are: `1.4.sql`.
    public let folder: URL
    private let schema: AppMigrations
    private let options: StorageKit.StartOptions
    private let addRows: (Database) throws -> Void

    /// Describes where the snapshots are, and today's schema.
    ///
    /// - Parameters:
    ///   - folder: The name of a folder beside the test's file.
    ///   - file: The test's file.
    ///   - options: What the app starts with, where it has functions, collations or a form of JSON of its own.
    ///   - rows: Adds rows to those that a new snapshot makes up: to tables without a record, or where no value of a property's
    ///     type can be guessed.
    ///   - schema: Describes the schema, as for `StorageKit.start`.
    public init(
        _ folder: String, file: String = #filePath, options: StorageKit.StartOptions = .init(),
        rows: @escaping (Database) throws -> Void = { _ in }, schema: (inout AppMigrations) -> Void
    ) {
        let beside = URL(fileURLWithPath: file).deletingLastPathComponent()
        self.init(folder: beside.appendingPathComponent(folder), options: options, rows: rows, schema: schema)
    }

    /// Describes where the snapshots are, and today's schema.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - options: What the app starts with, where it has functions, collations or a form of JSON of its own.
    ///   - rows: Adds rows to those that a new snapshot makes up.
    ///   - schema: Describes the schema, as for `StorageKit.start`.
    public init(
        folder: URL, options: StorageKit.StartOptions = .init(),
        rows: @escaping (Database) throws -> Void = { _ in }, schema: (inout AppMigrations) -> Void
    ) {
        var migrations = AppMigrations()
        schema(&migrations)
        // A debug build of the app may ask for it, and then no store would be upgraded: each would be made anew.
        migrations.options.eraseDatabaseOnSchemaChange = false
        self.folder = folder
        self.schema = migrations
        self.options = options
        addRows = rows
    }

    /// The names of the snapshots, in the order of the numbers in them: `1.4-beta`, `1.4`, `1.10`.
    ///
    /// - Throws: If the folder cannot be read. A missing one has none.
    public var names: [String] {
        get throws {
            guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "sql" }.map { $0.deletingPathExtension().lastPathComponent }
                .sorted(by: SchemaSnapshots.isEarlier(_:than:))
        }
    }

    private static func isEarlier(_ name: String, than other: String) -> Bool {
        // What stands behind a hyphen comes before the release.
        let (release, others) = (name.prefix { $0 != "-" }, other.prefix { $0 != "-" })
        switch release.compare(others, options: .numeric) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame where (release == name) != (others == other): return others == other
        case .orderedSame: return name.compare(other, options: .numeric) == .orderedAscending
        }
    }

    /// Brings a store of each snapshot to today's schema, and compares it with a fresh one. With `STORAGEKIT_SNAPSHOT` in the
    /// environment, today's schema is kept under that name first.
    ///
    /// Stores are upgraded, even if the schema has the option `eraseDatabaseOnSchemaChange`.
    ///
    /// Quotes, blanks, comments and the order of columns make no difference, nor does what a constraint does on a conflict, nor do capitals in
    /// the names of tables and columns, but for the texts of indexes, triggers and views that migrations make. Checks and expressions are compared
    /// word by word. What `AUTOINCREMENT` has given is not kept. A property that is gone may have left its column, if that keeps no row from being
    /// saved.
    ///
    /// - Throws: ``SchemaSnapshotError`` with everything that is not as in a fresh store, rows that the entity cannot be
    ///   read from, what a migration of a snapshot throws, and today's schema itself if the newest snapshot is of another; or what the
    ///   start of a fresh store throws.
    public func check() throws {
        if let name = ProcessInfo.processInfo.environment["STORAGEKIT_SNAPSHOT"] { try record(name) }
        let fresh = try SchemaFacts(of: freshStore())
        let names = try names
        var findings: [String] = []
        var changes: [String] = []
        for name in names {
            do {
                let store = try open(name)
                if name == names.last { changes = try SchemaFacts(of: store).changes(to: fresh) }
                try migrate(store)
                let problems = try store.read { try schema.unreadableRows(in: $0, coders) + $0.brokenReferences() }
                let differences = try SchemaFacts(of: store).differences(fromFresh: fresh)
                findings += (differences + problems).map { "\(name): \($0)" }
            } catch {
                findings.append("\(name): \((error as? any LocalizedError)?.errorDescription ?? "\(error)")")
            }
        }
        findings += unkept(changes, since: names.last)
        if !findings.isEmpty { throw SchemaSnapshotError(findings: findings) }
    }

    /// Keeps today's schema as the snapshot of that name, in the place of one that may be there.
    ///
    /// - Parameter name: The version of the app: letters, digits, points, hyphens and underscores.
    /// - Returns: The file.
    /// - Throws: ``SchemaSnapshotError`` for another name; what the start of a fresh store or the writing of the file throws.
    @discardableResult
    public func record(_ name: String) throws -> URL {
        guard name.wholeMatch(of: /\w[\w.-]*/) != nil else {
            throw SchemaSnapshotError(findings: [
                "'\(name)' is no name of a file: use letters, digits and '_', and '.' and '-' behind the first"
            ])
        }
        let script = try SchemaScript(of: freshStore(), schema: schema, coders, addRows: addRows)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = url(name)
        try script.text(name: name).write(to: url, atomically: true, encoding: .utf8)
        return url
    }

    private var coders: JSONCoders { options.makeConfig().coders }

    private func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".sql") }

    private func freshStore() throws -> DatabaseQueue {
        let store = try emptyStore()
        try migrate(store)
        return store
    }

    private func emptyStore() throws -> DatabaseQueue {
        try DatabaseQueue(configuration: options.pool.configuration())
    }

    private func migrate(_ store: DatabaseQueue) throws {
        var config = options.makeConfig()
        // A column that is added has the time of the start as its default, which would be another each time.
        config.clock = ManualClock()
        try schema.run(on: store, config: config)
    }

    private func open(_ name: String) throws -> DatabaseQueue {
        let store = try emptyStore()
        let script = try String(contentsOf: url(name), encoding: .utf8)
        try store.writeWithoutTransaction { db in
            // Rows come in the order of their tables.
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: script)
            try db.execute(sql: "PRAGMA foreign_keys = ON")
        }
        return store
    }

    /// What says that today's schema was not kept.
    private func unkept(_ changes: [String], since newest: String?) -> [String] {
        let advice =
            "if it is to be released, keep it under the name of its version: "
            + "STORAGEKIT_SNAPSHOT=<version> swift test --filter <this test>"
        guard let newest else { return ["there is no snapshot of the schema in \(folder.path); \(advice)"] }
        return changes.isEmpty
            ? [] : ["the schema is another than that of the newest snapshot, \(newest); \(advice)"] + changes
    }
}

/// What ``SchemaSnapshots`` found.
public struct SchemaSnapshotError: Error, Sendable, CustomStringConvertible {
    /// Each finding, with the snapshot, the table and the column.
    public let findings: [String]

    /// The findings, one a line.
    public var description: String { findings.joined(separator: "\n") }
}

extension SchemaSnapshotError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension Database {
    fileprivate func brokenReferences() throws -> [String] {
        try Row.fetchAll(self, sql: "PRAGMA foreign_key_check").map {
            "a row of table '\($0["table"] as String)' refers to one of '\($0["parent"] as String)' that is not there"
        }
    }
}
