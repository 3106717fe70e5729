import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Notes what a hub tells caches.
final class ChangeProbe: RowCache {
    private let told = Mutex<[TableChange]>([])

    func forget(_ change: TableChange) {
        told.withLock { $0.append(change) }
    }

    /// What was told since the last call.
    func take() -> [TableChange] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }
}

/// A file, a pool on it, and a probe for each of its tables.
struct ProbedStore {
    let folder: TemporaryFolder
    let pool: GRDB.DatabasePool
    let db: DatabaseActor
    let hub: ChangeHub
    private let probes: [String: ChangeProbe]

    static let tables = """
        CREATE TABLE texts (value INTEGER, id TEXT PRIMARY KEY, slug TEXT UNIQUE);
        CREATE TABLE numbers (id INTEGER PRIMARY KEY, value INTEGER);
        CREATE TABLE bare (value INTEGER, id TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE children (id TEXT PRIMARY KEY, parent TEXT REFERENCES texts (id) ON DELETE CASCADE);
        """
    static let rows = """
        INSERT INTO texts VALUES (1, 'a', 's'), (2, 'b', 't');
        INSERT INTO numbers VALUES (1, 1), (2, 2);
        INSERT INTO bare VALUES (1, 'a'), (2, 'b');
        INSERT INTO children VALUES ('c', 'a');
        """

    init(sql: String = "") throws {
        folder = try TemporaryFolder()
        pool = try GRDB.DatabasePool(path: folder.file().path)
        db = DatabaseActor(pool: pool)
        hub = db.changes
        try pool.write { try $0.execute(sql: Self.tables + Self.rows + sql) }
        probes = ["texts": ChangeProbe(), "numbers": ChangeProbe(), "bare": ChangeProbe(), "children": ChangeProbe()]
        for (table, probe) in probes { hub.tell(probe, of: table, idColumn: "id") }
        // The columns are looked up at the end of the first commit after that.
        try pool.write { try $0.execute(sql: "UPDATE numbers SET value = value WHERE id = 1") }
        _ = take()
    }

    func take() -> [String: [TableChange]] {
        probes.mapValues { $0.take() }.filter { !$0.value.isEmpty }
    }

    /// What the caches are told while a transaction of the pool commits.
    func told(_ sql: String) throws -> [String: [TableChange]] {
        try pool.write { try $0.execute(sql: sql) }
        return take()
    }

    /// What the caches are told at the next look, after somebody else has written.
    func toldAtNextLook() -> [String: [TableChange]] {
        #expect(!hub.isCurrent)
        hub.catchUp()
        #expect(hub.isCurrent)
        return take()
    }

    static let everything = ["texts", "numbers", "bare", "children"].reduce(into: [:]) {
        $0[$1] = [TableChange.allRows]
    }
}

extension TableChange {
    static func texts(_ ids: String...) -> TableChange { .rows(Set(ids.map { .text($0) })) }
    static func numbers(_ ids: Int64...) -> TableChange { .rows(Set(ids.map { .integer($0) })) }
}
