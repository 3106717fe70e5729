public import GRDB

extension AppMigrations {
    /// Brings a database to this schema. `StorageKit.start` does it for you.
    ///
    /// All steps that are due run in one transaction: either the database has this schema afterwards, or it is as
    /// it was before the call. Then, or where nothing is due, it is noted in the file that nothing is; the next start finds the
    /// note and looks no further, writes nothing and takes no lock. A note that cannot be written at once is left out.
    ///
    /// - Parameters:
    ///   - writer: A GRDB pool or queue.
    ///   - clock: The time that existing rows get in an added date column.
    /// - Throws: ``StorageError/migrationFailed(id:underlying:)`` with the step that failed, the cause and, where
    ///   SQLite refused something, the SQL; ``StorageError/invalidConfiguration(message:)`` if one id stands for two
    ///   migrations, if a record has columns that no table can have, or if the file has had migrations that this
    ///   schema does not know and ``Options/refusesUnknownMigrations`` is set;
    ///   ``StorageError/invalidTableName(_:)`` for a table that cannot be.
    public func run(on writer: some DatabaseWriter, clock: some Clock = SystemClock()) throws {
        try run(on: writer, config: StorageConfig(clock: clock))
    }

    /// - Parameters:
    ///   - config: Has the clock, says how JSON columns are written, and who hears of what is done.
    ///   - safety: What is done so that a change can be undone.
    ///   - progress: Hears how far it is, and says whether to stop.
    /// - Throws: `CancellationError` if it was to stop.
    package func run(
        on writer: some DatabaseWriter, config: StorageConfig, safety: StartSafety = .none,
        progress: StartTeller = StartTeller()
    ) throws {
        let log = { (line: String) in
            options.logger?(line)
            config.monitor?.record(.migration(line))
        }
        let isHeard = options.logger != nil || config.monitor != nil
        try safety.check()
        let context = MigrationContext(now: config.clock.now, coders: config.coders, report: log, progress: progress)
        let run = try MigrationRun(self, in: context, safety: safety)
        let plan = try run.reporting {
            try writer.writeWithoutTransaction { db in
                try progress.watching(db) {
                    run.isNoted(on: db, tells: isHeard) ? MigrationPlan() : try run.perform(on: db, log: log)
                }
            }
        }
        plan.warnings.forEach(log)
    }

    /// What ``run(on:clock:)`` would do to a database, and what it would leave. The database is only read.
    ///
    /// Where something is due, the steps run on a private copy of the database that is thrown away afterwards: what a
    /// migration of the app's own does is known only by running it. There it is measured too, how many rows each operation
    /// writes and how long it takes. The copy takes the time and the disk space of a
    /// backup. Databases that the configuration attaches are not copied: what a migration writes to one is written.
    ///
    /// ```swift
    /// var schema = AppMigrations()
    /// schema.autoSchema(UserRecord.self)
    /// let plan = try schema.plan(on: pool)
    /// print(plan)                 // Add column 'phone' to 'users': "phone" TEXT NOT NULL DEFAULT ''
    /// ```
    ///
    /// Where the app starts with options, ask `plan(on:options:)` of StorageKit, which takes them.
    ///
    /// - Parameters:
    ///   - reader: A GRDB pool or queue, which may be read-only.
    ///   - clock: The time that existing rows would get in an added date column.
    /// - Returns: The operations, what they cost, and the differences.
    /// - Throws: ``StorageError``, as ``run(on:clock:)`` would.
    public func plan(on reader: some DatabaseReader, clock: some Clock = SystemClock()) throws -> MigrationPlan {
        try plan(on: reader, config: StorageConfig(clock: clock))
    }

    /// - Parameter config: Has the clock, and says how JSON columns are written.
    package func plan(on reader: some DatabaseReader, config: StorageConfig) throws -> MigrationPlan {
        let context = MigrationContext(now: config.clock.now, coders: config.coders)
        let run = try MigrationRun(self, in: context)
        return try run.reporting {
            let survey = try reader.read { try run.survey($0) }
            guard survey.isDue else { return survey.plan }
            return try reader.temporaryCopy().writeWithoutTransaction { try run.perform(on: $0) { _ in } }
        }
    }
}

extension DatabaseReader {
    /// A copy that SQLite keeps in a file of its own, without a name, as long as it is open.
    fileprivate func temporaryCopy() throws -> DatabaseQueue {
        let copy = try DatabaseQueue(path: "", configuration: configuration.forPrivateDatabase)
        try backup(to: copy)
        return copy
    }
}

extension Configuration {
    /// The same for a database beside this one, which is used while a connection of this one is at work: they must not
    /// wait for each other's queue. It has no name, and so no write-ahead log. What runs there is no statement of
    /// the store's.
    var forPrivateDatabase: Configuration {
        var configuration = self
        configuration.readonly = false
        configuration.journalMode = .default
        configuration.targetQueue = nil
        configuration.writeTargetQueue = nil
        configuration.prepareDatabase { $0.trace() }
        return configuration
    }
}
