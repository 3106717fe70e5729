import GRDB

/// One walk over the steps of a schema.
final class MigrationRun {
    let schema: AppMigrations
    let context: MigrationContext
    let safety: StartSafety
    private let note: StartNote?
    /// Has what the schema says of its tables. A start that is noted to have nothing to do need not know.
    private lazy var lastStep = TableUpgradeStep(schema: schema)
    /// Those of the schema, and the last one.
    private lazy var steps: [any MigrationStep] = schema.steps + [lastStep]
    /// The id of each. That of auto-schema is worked out of all columns.
    private lazy var ids = steps.map(\.id)
    /// The step at work, for the error.
    var current = "schema"
    /// What a start that keeps a copy finds wrong with what it has done, before it commits.
    var findings: [StartCheckError.Finding] = []

    /// - Throws: `StorageError` for a schema that no database could take.
    init(_ schema: AppMigrations, in context: MigrationContext, safety: StartSafety = .none) throws {
        self.schema = schema
        self.safety = safety
        var context = context
        context.model = schema.autoTables
        self.context = context
        note = StartNote(schema)
        try schema.check()
    }

    /// A database before a run.
    struct Survey {
        var isDue = false
        /// What stays as it is; no operations.
        var plan = MigrationPlan()
    }

    /// Looks what there is to do, reading only.
    ///
    /// - Parameter isForReading: Whether nothing will be saved, so that columns which stand in the way do not matter.
    func survey(_ db: Database, isForReading: Bool = false) throws -> Survey {
        // GRDB keeps what it knows of the schema of a writer, which others may have changed.
        db.clearSchemaCache()
        let recorded = try db.recordedMigrations()
        var survey = Survey()
        let erases = try erases(db)
        let asked = isForReading ? schema.steps.indices : steps.indices
        let due = try erases ? [] : dueSteps(among: asked, on: db, recorded)
        survey.isDue = erases || !due.isEmpty || !isForReading && isModelNew(recorded)
        if isForReading, isOlder(recorded) {
            current = lastStep.id
            try db.checkAsOlder(lastStep.models, isForReading: true)
        }
        if !survey.isDue { try lastStep.models.checkParents(on: db) }
        if let first = due.first { current = ids[first] }
        try describeWhatStays(&survey.plan, on: db, recorded)
        try refuseUnknown(survey.plan.unknownMigrations)
        return survey
    }

    /// Whether all that is in the file goes, so that what stands in the way of a step does not matter.
    private func erases(_ db: Database) throws -> Bool {
        try schema.options.eraseDatabaseOnSchemaChange && isSchemaChanged(db)
    }

    /// Whether an earlier start has noted that nothing is due, and nobody has changed anything since.
    ///
    /// - Parameter tells: Whether somebody is there to hear of what stays other than the model.
    func isNoted(on db: Database, tells: Bool) -> Bool {
        // What goes wrong here does so again where it is told.
        guard let note, let look = try? db.lookForNotes() else { return false }
        return note.isOn(look, tells: tells)
    }

    /// Brings a database to the schema, in one transaction if anything is due.
    func perform(on db: Database, log: (String) -> Void) throws -> MigrationPlan {
        let look = try? db.lookForNotes()
        let survey = try survey(db, isForReading: db.configuration.readonly)
        guard survey.isDue else {
            leaveNote(on: db, look, survey.plan)
            return survey.plan
        }
        var plan = MigrationPlan()
        var lines: [String] = []
        var copy: MadeCopy?
        let start = ContinuousClock.now
        // A migration may rebuild a table by dropping it, which must not cascade. Foreign keys can be switched
        // outside a transaction only; what was broken meanwhile is found before the commit.
        try db.setting("foreign_keys", to: 0) {
            try db.inTransaction(.immediate) {
                copy = try change(db, &plan, &lines)
                return .commit
            }
        }
        plan.duration = ContinuousClock.now - start
        if let copy {
            removeOldCopies(copy, log)
            lines.insert("Backed up to '\(copy.backup.url.lastPathComponent)'", at: 0)
        }
        lines.forEach(log)
        return plan
    }

    /// - Returns: The copy that was made before, if one was.
    private func change(
        _ db: Database, _ plan: inout MigrationPlan, _ lines: inout [String]
    ) throws -> MadeCopy? {
        // GRDB's writer trusts what it has read of the schema; another process may have been faster, and of a newer version.
        db.clearSchemaCache()
        let recorded = try db.recordedMigrations()
        try refuseUnknown(unknown(among: recorded))
        let erases = try erases(db)
        let due = try erases ? Array(schema.steps.indices) : dueSteps(among: steps.indices, on: db, recorded)
        let copy = try erases || !due.isEmpty ? copyStore(db, recorded, stepsDue: due.count) : nil
        if erases {
            try db.dropEverything()
            plan.record([.eraseDatabase], [.nothing], &lines)
        }
        // Nothing has changed since they were asked, unless all has.
        let idle = erases ? [] : Set(steps.indices).subtracting(due)
        try applySteps(to: db, idle, &plan, &lines)
        try checkBeforeCommit(db)
        try conclude(&plan, on: db)
        return copy
    }

    private func describeWhatStays(_ plan: inout MigrationPlan, on db: Database, _ recorded: [String]) throws {
        plan.unknownMigrations = unknown(among: recorded)
        plan.differences = try lastStep.differences(on: db)
        plan.omitted = try isOlder(recorded) ? lastStep.omitted(on: db) : []
    }

    /// Looks at what stays as it is, and notes that nothing is due any more.
    private func conclude(_ plan: inout MigrationPlan, on db: Database) throws {
        let recorded = try db.recordedMigrations()
        try describeWhatStays(&plan, on: db, recorded)
        // A step may be due at each start.
        if let note, try dueSteps(among: steps.indices, on: db, recorded).isEmpty,
            try !lastStep.dependsOnRows(plan.differences, db), let look = try db.lookForNotes()
        {
            try note.write(to: db, look, plan)
        }
    }

    /// Notes that nothing is due. Nothing hangs on it: where the file cannot be written, or somebody else is writing, the next
    /// start looks at everything as this one did.
    ///
    /// - Parameter look: What there was before this start looked at everything.
    private func leaveNote(on db: Database, _ look: StartNote.Look?, _ plan: MigrationPlan) {
        guard let note, let look, !note.isWritten(look, plan), !db.configuration.readonly,
            (try? lastStep.dependsOnRows(plan.differences, db)) == false
        else { return }
        _ = try? db.withoutWaitingForLocks(db.busyTimeout()) {
            try db.inTransaction(.immediate) {
                guard let now = try db.lookForNotes(), now.found == look.found else { return .rollback }
                try note.write(to: db, now, plan)
                return .commit
            }
        }
    }

    /// Asks of each step under the write lock whether it is due: another process may have been faster, and one step
    /// may do the work of the next.
    ///
    /// - Parameter idle: The steps that are known to have nothing to do as the file is. They have none until another step has done
    ///   something, and are not asked before.
    private func applySteps(
        to db: Database, _ idle: Set<Int>, _ plan: inout MigrationPlan, _ lines: inout [String]
    ) throws {
        var references = BrokenReferences(stale: staleReferences, makesUnique: makesUnique)
        let watch = TransactionWatch()
        db.add(transactionObserver: watch)
        defer { db.remove(transactionObserver: watch) }
        // A step may undo what one before it did: a table that is made anew by a migration has lost its full-text index. The
        // second walk finds it, so that the next start has nothing to do, and the third finds what the last step undid. Then the last
        // step runs again: a column that is dropped in the third walk takes indexes with it that have to be made anew.
        var recorded = try db.recordedMigrations()
        var idle = idle
        let isOlder = isOlder(recorded)
        let (others, last) = (Array(schema.steps.indices), schema.steps.count)
        for place in others + others + [last] + others + [last] {
            let (step, id) = (steps[place], ids[place])
            current = id
            if place == last { try lastStep.models.checkParents(on: db) }
            if idle.contains(place) { continue }
            guard try isDue(place, on: db, recorded, isOlder: isOlder) else {
                idle.insert(place)
                continue
            }
            if try lastStep.mustWait(step, on: db) { continue }
            try context.progress.during(.migration(id: id)) {
                let mayBreakReferences = try step.mayBreakReferences(on: db, in: context)
                if mayBreakReferences { try references.look(db) }
                var cost = OperationCost(db)
                do {
                    try step.apply(to: db, in: context) { plan.record($0, cost.take(of: $0, db), &lines) }
                } catch let error as StorageError {
                    throw StorageError.migrationFailed(id: id, underlying: error)
                }
                guard db.isInsideTransaction, !watch.hasEnded else { throw EndedTransactionError() }
                if mayBreakReferences { try check(&references, db) }
                try db.recordMigration(id)
            }
            idle = []
            recorded = try db.recordedMigrations()
            lines.append("Applied \(id)")
        }
        if isModelNew(recorded) { try recordModel(on: db) }
    }

    /// The references that the last step drops.
    private func staleReferences(_ db: Database) throws -> Set<[SQLName]> {
        guard try !isOlder(db.recordedMigrations()) else { return [] }
        let recorded = try db.recordedModels()
        // What stands in the way of a new name is for the step to tell that gives it.
        let renames = context.model.flatMap { (try? db.renames(for: $0, model: context.model)) ?? [] }
        var stale: Set<[SQLName]> = []
        for model in lastStep.models {
            // It may have yet to get its new name.
            let names = [model.schema.name] + model.records.flatMap(\.schema.formerNames)
            guard let name = try names.first(where: db.hasTable) else { continue }
            for reference in try db.installedTable(named: name).staleReferences(model.schema, of: name, recorded) {
                // One that only gets the new name of its table or its column stays.
                let renamed = reference.renamed(by: renames, of: model.schema.name)
                if model.schema.references.contains(where: { $0.isSame(as: renamed) }) { continue }
                stale.insert([name, reference.column, reference.table].map(SQLName.init))
            }
        }
        return stale
    }

    /// Whether the last step gives a table a key by which others refer to it.
    private func makesUnique(_ table: String, _ db: Database) throws -> Bool {
        try !isOlder(db.recordedMigrations()) && lastStep.makesUnique(table, on: db)
    }

    private func recordModel(on db: Database) throws {
        let recorded = try db.recordedModels()
        for table in schema.autoTables {
            // From now on their NULLs are values.
            for column in table.columns where !column.notNull && recorded.has(.nullable(column.name, of: table.name)) {
                try db.forget(.nullable(column.name, of: table.name))
            }
        }
        // Early versions of StorageKit did not keep them.
        for case let step as AutoSchemaStep in schema.steps { try db.recordModel(step.tables.map(\.schema)) }
        try db.recordModel(lastStep.fingerprint)
    }

    /// Whether the schema has a model, which has never started on the file.
    private func isModelNew(_ recorded: [String]) -> Bool {
        schema.steps.contains(where: \.bringsModel) && !RecordedModels(recorded).hasStarted(lastStep.fingerprint)
    }

    /// Whether a newer version of the app has started on the file.
    private func isOlder(_ recorded: [String]) -> Bool { RecordedModels(recorded).isOlder(lastStep.fingerprint) }

    /// The places of those that have something to do.
    private func dueSteps(among places: Range<Int>, on db: Database, _ recorded: [String]) throws -> [Int] {
        let isOlder = isOlder(recorded)
        return try places.filter { place in
            current = ids[place]
            return try isDue(place, on: db, recorded, isOlder: isOlder)
        }
    }

    /// An older version of the app leaves the tables as a newer one has made them.
    private func isDue(_ place: Int, on db: Database, _ recorded: [String], isOlder: Bool) throws -> Bool {
        let step = steps[place]
        if step.bringsModel, isOlder { return false }
        // Who only reads can put nothing on record: the tables tell.
        let isKnown = recorded.contains(ids[place]) || db.configuration.readonly && step is AutoSchemaStep
        return try step.isDue(on: db, applied: isKnown, in: context)
    }

    /// Runs `body`, and says of what it throws which step was at work.
    func reporting<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StorageError {
            try context.progress.check()
            throw error
        } catch {
            // What SQLite says of a statement that was stopped.
            try context.progress.check()
            throw StorageError.migrationFailed(id: current, underlying: error)
        }
    }
}

extension MigrationPlan {
    fileprivate mutating func record(_ done: [Operation], _ costs: [Cost], _ lines: inout [String]) {
        operations += done
        self.costs += costs
        lines += done.compactMap(\.logLine)
    }
}

// MARK: - Migrations of another version

extension MigrationRun {
    private func unknown(among recorded: [String]) -> [String] {
        let known = Set(ids)
        return recorded.filter { id in
            !known.contains(id) && !ManualStep.reservedPrefixes.contains(where: id.hasPrefix)
        }
    }

    private func refuseUnknown(_ ids: [String]) throws {
        guard schema.options.refusesUnknownMigrations, !ids.isEmpty else { return }
        throw StorageError.invalidConfiguration(
            message: "the database was migrated by a newer version of this app, which knows the migrations "
                + "\(ids.quoted); update the app. The file was left as it is")
    }
}
