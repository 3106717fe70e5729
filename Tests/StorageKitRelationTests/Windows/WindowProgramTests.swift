import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Random writes, loads and jumps against the whole list. The window always shows what the documentation says, and the differences of the
/// list, applied one after the other, always make the list.
@Suite(.timeLimit(.minutes(60))) struct WindowProgramTests {
    private static let programsPerStore = 20

    @Test func aWindowShowsItsPartOfTheListAndDifferencesMakeTheList() async throws {
        try await runOnStores(short: 120, quick: 300, full: 20_000, programsPerStore: Self.programsPerStore) { seed in
            var program = try await WindowProgram(seed: seed)
            for number in 0..<Self.programsPerStore {
                if let problem = try await program.run() {
                    Issue.record("STORAGEKIT_SEED=\(seed), program \(number): \(problem)")
                    return
                }
            }
        }
    }
}

/// Programs that run one after the other on one store.
@MainActor private struct WindowProgram {
    private let store: TemporaryStore
    /// A connection that the library knows nothing of.
    private let stranger: GRDB.DatabaseQueue
    private var random: SeededGenerator
    private var volumes: [Int: Volume] = [:]

    init(seed: UInt64) throws {
        store = try TemporaryStore.ofVolumes()
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        stranger = try GRDB.DatabaseQueue(path: store.url.path, configuration: configuration)
        random = SeededGenerator(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func volume(_ id: Int? = nil) -> Volume {
        Volume(
            id: id ?? number(0...60), title: ["a", "A", "b", "B", "ab", ""][number(0...5)],
            rank: number(0...2) == 0 ? nil : number(0...4), shelf: number(0...6), isHidden: number(0...3) == 0)
    }

    /// - Returns: What is wrong, or nil.
    mutating func run() async throws -> String? {
        let orders = (0..<number(0...2)).map { _ in Volume.Order.all[number(0...Volume.Order.all.count - 1)] }
        let isFiltered = number(0...1) == 0
        var query = store.storage.query(Volume.self)
        if isFiltered { query = query.where { !$0.isHidden } }
        query = orders.reduce(query) { $1.add($0) }
        if orders.isEmpty { query = query.orderBy(\.id) }
        let (pageSize, maximumPages) = (number(1...8), number(1...4))
        let window = LiveWindow(query, pageSize: pageSize, maximumPages: maximumPages)
        var model = ModelWindow(orders, pageSize: pageSize, maximumPages: maximumPages)
        // Of rows that are alike, a list that is not paged says nothing.
        let direction: SortOrder = orders.last?.isDescending == true ? .descending : .ascending
        var changes = query.orderBy(\.id, direction).observeChanges().makeAsyncIterator()
        var told: [Volume] = []
        var steps: [String] = []
        func list() -> [Volume] {
            volumes.values.filter { !isFiltered || !$0.isHidden }.sorted(by: orders.isBefore)
        }
        model.jumpToStart(list())
        for step in 0..<16 {
            if step > 0 {
                switch number(0...11) {
                case 0, 1:
                    steps.append("next")
                    await window.loadNext()
                    model.loadNext(list())
                case 2:
                    steps.append("previous")
                    await window.loadPrevious()
                    model.loadPrevious(list())
                case 3:
                    let id = number(0...62)
                    steps.append("jump to \(id)")
                    guard await window.jump(to: id) == model.jump(to: id, list()) else { return "\(steps): jump" }
                case 4 where number(0...1) == 0:
                    steps.append("start")
                    await window.jumpToStart()
                    model.jumpToStart(list())
                case 4:
                    steps.append("end")
                    await window.jumpToEnd()
                    model.jumpToEnd(list())
                default:
                    try await write(&steps)
                    await window.settle()
                    model.update(list())
                }
            } else {
                await window.settle()
            }
            let isRight =
                window.items == model.rows && window.hasMoreBefore == model.hasMoreBefore
                && window.hasMoreAfter == model.hasMoreAfter
            if !isRight || window.error != nil {
                return """
                    by \(orders.map(\.name)), \(maximumPages) pages of \(pageSize), \(steps): \
                    \(window.items.map(\.id)) \(window.hasMoreBefore) \(window.hasMoreAfter), and not \
                    \(model.rows.map(\.id)) \(model.hasMoreBefore) \(model.hasMoreAfter), \
                    of \(list().map(\.id)) \(window.error.map { "\($0)" } ?? "")
                    """
            }
            // Now and then the loop is slow.
            if step < 15, number(0...2) == 0 { continue }
            while told != list() {
                guard let change = await changes.next() else { return "the stream has ended" }
                told = told.applying(change)
                if told != change.list { return "\(steps): \(told.map(\.id)) and not \(change.list.map(\.id))" }
            }
        }
        window.stop()
        return nil
    }

    private mutating func write(_ steps: inout [String]) async throws {
        let storage = store.storage
        switch number(0...11) {
        case 10:
            let (old, new) = (number(0...60), number(0...60))
            steps.append("\(old) becomes \(new)")
            if var volume = volumes.removeValue(forKey: old) {
                volume.id = new
                volumes[new] = volume
            }
            try await store.db.write {
                try $0.execute(sql: "UPDATE OR REPLACE volumes SET id = ? WHERE id = ?", arguments: [new, old])
            }
        case 11:
            let (saved, undone) = (volume(), volume())
            volumes[saved.id] = saved
            steps.append("undo \(undone.id) and save \(saved.id)")
            try await storage.transaction { db in
                try? db.savepoint {
                    try db.save(undone)
                    throw CancellationError()
                }
                try db.save(saved)
            }
        case 0:
            let saved = (0..<number(2...30)).map { _ in volume() }
            for volume in saved { volumes[volume.id] = volume }
            steps.append("save \(saved.map(\.id))")
            try await storage.save(saved)
        case 1, 2:
            let id = volumes.keys.sorted().randomElement(using: &random) ?? 0
            volumes[id] = nil
            steps.append("delete \(id)")
            try await storage.delete(Volume.self, id: id)
        case 3:
            let shelf = number(0...6)
            for id in volumes.keys where volumes[id]?.shelf == shelf { volumes[id] = nil }
            steps.append("delete shelf \(shelf)")
            try await storage.query(Volume.self).where { $0.shelf == shelf }.deleteAll()
        case 4:
            let (shelf, rank) = (number(0...6), number(0...4))
            for id in volumes.keys where volumes[id]?.shelf == shelf { volumes[id]?.rank = rank }
            steps.append("rank shelf \(shelf)")
            try await storage.query(Volume.self).where { $0.shelf == shelf }.updateAll { [$0.rank.set(to: rank)] }
        case 5:
            let ids = (0..<number(1...4)).map { _ in number(0...60) }
            for id in ids { volumes[id] = nil }
            steps.append("somebody else deletes \(ids)")
            try await stranger.write { db in
                for id in ids { try db.execute(sql: "DELETE FROM volumes WHERE id = ?", arguments: [id]) }
            }
        case 6:
            let inserted = (0..<number(1...20)).map { _ in volume() }.filter { volumes[$0.id] == nil }
            for volume in inserted { volumes[volume.id] = volume }
            steps.append("somebody else inserts \(inserted.map(\.id))")
            try await stranger.write { db in
                for volume in inserted {
                    try db.execute(
                        sql: """
                            INSERT OR REPLACE INTO volumes (id, title, rank, shelf, isHidden, updatedAt)
                            VALUES (?, ?, ?, ?, ?, '2026-01-01 00:00:00.000')
                            """,
                        arguments: [volume.id, volume.title, volume.rank, volume.shelf, volume.isHidden])
                }
            }
        default:
            let saved = volume()
            volumes[saved.id] = saved
            steps.append("save \(saved.id)")
            try await storage.save(saved)
        }
    }
}
