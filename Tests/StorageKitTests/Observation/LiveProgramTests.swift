import StorageKit
import StorageTestSupport
import Testing

/// Random writes against random live queries. Each value that a stream gives is that of a state which was committed, no
/// earlier than the one of the value before; and the last is that of the last state.
@Suite(.timeLimit(.minutes(60))) struct LiveProgramTests {
    private static let programsPerStore = 20

    @Test func eachValueIsThatOfACommitAndTheLastOfTheLast() async throws {
        try await runOnStores(
            short: 40, quick: 200, full: 20_000, programsPerStore: Self.programsPerStore, Self.runStore)
    }

    @Sendable private static func runStore(seed: UInt64) async throws {
        let world = try LiveWorld()
        var maker = SampleMaker(random: RandomValues(generator: SeededGenerator(seed: seed)))
        for program in 0..<programsPerStore {
            var observers = (0..<5).map { _ in LiveObserver(&maker, world) }
            world.forgetHistory()
            for writes in [0, 12, 6] {
                try await write(writes, &maker, world)
                for index in observers.indices {
                    if let problem = try await observers[index].settle(world.history) {
                        Issue.record("STORAGEKIT_SEED=\(seed), program \(program): \(problem)")
                        return
                    }
                }
            }
        }
    }

    private static func write(_ count: Int, _ maker: inout SampleMaker, _ world: LiveWorld) async throws {
        let seeds = (0..<2).map { _ in maker.random.generator.next() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in seeds {
                group.addTask {
                    var maker = SampleMaker(random: RandomValues(generator: SeededGenerator(seed: seed)))
                    for _ in 0..<(count / 2) {
                        try await world.write(&maker)
                        for _ in 0..<maker.pick([0, 0, 1, 10]) { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// A random live query, what its stream gave, and what it should give.
private struct LiveObserver {
    private let name: String
    private let probe: StreamProbe<[Sample]>
    private let isDistinct: Bool
    /// What the query finds in a state.
    private let find: ([Sample]) -> [Sample]
    private var last: [Sample]?
    /// The state that the last value was found in.
    private var position = 0

    init(_ maker: inout SampleMaker, _ world: LiveWorld) {
        let storage = maker.pick(world.contexts).facade
        let id = maker.pick(Array(0..<12))
        let condition = maker.condition()
        let orders = (0..<maker.pick([0, 1, 1, 2])).map { _ in maker.order() }
        let limit = maker.maybe(maker.pick([0, 1, 2, 3, 5, 20]))
        let offset = maker.pick([nil, nil, 0, 1, 3])
        var query = storage.query(Sample.self)
        let isFiltered = maker.random.bool()
        if isFiltered { query = query.where { condition.predicate } }
        query = orders.reduce(query) { $1.add($0) }
        if let limit { query = query.limit(limit) }
        if let offset { query = query.offset(offset) }
        let findAll: ([Sample]) -> [Sample] = { rows in
            let sorted = rows.filter { !isFiltered || condition.holds($0) }.sorted(by: orders)
            return Array(sorted.dropFirst(offset ?? 0).prefix(limit ?? .max))
        }
        let description =
            "\(isFiltered ? String(describing: condition.predicate) : "all"), \(orders.count) orders, \(limit ?? -1) \(offset ?? 0)"
        switch maker.pick(Array(0..<8)) {
        case 0:
            self.init("row \(id)", storage.observe(Sample.self, id: id).map { $0.map { [$0] } ?? [] }, false) { rows in
                rows.filter { $0.id == id }
            }
        case 1:
            self.init("one of \(description)", query.observeOne().map { $0.map { [$0] } ?? [] }, false) { rows in
                Array(findAll(rows).prefix(1))
            }
        case 2:
            self.init("count of \(description)", query.observeCount().map(LiveObserver.counted), true) { rows in
                LiveObserver.counted(findAll(rows).count)
            }
        case 3:
            self.init("all", storage.observeAll(Sample.self, orderBy: "text", ascending: false), false) { rows in
                rows.sorted(by: [SampleMaker.byText])
            }
        case 4, 5:
            let policy =
                maker.random.bool() ? AsyncStream<[Sample]>.Continuation.BufferingPolicy.unbounded : .bufferingNewest(1)
            self.init("distinct \(description)", query.observeDistinct(bufferingPolicy: policy), true, findAll)
        default: self.init(description, query.observe(bufferingPolicy: .unbounded), false, findAll)
        }
    }

    private init(
        _ name: String, _ stream: some AsyncSequence<[Sample], Never> & Sendable, _ isDistinct: Bool,
        _ find: @escaping ([Sample]) -> [Sample]
    ) {
        self.name = name
        self.isDistinct = isDistinct
        self.find = find
        probe = StreamProbe(stream)
    }

    /// A number as so many rows, so that all streams are alike.
    @Sendable private static func counted(_ count: Int) -> [Sample] {
        (0..<count).map { index in
            var maker = SampleMaker(random: RandomValues(generator: SeededGenerator(seed: 1)))
            return maker.sample(index)
        }
    }

    /// Reads on until the value is that of the last state.
    ///
    /// - Returns: What is wrong, or nil.
    mutating func settle(_ history: [[Sample]]) async throws -> String? {
        let expected = find(history.last ?? [])
        for value in probe.takeAll() {
            if let problem = check(value, history) { return problem }
        }
        while last != expected {
            let value: [Sample]
            do {
                value = try await probe.next()
            } catch {
                return "\(name): the last value is \(last?.map(\.id) ?? [-1]) and not \(expected.map(\.id))"
            }
            if let problem = check(value, history) { return problem }
        }
        return nil
    }

    private mutating func check(_ value: [Sample], _ history: [[Sample]]) -> String? {
        if isDistinct, value == last { return "\(name): \(value.map(\.id)) comes twice" }
        last = value
        guard let found = history[position...].firstIndex(where: { find($0) == value }) else {
            let expected = history[position...].map { find($0).map(\.id) }
            return "\(name): \(value.map(\.id)) is not found in any state from \(position): \(expected)"
        }
        position = found
        return nil
    }
}

extension SampleMaker {
    fileprivate static var byText: Order {
        Order(add: { $0.orderBy(\.text, .descending) }) { first, second in
            first.text.utf8.elementsEqual(second.text.utf8)
                ? nil : second.text.utf8.lexicographicallyPrecedes(first.text.utf8)
        }
    }
}
