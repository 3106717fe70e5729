import Foundation

extension Workload {
    static let path = Workload(
        "W15", "entities by a path over three tables, 1 of 100", per: "fetch", goal: 1.05, grows: []
    ) { world in
        try reading(world, raw: { try $0.sales(inRegion: "Region 7") }) { try await $0.sales(inRegion: "Region 7") }
    }

    static let pathSelection = Workload(
        "W15s", "columns of three tables by a path, 1 of 100", per: "fetch", goal: 1.05, grows: []
    ) { world in
        try reading(world, raw: { try $0.rows(inRegion: "Region 7") }) { try await $0.rows(inRegion: "Region 7") }
    }

    static let arithmetic = Workload(
        "W15a", "a text and a calculated number of each row", per: "fetch", goal: 1.05, grows: []
    ) { world in
        try reading(world, raw: { try $0.totals() }) { try await $0.totals() }
    }

    static let groups = Workload(
        "W15g", "groups of 100 rows each: count, sum, greatest", per: "fetch", goal: 1.05, grows: []
    ) { world in
        try reading(world, raw: { try $0.shopTotals(average: false) }) { try await $0.shopTotals() }
    }

    static let meansOfGroups = Workload(
        "W15m", "groups of 100 rows each: count, sum, mean", per: "fetch", goal: 1.05, grows: []
    ) { world in
        try reading(world, raw: { try $0.shopTotals(average: true) }) { try await $0.shopMeans() }
    }

    /// Half of the shops with ten sales each; the baseline runs two statements and has a dictionary.
    static let eager = Workload("W16", "entities with ten children each", per: "fetch", goal: 1.10, grows: []) {
        world in
        let file = try file(Sales(world.rows / 5, perShop: 10, shopsPerRegion: 10), world)
        let (raw, kit) = (try RawStore(file), try KitStore.sales(file))
        return [
            .baseline(1) { _ in { try raw.shopsWithSales() } },
            .storageKit(1) { _ in { try await kit.shopsWithSales() } },
        ]
    }

    /// Every side waits for the rows after each write; the baseline reads them.
    static let observeSelection = Workload(
        "W17", "a stream of columns of two tables while others write", per: "write", goal: 0.10, grows: []
    ) { world in
        try observing(world, raw: { try $0.saveEachAndReadRows($1) }) { [$0.observeRows($1)] }
    }

    static let observeGroups = Workload(
        "W17g", "a stream of groups of 100 rows each while others write", per: "write", goal: nil, grows: []
    ) { world in
        try observing(world, raw: { try $0.saveEachAndSumUp($1) }) { [$0.observeTotals($1)] }
    }

    /// All sides read one file.
    private static func reading(
        _ world: World, raw: @escaping @Sendable (RawStore) throws -> Int,
        kit: @escaping @Sendable (KitStore) async throws -> Int
    ) throws -> [Side] {
        let file = try file(Sales(world.rows, perShop: 100, shopsPerRegion: 10), world)
        let (rawStore, kitStore) = (try RawStore(file), try KitStore.sales(file))
        return [
            .baseline(1) { _ in { try raw(rawStore) } },
            .storageKit(1) { _ in { try await kit(kitStore) } },
        ]
    }

    private static func observing(
        _ world: World, raw: @escaping @Sendable (RawStore, [Sale]) throws -> Int,
        _ observe: @escaping @Sendable (KitStore, Arrivals) -> [Task<Void, any Error>]
    ) throws -> [Side] {
        let content = Sales(world.observedRows, perShop: 100, shopsPerRegion: 10)
        let rawStore = try RawStore(try file(content, world))
        let kit = Observed(try KitStore.sales(try file(content, world)), observe)
        let written = content.sales.cycled(world.listWrites)
        return [
            .baseline(written.count) { repetition in
                let changed = written.map { $0.changed(repetition) }
                return { try raw(rawStore, changed) }
            },
            .storageKit(written.count) { repetition in
                let changed = written.map { $0.changed(repetition) }
                let (store, arrivals) = await kit.begin()
                return { try await store.saveEach(changed, awaitingEach: arrivals) }
            },
        ]
    }

    /// A new file with the tables that StorageKit makes, and what is in them.
    private static func file(_ content: Sales, _ world: World) throws -> URL {
        let url = world.workspace.newFile()
        _ = try KitStore.sales(url)
        try RawStore(url).fill(content)
        return url
    }
}
