import Foundation
import Observation
import StorageKit

extension Workload {
    /// Users beyond a window of 150 are saved; the baseline saves them with no window. What comparing their ids costs at least is what two
    /// peers differ by.
    static let writeOutsideWindow = Workload(
        "W20o", "writes beyond a live window of 150 rows", per: "write", goal: 1.05
    ) { world in
        let (with, without, users, file) = try WindowedStore.pair(world)
        let written = Array(users.suffix(200)).cycled(world.operations)
        let (raw, compared) = try (RawStore(file("raw")), RawStore(file("compared")))
        guard compared.compareIds(with: users[150].id) else { throw NoHook() }
        return [
            .baseline(written.count, name: "StorageKit, no window") { repetition in
                let changed = written.map { $0.changed(repetition) }
                return {
                    try await without.store.saveEach(changed)
                    return changed.count
                }
            },
            .peer("raw SQLite", written.count) { repetition in
                let changed = written.map { $0.changed(repetition) }
                return {
                    try raw.saveEach(changed); return changed.count
                }
            },
            .peer("raw SQLite, whose hook compares ids", written.count) { repetition in
                let changed = written.map { $0.changed(repetition) }
                return {
                    try compared.saveEach(changed); return changed.count
                }
            },
            .storageKit(written.count) { repetition in
                let changed = written.map { $0.changed(repetition) }
                await with.open()
                return {
                    try await with.store.saveEach(changed)
                    return changed.count
                }
            },
        ]
    }

    /// Users in a window of 150 are saved, and each time the window is waited for; the baseline reads the 150 rows each time. The saves
    /// themselves are taken off, made from the main actor as well: each goes from there to another thread and back. A peer is the least that
    /// it can cost to have one row read without blocking the main actor.
    static let writeInsideWindow = Workload(
        "W20i", "a live window of 150 rows after a write in it", per: "write", goal: 0.10
    ) { world in
        let (with, without, users, file) = try WindowedStore.pair(world)
        let written = Array(users.prefix(100)).cycled(world.observedWrites)
        let raw = try RawStore(file("raw"))
        return [
            .baseline(written.count, name: "the 150 rows read again") { _ in
                { try await without.store.readWindow(times: written.count) }
            },
            .storageKit(written.count) { repetition in
                let changed = written.map { $0.changed(repetition) }
                await with.open()
                return { try await with.saveEachInSight(changed) }
            }.less("the save alone", plus: "nothing"),
            .peer("raw SQLite, one row read on another thread", written.count) { _ in
                { try await readEach(written.map(\.id), raw) }
            },
            .peer("nothing", written.count) { _ in { written.count } },
            .peer("the save alone", written.count) { repetition in
                let changed = written.map { $0.changed(repetition) }
                return { try await without.saveEach(changed) }
            },
        ]
    }
}

/// A store with a window of 150 users by age, or with none.
@MainActor private final class WindowedStore {
    nonisolated let store: KitStore
    private var window: LiveWindow<User>?
    private nonisolated let arrivals = Arrivals()

    nonisolated init(_ store: KitStore) {
        self.store = store
    }

    /// Two stores with the same users, and files with them for more.
    nonisolated static func pair(
        _ world: World
    ) throws -> (
        with: WindowedStore, without: WindowedStore, users: [User], file: @Sendable (_ side: String) throws -> URL
    ) {
        let users = UserGenerator.users(max(world.rows, 400)).sorted { $0.id < $1.id }
        let full = try world.workspace.store(users)
        let file = { @Sendable (side: String) in try world.workspace.copy(full, for: "W20 \(side)") }
        let stores = try ["with", "without"].map { WindowedStore(try KitStore(file($0))) }
        return (stores[0], stores[1], users, file)
    }

    func open() async {
        guard window == nil else { return }
        let window = LiveWindow(store.storage.query(User.self).orderBy(\.id))
        await window.loadNext()
        await window.loadNext()
        self.window = window
    }

    /// Saves each user from the main actor.
    func saveEach(_ users: [User]) async throws -> Int {
        for user in users { try await store.storage.save(user) }
        return users.count
    }

    /// Saves each user and waits until the window shows it.
    func saveEachInSight(_ users: [User]) async throws -> Int {
        for user in users {
            let expected = arrivals.count + 1
            withObservationTracking {
                _ = window?.items
            } onChange: { [arrivals] in
                arrivals.add()
            }
            try await store.storage.save(user)
            await arrivals.wait(for: expected)
        }
        return users.count
    }
}

/// Has each user read by id on another thread, and goes on on the main actor.
@MainActor private func readEach(_ ids: [String], _ raw: RawStore) async throws -> Int {
    let select = try raw.prepare(RawUsers.selectByIdSQL)
    let thread = DispatchQueue(label: "row")
    for id in ids {
        let user = try await withUnsafeThrowingContinuation { caller in
            thread.async { caller.resume(with: Result { try RawUsers.get(id, select) }) }
        }
        guard user != nil else { return 0 }
    }
    return ids.count
}

/// SQLite has no preupdate hook here.
private struct NoHook: Error {}

extension KitStore {
    func readPage() async throws -> Int {
        try await storage.query(User.self).orderBy(\.id).page(limit: 50).items.count
    }

    /// Shows the first 150 rows, some more and the last ones.
    @MainActor func goThroughWindow() async -> Int {
        let window = LiveWindow(storage.query(User.self).orderBy(\.id))
        for _ in 0..<20 { await window.loadNext() }
        await window.jumpToEnd()
        for _ in 0..<2 { await window.loadPrevious() }
        return window.items.count
    }

    fileprivate func readWindow(times: Int) async throws -> Int {
        let query = storage.query(User.self).orderBy(\.id).limit(150)
        for _ in 0..<times { _ = try await query.fetch() }
        return times
    }
}
