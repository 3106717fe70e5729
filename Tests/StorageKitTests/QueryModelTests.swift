import StorageKit
import StorageTestSupport
import Testing

@Suite struct QueryModelTests {
    @Test func aQueryReturnsWhatTheSameFilterAndSortReturnInSwift() async throws {
        var maker = SampleMaker(random: RandomValues(generator: SeededGenerator()))
        let seed = maker.random.generator.seed
        for _ in 0..<programCount(quick: 6, full: 400) {
            let store = try TemporaryStore { $0.autoSchema(SampleRecord.self) }
            let samples = (0..<40).map { maker.sample($0) }
            try await store.storage.save(samples)
            for _ in 0..<50 {
                let condition = maker.condition()
                let orders = (0..<Int.random(in: 0...2, using: &maker.random.generator)).map { _ in maker.order() }
                let expected = samples.filter(condition.holds).sorted(by: orders)
                let filtered = store.storage.query(Sample.self).where { condition.predicate }
                let query = orders.reduce(filtered) { $1.add($0) }
                let found = try await query.orderBy(\.id).fetch()
                #expect(found.map(\.id) == expected.map(\.id), "seed \(seed): \(condition.predicate)")
                if found != expected { return }
                let count = try await filtered.count()
                #expect(count == expected.count, "seed \(seed): \(condition.predicate)")
                #expect(try await filtered.exists() == !expected.isEmpty, "seed \(seed)")
                let (limit, offset) = (
                    Int.random(in: 0...9, using: &maker.random.generator),
                    Int.random(in: 0...9, using: &maker.random.generator)
                )
                let window = try await query.orderBy(\.id).limit(limit).offset(offset).fetch()
                #expect(window == Array(expected.dropFirst(offset).prefix(limit)), "seed \(seed)")
                try await checkPages(
                    query, expected, pageSize: Int.random(in: 1...12, using: &maker.random.generator), seed)
            }
        }
    }

    /// Cursors that were written out and read again lead through all rows, each once.
    private func checkPages(
        _ query: Query<Sample>, _ expected: [Sample], pageSize: Int, _ seed: UInt64
    ) async throws {
        var paged: [Sample] = []
        var cursor: PageCursor?
        // An order's own id tie-break follows its last direction; sorted by id it is the model's.
        let query = query.orderBy(\.id)
        repeat {
            let page = try await query.page(after: cursor, limit: pageSize)
            #expect(page.hasMore == (paged.count + page.items.count < expected.count), "seed \(seed)")
            #expect(page.items.count == pageSize || !page.hasMore, "seed \(seed)")
            paged += page.items
            cursor = try page.next.map { try #require(PageCursor(text: $0.text)) }
        } while cursor != nil && paged.count <= expected.count
        #expect(paged == expected, "seed \(seed)")
        var streamed: [Sample] = []
        for try await sample in query.stream() { streamed.append(sample) }
        #expect(streamed == expected, "seed \(seed)")
    }

    @Test func updatesDeletesAndValuesFollowTheSameCondition() async throws {
        var maker = SampleMaker(random: RandomValues(generator: SeededGenerator()))
        let seed = maker.random.generator.seed
        for _ in 0..<programCount(quick: 40, full: 2000) {
            let store = try TemporaryStore { $0.autoSchema(SampleRecord.self) }
            let samples = (0..<30).map { maker.sample($0) }
            try await store.storage.save(samples)
            let condition = maker.condition()
            let matching = samples.filter(condition.holds)
            let query = store.storage.query(Sample.self).where { condition.predicate }
            #expect(try await query.distinct(\.price) == Set(matching.map(\.price)).sorted(), "seed \(seed)")
            #expect(try await query.distinct(\.maybeNumber) == Set(matching.compactMap(\.maybeNumber)).sorted())
            #expect(try await query.min(\.price) == matching.map(\.price).min(), "seed \(seed)")
            #expect(try await query.max(\.maybeAt) == matching.compactMap(\.maybeAt).max(), "seed \(seed)")
            #expect(try await query.sum(\.price) == matching.reduce(0) { $0 + $1.price }, "seed \(seed)")
            #expect(try await query.sum(\.maybePrice) == matching.reduce(0) { $0 + ($1.maybePrice ?? 0) })
            let (price, text) = (maker.price(), maker.maybe(maker.text()))
            let updated = try await query.updateAll { [$0.price.set(to: price), $0.maybeText.set(to: text)] }
            #expect(updated == matching.count, "seed \(seed)")
            var expected = samples
            for index in expected.indices where condition.holds(samples[index]) {
                expected[index].price = price
                expected[index].maybeText = text
            }
            #expect(try await store.storage.all(Sample.self) == expected, "seed \(seed)")
            let again = maker.condition()
            let deleted = try await store.storage.query(Sample.self).where { again.predicate }.deleteAll()
            #expect(deleted == expected.filter(again.holds).count, "seed \(seed)")
            #expect(try await store.storage.all(Sample.self) == expected.filter { !again.holds($0) }, "seed \(seed)")
        }
    }
}
