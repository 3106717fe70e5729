import StorageRepo

/// One start of a store: what was asked for.
final class Start {
    let options: StorageKit.StartOptions
    private let migrations: AppMigrations
    private let progress: StartTeller

    convenience init(_ options: StorageKit.StartOptions, _ schema: (inout AppMigrations) -> Void) {
        var migrations = AppMigrations()
        schema(&migrations)
        self.init(options, migrations)
    }

    init(_ options: StorageKit.StartOptions, _ migrations: AppMigrations, progress: StartTeller = StartTeller()) {
        self.options = options
        self.migrations = migrations
        self.progress = progress
    }

    func open(file url: URL) throws -> StorageKit.Context {
        try open { pool, monitor in
            try StorageContext.open(
                url, pool, createsPrivateFile: options.createsPrivateFile, sharesFile: options.sharesFile,
                watchesOtherProcesses: options.watchesOtherProcesses, monitor: monitor)
        }
    }

    func open(_ open: (PoolOptions, (any StorageMonitor)?) throws -> StorageContext) throws -> StorageKit.Context {
        let config = options.makeConfig()
        var pool = options.pool
        let watch = config.monitor.flatMap { StatementWatch($0, tables: migrations.autoTables) }
        watch?.attach(to: &pool)
        let storage = try open(pool, config.monitor)
        watch?.readPlans(from: storage.dbActor)
        let context = try StorageKit.Context(
            storage: storage, config: config, migrations: migrations, safety: options.safety, progress: progress)
        watch?.lookForMissingIndexes()
        return context
    }
}
