import StorageKit
import StorageTestSupport
import Testing

/// A value of each kind that queries treat in a way of its own.
@StorageSelection
private struct Facts: Sendable {
    let id: Int
    let number: Int?
    let big: UInt64?
    let price: Decimal?
    let at: Date?
    let text: String?
    let level: Level?
    let bytes: Data?
    let isSmall: Bool
}

/// Selected rows are asked again, beside the same in Swift.
@Suite struct SelectedQueryModelTests {
    private typealias Asked = SelectedQuery<Sample, Facts>

    /// The same rows, selected in several ways.
    private func selections(_ samples: Query<Sample>) -> [(name: String, rows: Selection<Sample, Facts>)] {
        let big = Column<UInt64?>("big")
        func bytes(_ row: ColumnRef<Sample>) -> Column<Data?> {
            row.sql("CAST(\(row.maybeText) AS BLOB)", as: Data?.self)
        }
        let plain = samples.select { row in
            Facts.columns(
                id: row.id, number: row.maybeNumber, big: big, price: row.maybePrice, at: row.maybeAt,
                text: row.maybeText, level: row.maybeLevel, bytes: bytes(row), isSmall: row.number < 2)
        }
        let calculated = samples.select { row in
            let number: Column<Int?> = min(row.maybeNumber, row.maybeNumber)
            let price: Column<Decimal?> = row.maybePrice + 0
            let isSmall: Column<Bool> = !(row.number > 1)
            let text: Column<String?> = row.maybeText ?? row.maybeText
            let at: Column<Date?> = max(row.maybeAt, row.maybeAt)
            return Facts.columns(
                id: row.id, number: number, big: big ?? big, price: price, at: at, text: text,
                level: row.flag.then(row.maybeLevel, else: row.maybeLevel),
                bytes: bytes(row), isSmall: isSmall)
        }
        let grouped = samples.group(by: \.id).select { rows in
            let isSmall: Column<Bool> = rows.count { $0.number < 2 } == 1
            let price: Column<Decimal?> = rows.max(\.maybePrice)
            let most: Column<Data?> = rows.max { bytes($0) }
            return Facts.columns(
                id: rows.id, number: rows.max(\.maybeNumber), big: rows.min(\.big), price: price,
                at: rows.min(\.maybeAt), text: rows.max(\.maybeText), level: rows.max(\.maybeLevel), bytes: most,
                isSmall: isSmall)
        }
        return [
            ("plain", plain), ("calculated", calculated), ("grouped", grouped), ("distinct", plain.distinct()),
            ("limited", calculated.limit(1000)), ("twice", grouped.asQuery().orderBy(\.at).limit(1000).asSelection()),
        ]
    }

    @Test func selectedValuesAreComparedSortedAndGroupedAsThoseOfColumns() async throws {
        var maker = SampleMaker(random: RandomValues(generator: SeededGenerator()))
        let seed = maker.random.generator.seed
        for _ in 0..<programCount(short: 2, quick: 6, full: 200) {
            let store = try TemporaryStore { $0.autoSchema(SampleRecord.self) }
            let samples = (0..<30).map { maker.sample($0) }
            try await store.storage.save(samples)
            // Another program writes whole seconds without decimals.
            try await store.db.write {
                try $0.execute(
                    sql: "UPDATE samples SET maybeAt = substr(maybeAt, 1, 19) WHERE id % 2 AND maybeAt LIKE '%.000'")
            }
            for (name, rows) in selections(store.storage.query(Sample.self)) {
                let about = Comment(rawValue: "seed \(seed), \(name)")
                let check = Check(query: rows.asQuery(), samples: samples, about: about)
                let found = try await rows.asQuery().orderBy(\.id).fetch()
                #expect(found.map(\.id) == samples.map(\.id), about)
                #expect(found.map(\.big) == samples.map(\.big) && found.map(\.at) == samples.map(\.maybeAt), about)
                #expect(found.map(\.price) == samples.map(\.maybePrice), about)
                try await check.compared(\.number, maker.number()) { $0.maybeNumber }
                try await check.compared(\.big, maker.big()) { $0.big }
                try await check.compared(\.price, maker.price()) { $0.maybePrice }
                try await check.compared(\.at, maker.at()) { $0.maybeAt }
                try await check.equated(\.number, maker.number()) { $0.maybeNumber }
                try await check.equated(\.big, maker.big()) { $0.big }
                try await check.equated(\.price, maker.price()) { $0.maybePrice }
                try await check.equated(\.at, maker.at()) { $0.maybeAt }
                let text = maker.text()
                try await check.ids {
                    $0.text == text
                } is: {
                    SampleMaker.same($0.maybeText, text)
                }
                try await check.ids {
                    $0.bytes == Data(text.utf8)
                } is: {
                    SampleMaker.same($0.maybeText, text)
                }
                let level = maker.level()
                try await check.ids {
                    $0.level == level
                } is: {
                    $0.maybeLevel == level
                }
                try await check.ids {
                    $0.level != level
                } is: {
                    $0.maybeLevel != level
                }
                try await check.ids {
                    $0.isSmall
                } is: {
                    $0.number < 2
                }
                try await check.ids {
                    !$0.isSmall
                } is: {
                    $0.number >= 2
                }
                try await check.ids {
                    $0.at == $0.at && $0.price == $0.price
                } is: { _ in
                    true
                }
            }
        }
    }

    private struct Check {
        let query: Asked
        let samples: [Sample]
        let about: Comment

        func ids(_ condition: (ColumnRef<Facts>) -> Predicate, is holds: (Sample) -> Bool) async throws {
            let found = try await query.where(condition).orderBy(\.id).select(\.id).fetch()
            #expect(found == samples.filter(holds).map(\.id), about)
        }

        func equated<T: ColumnValue & Hashable & Sendable>(
            _ column: KeyPath<ColumnRef<Facts>, Column<T?>>, _ value: T, _ field: (Sample) -> T?
        ) async throws {
            try await ids({ $0[keyPath: column] == value }, is: { field($0) == value })
            try await ids({ $0[keyPath: column] != value }, is: { field($0) != value })
            try await ids({ $0[keyPath: column].in([value]) }, is: { field($0) == value })
            try await ids({ $0[keyPath: column].isNull }, is: { field($0) == nil })
            let groups = try await query.group(by: column).select { $0.count() }.fetch()
            let expected = Dictionary(grouping: samples, by: field).values.map(\.count)
            #expect(groups.sorted() == expected.sorted(), about)
            let different = try await query.aggregate { $0.count(distinct: column) }.fetchOne()
            #expect(different == Set(samples.compactMap(field)).count, about)
        }

        func compared<T: ColumnValue & Comparable & Sendable>(
            _ column: KeyPath<ColumnRef<Facts>, Column<T?>>, _ value: T, _ field: (Sample) -> T?
        ) async throws {
            try await ids({ $0[keyPath: column] < value }, is: { field($0).map { $0 < value } ?? false })
            try await ids({ $0[keyPath: column] >= value }, is: { field($0).map { $0 >= value } ?? false })
            let least = try await query.aggregate { $0.min(column) }.fetchOne()
            #expect(least == samples.compactMap(field).min(), about)
            // Pages through an order with ties and nils.
            let sorted = query.orderBy(column, .descending)
            let ids = try await allPages { try await sorted.page(after: $0, limit: 7) }.joined().map(\.id)
            let paged = ids.compactMap { id in samples.first { $0.id == id }.flatMap(field) }
            #expect(paged == samples.compactMap(field).sorted(by: >), about)
            #expect(ids.count == samples.count && Set(ids).count == samples.count, about)
        }
    }
}
