/// Something that programs do with a store, and the ways to do it.
struct Workload: Sendable {
    /// Its name in the table of goals: `W4o`.
    let id: String
    let title: String
    /// What a cost is told for: `row`, `save`.
    let unit: String
    /// The CPU time that StorageKit may take, as a ratio to the baseline.
    let goal: Double?
    /// The sizes that its cost may depend on.
    let grows: Set<Axis>
    let sides: @Sendable (World) async throws -> [Side]

    /// A size that can be varied.
    enum Axis: String, CaseIterable, Codable, Sendable {
        case rows, observers, entries
    }

    init(
        _ id: String, _ title: String, per unit: String, goal: Double?, grows: Set<Axis> = [.rows],
        sides: @escaping @Sendable (World) async throws -> [Side]
    ) {
        self.id = id
        self.title = title
        self.unit = unit
        self.goal = goal
        self.grows = grows
        self.sides = sides
    }

    /// All workloads, in the order of the goals.
    static let all: [Workload] = [
        .batchOfNew, .batchOfChanged, .singleSave, .saveByDefault, .concurrentSave, .concurrentSave16,
        .concurrentSave64, .synchronousSave, .fetchAll, .fetchOrdered, .fetchByIndex, .fetchFew,
        .get, .concurrentGet, .getByDefault, .getFromMemory, .count, .observeIds, .observeList, .search,
        .searchWithSnippets,
        .briefSearch,
        .indexing,
        .diskCacheGet, .diskCacheSet, .memoryCacheGet, .memoryCacheSet, .saveThroughTiers, .transaction,
        .path, .pathSelection, .arithmetic, .groups, .meansOfGroups, .eager, .observeSelection, .observeGroups,
        .writeOutsideWindow, .writeInsideWindow,
        .startOfFew, .startOfMany,
    ]
}

/// The sizes of a run, and where its files are.
struct World: Sendable {
    let workspace: Workspace
    /// Rows in the table of users.
    var rows = 100_000
    /// Single saves and gets in a repetition.
    var operations = 5000
    /// Streams of single entities.
    var observers = 1000
    /// Writes in a repetition while streams of single entities observe.
    var observedWrites = 200
    /// Writes in a repetition while a stream observes a list.
    var listWrites = 200
    /// Rows in the list that a stream observes.
    var observedRows = 10_000
    /// Entries in a cache.
    var entries = 10_000
    /// Documents that are searched.
    var documents = 50_000
    /// Starts in a repetition.
    var starts = 20

    /// Sizes that take seconds in all, to see that everything works.
    static func quick(_ workspace: Workspace) -> World {
        World(
            workspace: workspace, rows: 1000, operations: 200, observers: 20, observedWrites: 10, listWrites: 10,
            observedRows: 200, entries: 200, documents: 200, starts: 2)
    }
}
