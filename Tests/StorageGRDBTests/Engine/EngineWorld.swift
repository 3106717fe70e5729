import GRDB
import StorageKit
import StorageTestSupport
import Synchronization

@testable import StorageGRDB

/// What a hub told a cache, or a listener.
struct ChangeNote: Sendable, CustomStringConvertible {
    let isOfCache: Bool
    let changes: TableChange?

    var description: String {
        let rows =
            switch changes {
            case nil: "nothing"
            case .allRows: "all"
            case .rows(let ids, _): EngineProgram.ids.filter { ids.contains(.text($0)) }.joined()
            }
        return (isOfCache ? "cache " : "listener ") + rows
    }

    func includes(_ id: String) -> Bool {
        switch changes {
        case nil: false
        case .allRows: true
        case .rows(let ids, _): ids.contains(.text(id))
        }
    }
}

/// Keeps what a hub tells.
final class NoteProbe: RowCache, ChangeListener {
    private let notes = Mutex<[ChangeNote]>([])
    private let table: String

    init(table: String) {
        self.table = table
    }

    func forget(_ change: TableChange) {
        notes.withLock { $0.append(ChangeNote(isOfCache: true, changes: change)) }
    }

    func note(_ changes: ChangeSet) {
        notes.withLock { $0.append(ChangeNote(isOfCache: false, changes: changes.change(of: table))) }
    }

    var count: Int { notes.withLock { $0.count } }

    func clear() { notes.withLock { $0 = [] } }

    var all: [ChangeNote] { notes.withLock { $0 } }
}

/// An app's own observer, which counts commits and makes some fail.
final class CommitReferee: TransactionObserver, Sendable {
    struct Refused: Error {}

    private let state = Mutex((commits: 0, refusals: 0))

    var commits: Int { state.withLock { $0.commits } }

    func refuse(_ count: Int) { state.withLock { $0.refusals = count } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        try state.withLock { state in
            guard state.refusals > 0 else { return }
            state.refusals -= 1
            throw Refused()
        }
    }

    func databaseDidCommit(_ db: Database) { state.withLock { $0.commits += 1 } }
    func databaseDidRollback(_ db: Database) {}
}

/// An open store on the file.
struct EngineStore: Sendable {
    private let store: TemporaryStore
    let referee = CommitReferee()
    /// Whether it waits for others' locks for long.
    let isPatient: Bool

    var db: DatabaseActor { store.db }
    var storage: Storage { store.storage }

    init(in folder: TemporaryFolder, isPatient: Bool, usesDiskCache: Bool) throws {
        self.isPatient = isPatient
        store = try TemporaryStore(
            folder: folder,
            options: { options in
                options.pool.configure = { $0.busyMode = .timeout(isPatient ? 60 : 0.002) }
                options.usesDiskCache = usesDiskCache
            }
        ) { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        db.pool.add(transactionObserver: referee)
    }

    func cache(onError: @escaping ErrorHandler = { _ in }) -> DiskCache<Int> {
        DiskCache(db: db, config: store.context.config, onError: onError)
    }

    /// Whether the writer is done with all calls.
    var isIdle: Bool { db.writer.isIdle }
}

/// A file, the stores on it, and the connections of others.
actor EngineWorld {
    let hub: ChangeHub
    let probe = NoteProbe(table: "testusers")
    let child: ChildProcess?
    private(set) var stores: [EngineStore]
    private let folder: TemporaryFolder
    private let isPatient: [Bool]
    private let usesDiskCache: Bool
    /// A connection that the library knows nothing of.
    let stranger: GRDB.DatabaseQueue
    private var journalPlace = 0
    private var rows: EngineJournal.Rows = [:]

    init(random: inout SeededGenerator) async throws {
        folder = try TemporaryFolder()
        isPatient = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<4, using: &random) > 0 }
        let usesDiskCache = Bool.random(using: &random)
        self.usesDiskCache = usesDiskCache
        stores = try isPatient.map { [folder] in
            try EngineStore(in: folder, isPatient: $0, usesDiskCache: usesDiskCache)
        }
        hub = stores[0].db.changes
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(60)
        stranger = try GRDB.DatabaseQueue(path: folder.file().path, configuration: configuration)
        try await stranger.write { try $0.execute(sql: EngineWorld.schema) }
        hub.tell(probe, of: "testusers", idColumn: "id")
        hub.listen(probe, watching: false)
        child = Int.random(in: 0..<10, using: &random) == 0 ? try ChildProcess("run-sql", folder.file().path) : nil
        try await child?.line("ready")
    }

    /// Opens again what a program has closed, and forgets what was told.
    ///
    /// - Returns: How many commits each store has told of at the least.
    func prepare(closed: Set<Int>) throws -> [Int] {
        for place in closed {
            stores[place] = try EngineStore(in: folder, isPatient: isPatient[place], usesDiskCache: usesDiskCache)
        }
        for store in stores { store.referee.refuse(0) }
        hub.catchUp()
        defer { probe.clear() }
        return stores.map(\.referee.commits)
    }

    /// What was committed since the last call, and the rows.
    func takeJournal() async throws -> (journal: EngineJournal, rows: EngineJournal.Rows) {
        let (entries, found) = try await stranger.read { [journalPlace] db in
            (
                try GRDB.Row.fetchAll(
                    db, sql: "SELECT place, id, number FROM journal WHERE place > ? ORDER BY place",
                    arguments: [journalPlace]
                ).map {
                    (place: $0[0] as Int, id: $0[1] as String, number: $0[2] as Int?)
                },
                try GRDB.Row.fetchAll(db, sql: "SELECT id, age FROM testusers").map { ($0[0] as String, $0[1] as Int) }
            )
        }
        let journal = EngineJournal(after: rows, entries.map { ($0.id, $0.number) })
        journalPlace = entries.last?.place ?? journalPlace
        rows = Dictionary(uniqueKeysWithValues: found)
        return (journal, rows)
    }

    private static let schema: String = {
        var statements = [
            "CREATE TABLE journal (place INTEGER PRIMARY KEY, id TEXT NOT NULL, number INTEGER)",
            "CREATE TABLE notes (user TEXT REFERENCES testusers (id) DEFERRABLE INITIALLY DEFERRED)",
            "CREATE TRIGGER gone AFTER DELETE ON testusers BEGIN INSERT INTO journal (id) VALUES (OLD.id); END",
        ]
        for event in ["INSERT", "UPDATE"] {
            let faults = ["abort", "rollback", "fail"].map {
                ($0, "SELECT RAISE(\($0.uppercased()), '\($0)')")
            }
            for (name, action) in faults + [("orphan", "INSERT INTO notes VALUES ('nobody')")] {
                // Outside of a transaction FAIL keeps what its statement did before.
                let time = name == "fail" ? "BEFORE" : "AFTER"
                statements.append(
                    "CREATE TRIGGER \(name)_\(event) \(time) \(event) ON testusers WHEN NEW.name = '\(name)' BEGIN \(action); END"
                )
            }
            statements.append(
                "CREATE TRIGGER put_\(event) AFTER \(event) ON testusers BEGIN INSERT INTO journal (id, number) VALUES (NEW.id, NEW.age); END"
            )
        }
        return statements.joined(separator: ";\n")
    }()
}
