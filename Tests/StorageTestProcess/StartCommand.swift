import StorageKit
import StorageTestSupport

/// `start FILE SCHEMA [options]`: says `ready`, waits for a line, says `begin`, and starts a store.
///
/// Then come a line `log: ...` for each line of the logger, and `done`; or `failed: CASE ID`, where the id is that of
/// the migration or `-`, and `reason: ...`. Options:
/// - `--trace`: a line `sql: ...` for each statement.
/// - `--count`: a line `steps: N` at the end, for `--kill-after`.
/// - `--kill-after N`: dies at the Nth step, without a chance to clean up.
/// - `--kill-at SQL`: dies before a statement that begins so.
/// - `--limit-files BYTES`: writing beyond that size of a file fails, as on a full disk.
/// - `--die-at-size BYTES`: dies in the middle of the write that would make a file larger than that.
/// - `--count-writes`: a line `writes: N` at the end, for the next two.
/// - `--die-at-write N`: dies in the middle of the Nth call that writes to the disk, from 0.
/// - `--full-at-write N`: the disk is full from the Nth call on that writes.
/// - `--as-nobody`: gives up the rights of the superuser before.
/// - `--keep N`: copies the file before it changes, and keeps so many copies.
struct StartCommand {
    private let file: URL
    private let schema: LibrarySchema
    private let options: [String: Int]
    private let deadlySQL: String?

    init(_ arguments: [String]) throws {
        guard arguments.count >= 2, let schema = LibrarySchema(rawValue: arguments[1]) else {
            throw UsageError(message: "start FILE SCHEMA [options]")
        }
        file = URL(fileURLWithPath: arguments[0])
        self.schema = schema
        var options: [String: Int] = [:]
        var deadlySQL: String?
        var rest = arguments.dropFirst(2)
        while let name = rest.popFirst() {
            if name == "--kill-at" {
                deadlySQL = rest.popFirst()
                continue
            }
            options[name] = rest.first.flatMap { Int($0) }
            if options[name] != nil { rest.removeFirst() } else { options[name] = 0 }
        }
        self.options = options
        self.deadlySQL = deadlySQL
    }

    func run() throws {
        say("ready")
        guard readLine() != nil else { return }
        if let bytes = options["--limit-files"] { limitFiles(to: bytes, diesThere: false) }
        if let bytes = options["--die-at-size"] { limitFiles(to: bytes, diesThere: true) }
        if options["--as-nobody"] != nil { try becomeNobody() }
        say("begin")
        do {
            try WriteFault.begin(options)
            let safety = options["--keep"].map { StartSafety.backup(keeping: $0) } ?? .none
            let context = try Library.start(at: file, schema, pool: pool, safety: safety) { say("log: \($0)") }
            if options["--count"] != nil { say("steps: \(StepCounter.steps)") }
            WriteFault.end(options)
            say("done")
            try context.storage.pool.close()
        } catch let error as StorageError {
            say("failed: \(error.caseAndId)")
            say("reason: \(error)")
            exit(2)
        }
    }

    private var pool: PoolOptions {
        let (traces, killAfter) = (options["--trace"] != nil, options["--kill-after"])
        let deadlySQL = deadlySQL
        let counts = options["--count"] != nil || killAfter != nil
        return PoolOptions(configure: { configuration in
            // However long a busy machine lets the others take.
            configuration.busyMode = .timeout(600)
            configuration.prepareDatabase { db in
                if traces || deadlySQL != nil {
                    db.trace { event in
                        if traces { say("sql: \(event)") }
                        if let deadlySQL, "\(event)".hasPrefix(deadlySQL) { kill(getpid(), SIGKILL) }
                    }
                }
                if counts { StepCounter.install(on: db, killAfter: killAfter) }
            }
        })
    }
}

extension StorageError {
    fileprivate var caseAndId: String {
        switch self {
        case .migrationFailed(let id, _): "migrationFailed \(id)"
        case .databaseNotFound: "databaseNotFound -"
        case .invalidConfiguration: "invalidConfiguration -"
        default: "other -"
        }
    }
}
