public import StorageKit

/// A store for one test: a real file in a folder of its own, which is removed with it, and a clock that moves by hand. Keep it as long as
/// you use what it gives out: its storage alone would be left without a file.
///
/// ```swift
/// @Test func aNoteIsFoundByItsTitle() async throws {
///     let store = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
///     try await store.storage.save(Note(id: "1", title: "Water the plants", isDone: false))
///     #expect(try await store.storage.query(Note.self).where { $0.title.hasPrefix("Water") }.count() == 1)
/// }
/// ```
///
/// Where a file is not needed, `StorageKit.startInMemory` is quicker by the time that making files takes.
public final class TemporaryStore: Sendable {
    /// The open store. Before the folder, so that it is closed when that goes.
    public let context: StorageKit.Context
    /// The folder that the file is in.
    public let folder: TemporaryFolder
    /// The time of the store.
    public let clock: ManualClock

    /// Save, get, query, observe.
    public var storage: Storage { context.facade }
    /// The door to the database, for SQL.
    public var db: DatabaseActor { context.storage.dbActor }
    /// The file.
    public var url: URL { folder.file() }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - folder: The folder for the file, for two stores on one file or a second start; nil for a new one.
    ///   - clock: The time of the store.
    ///   - log: Notes each statement that the store runs.
    ///   - change: Changes the options that the store starts with.
    ///   - schema: Describes the schema.
    /// - Throws: `StorageError`, as `StorageKit.start` does, and for a log beside a monitor that times statements.
    public init(
        folder: TemporaryFolder? = nil,
        clock: ManualClock = ManualClock(),
        log: StatementLog? = nil,
        options change: (inout StorageKit.StartOptions) -> Void = { _ in },
        schema: (inout AppMigrations) -> Void
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.clock = clock
        var options = StorageKit.StartOptions(clock: clock)
        change(&options)
        if log != nil, let monitor = options.monitor,
            monitor.slowStatementThreshold != nil || monitor.tellsMissingIndexes
        {
            throw StorageError.invalidConfiguration(
                message:
                    "a store has either a StatementLog or a monitor that times statements: the log would stay empty")
        }
        log?.attach(to: &options.pool)
        context = try StorageKit.start(at: folder.file(), options: options, schema: schema)
    }

    /// Opens a copy of a file that is kept with the tests, such as one that an earlier version of the app wrote: what
    /// becomes of it shows whether the schema's migrations are right.
    ///
    /// ```swift
    /// let old = try #require(Bundle.module.url(forResource: "version-1", withExtension: "sqlite"))
    /// let store = try TemporaryStore(copyOf: old, schema: AppSchema.describe)
    /// #expect(try await store.storage.count(Note.self) == 3)
    /// ```
    ///
    /// - Parameters:
    ///   - fixture: A database that no program has open. It is not changed.
    ///   - clock: The time of the store.
    ///   - log: Notes each statement that the store runs.
    ///   - change: Changes the options that the store starts with.
    ///   - schema: Describes the schema.
    /// - Throws: An error of the file system if the file cannot be copied; `StorageError`, as `StorageKit.start` does.
    public convenience init(
        copyOf fixture: URL,
        clock: ManualClock = ManualClock(),
        log: StatementLog? = nil,
        options change: (inout StorageKit.StartOptions) -> Void = { _ in },
        schema: (inout AppMigrations) -> Void
    ) throws {
        let folder = try TemporaryFolder()
        // Of a link, what it leads to: the link copied would be the fixture itself.
        let fixture = fixture.resolvingSymlinksInPath()
        for end in ["", "-wal", "-journal"]
        where end.isEmpty || FileManager.default.fileExists(atPath: fixture.path + end) {
            let copy = folder.file("store.sqlite" + end)
            try FileManager.default.copyItem(at: URL(fileURLWithPath: fixture.path + end), to: copy)
            // What is kept with tests may be for reading alone.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
        }
        try self.init(folder: folder, clock: clock, log: log, options: change, schema: schema)
    }

    /// Saves entities that differ by their number, in one transaction.
    ///
    /// ```swift
    /// try await store.fill(100) { Note(id: "\($0)", title: "Note \($0)", isDone: $0.isMultiple(of: 2)) }
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - isolation: The actor that the caller is on.
    ///   - make: Makes the entity of a number, from 0 on.
    /// - Returns: The entities.
    /// - Throws: `StorageError`, as `save` does.
    @discardableResult
    public func fill<E: RegisteredEntity>(
        _ count: Int, isolation: isolated (any Actor)? = #isolation, _ make: (Int) throws -> E
    ) async throws -> [E] {
        let entities = try (0..<count).map(make)
        try await storage.save(entities)
        return entities
    }
}
