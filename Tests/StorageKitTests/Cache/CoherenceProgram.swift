import GRDB
import StorageKit
import StorageTestSupport

/// A store with all that may write to it, and random operations on it.
final class CoherenceWorld: Sendable {
    static let ids = (0..<6).map { "i\($0)" }
    private static let owners = ["o0", "o1"]

    let model = CoherenceModel()
    private let folder: TemporaryFolder
    private let contexts: [StorageKit.Context]
    /// A connection that the library knows nothing of.
    private let stranger: GRDB.DatabaseQueue
    private let turnstile = Turnstile()
    private let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
        let (url, clock) = (folder.file(), clock)
        contexts = try (0..<2).map { _ in
            let options = StorageKit.StartOptions(
                defaultTTL: 60, diskQuotaBytes: 300, clock: clock, memoryCapacity: 3)
            return try StorageKit.start(at: url, options: options) { schema in
                schema.addKVCache()
                schema.migration("tables") { db in
                    try db.execute(
                        sql: """
                            CREATE TABLE owners (id TEXT PRIMARY KEY, updatedAt DATETIME NOT NULL);
                            CREATE TABLE items (
                                id TEXT PRIMARY KEY, value INTEGER NOT NULL, slug TEXT UNIQUE,
                                owner TEXT REFERENCES owners(id) ON DELETE CASCADE,
                                updatedAt DATETIME NOT NULL);
                            INSERT INTO owners VALUES ('o0', '2026-01-01 00:00:00.000'), ('o1', '2026-01-01 00:00:00.000')
                            """)
                }
            }
        }
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        stranger = try GRDB.DatabaseQueue(path: url.path, configuration: configuration)
    }

    func settle() async {
        for context in contexts { await context.stores.settle() }
    }

    // MARK: - Reading

    /// One random read.
    ///
    /// - Returns: What is wrong, or nil.
    func read(_ random: inout SeededGenerator) async throws -> String? {
        let id = Self.ids.randomElement(using: &random) ?? ""
        let context = contexts.randomElement(using: &random) ?? contexts[0]
        let repository = context.makeRepository(CoherentItem.self, record: CoherentItemRecord.self)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: return try await model.read(id) { try await context.facade.get(CoherentItem.self, id: id) }
        case 2: return try await model.read(id) { try await repository.get(id: id) }
        case 3: return try await model.read(id) { try await repository.get(id: id, policy: .databaseOnly) }
        case 4: return try await model.read(id) { try await repository.get(id: id, policy: .localFirst(ttl: 1)) }
        default:
            return try await model.read(id, mayMiss: true) { try await repository.get(id: id, policy: .cacheOnly) }
        }
    }

    /// Reads everything by every road, while nobody writes.
    func problemAtRest() async throws -> String? {
        for context in contexts {
            let repository = context.makeRepository(CoherentItem.self, record: CoherentItemRecord.self)
            for id in Self.ids {
                for policy in [CachePolicy.localFirst(ttl: 60), .localFirst(ttl: 60), .databaseOnly] {
                    let problem = try await model.read(id) { try await repository.get(id: id, policy: policy) }
                    if let problem { return "at rest, \(policy): \(problem)" }
                }
            }
        }
        return nil
    }

    // MARK: - Writing

    /// One random write, alone.
    func write(_ random: inout SeededGenerator) async throws {
        let kind = Int.random(in: 0..<18, using: &random)
        let context = contexts.randomElement(using: &random) ?? contexts[0]
        let isStrange = Bool.random(using: &random)
        let items = (0..<3).map { _ in item(&random) }
        try await turnstile.pass { [self] in
            try await write(kind, items, context, isStrange: isStrange)
        }
    }

    private func item(_ random: inout SeededGenerator) -> CoherentItem {
        CoherentItem(
            id: Self.ids.randomElement(using: &random) ?? "", value: .random(in: 1...1_000_000, using: &random),
            slug: Bool.random(using: &random) ? nil : "s\(Int.random(in: 0..<3, using: &random))",
            owner: Bool.random(using: &random) ? nil : Self.owners.randomElement(using: &random))
    }

    private func write(
        _ kind: Int, _ items: [CoherentItem], _ context: StorageKit.Context, isStrange: Bool
    ) async throws {
        let rows = model.rows
        var item = items[0]
        var next = rows
        switch kind {
        case 0...4:
            item.slug = rows[item.id]?.slug
            next[item.id] = item
            try await model.write(next) { try await context.facade.save(item) }
        case 5:
            var batch = items
            for index in batch.indices {
                batch[index].slug = next[batch[index].id]?.slug
                next[batch[index].id] = batch[index]
            }
            try await model.write(next) { try await context.facade.save(batch) }
        case 6:
            next[item.id] = nil
            try await model.write(next) { try await context.facade.delete(CoherentItem.self, id: item.id) }
        case 7:
            next = rows.filter { $0.value.value > item.value }
            try await model.write(next) {
                _ = try await context.facade.query(CoherentItem.self).where { $0.value <= item.value }.deleteAll()
            }
        case 8:
            next = rows.mapValues { row in
                var row = row
                row.value += 1
                return row
            }
            try await model.write(next) {
                try await run("UPDATE items SET value = value + 1", in: context, isStrange: isStrange)
            }
        case 9, 10:
            next[item.id]?.value = item.value
            try await model.write(next) {
                try await run(
                    "UPDATE items SET value = ? WHERE id = ?", [item.value, item.id], in: context, isStrange: isStrange)
            }
        case 11, 12:
            // By the id, and by the slug of another.
            next = rows.filter { $0.value.slug == nil || $0.value.slug != item.slug }
            next[item.id] = item
            try await model.write(next) {
                try await run(
                    "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, '2026-01-01 00:00:00.000')",
                    [item.id, item.value, item.slug, item.owner], in: context, isStrange: isStrange)
            }
        case 13:
            next = rows.filter { $0.value.owner != "o0" }
            try await model.write(next) {
                // The foreign key needs its parent again.
                try await run("DELETE FROM owners WHERE id = 'o0'", in: context, isStrange: isStrange)
            }
            try await model.write(next) {
                try await run(
                    "INSERT INTO owners VALUES ('o0', '2026-01-01 00:00:00.000')", in: context, isStrange: isStrange)
            }
        case 14:
            struct Refused: Error {}
            try await model.write(rows) {
                try? await context.storage.pool.write { db in
                    try db.execute(sql: "UPDATE items SET value = -1; DELETE FROM items WHERE id = 'i0'")
                    throw Refused()
                }
            }
        case 15:
            next[item.id]?.value = item.value
            let (id, value) = (item.id, item.value)
            try await model.write(next) {
                try await context.storage.pool.write { db in
                    try db.execute(sql: "UPDATE items SET value = ? WHERE id = ?", arguments: [value, id])
                    try db.inSavepoint {
                        try db.execute(sql: "UPDATE items SET value = -2; DELETE FROM items WHERE id = 'i1'")
                        return .rollback
                    }
                }
            }
        case 16:
            try await model.write(rows) {
                isStrange
                    ? try await stranger.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
                    : try await context.vacuum()
            }
        default:
            clock.advance(by: Double(item.value % 90))
        }
    }

    private func run(
        _ sql: String, _ arguments: [(any GRDB.DatabaseValueConvertible)?] = [], in context: StorageKit.Context,
        isStrange: Bool
    ) async throws {
        let arguments = GRDB.StatementArguments(arguments)
        if isStrange {
            try await stranger.write { try $0.execute(sql: sql, arguments: arguments) }
        } else {
            try await context.storage.pool.write { try $0.execute(sql: sql, arguments: arguments) }
        }
    }
}
