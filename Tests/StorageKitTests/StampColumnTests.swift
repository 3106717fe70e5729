import StorageKit
import StorageTestSupport
import Testing

@StorageEntity(table: "stamped_binders")
private struct StampedBinder {
    var id: Int
    var name: String
    @StorageHasMany(foreignKey: "binderId") var sheets: [StampedSheet]
}

@StorageEntity(table: "stamped_sheets")
private struct StampedSheet {
    var id: Int
    @StorageReference(StampedBinder.self) var binderId: Int?
    var text: String
}

@StorageEntity(table: "stamped_pages")
private struct DatedPage {
    var id: Int
    var updatedAt: Date?
}

@StorageEntity(table: "stamped_pages")
private struct StampedPage {
    var id: Int
}

@StorageSelection
private struct LastSaveRow: Equatable {
    let id: Int
    let at: Date
    let binderAt: Date?
}

/// `updatedAt` in queries of entities that have no such property.
@Suite struct StampColumnTests {
    private let store: TemporaryStore
    private let start: Date
    private var sheets: Query<StampedSheet> { store.storage.query(StampedSheet.self) }

    /// Saved one after the other, a minute in between: the binder, then sheet 1, 2 and 3.
    init() async throws {
        store = try TemporaryStore { $0.autoSchema(StampedBinderRecord.self, StampedSheetRecord.self) }
        start = store.clock.now
        try await store.storage.save(StampedBinder(id: 1, name: "a"))
        for id in 1...3 {
            store.clock.advance(by: 60)
            try await store.storage.save(StampedSheet(id: id, binderId: id < 3 ? 1 : nil, text: "t\(id)"))
        }
    }

    private func time(_ minute: Int) -> Date { start.addingTimeInterval(Double(minute) * 60) }

    @Test func anUpdateAtATimeThatCannotBeStoredIsATypedErrorThatNamesTheColumn() async throws {
        store.clock.advance(by: 10_000 * 366 * 86_400)
        let error = await storageError { try await sheets.updateAll { [$0.text.set(to: "x")] } }
        guard case .entityEncodingFailed("StampedSheet", let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? ColumnEncodingError)?.column == "updatedAt")
    }

    @Test func whereNothingIsStampedTheTimeOfAnUpdateDoesNotMatter() async throws {
        let store = try TemporaryStore { $0.autoSchema(DatedPageRecord.self) }
        try await store.storage.save(DatedPage(id: 1, updatedAt: nil))
        store.clock.advance(by: .nan)
        let changed = try await store.storage.query(DatedPage.self).updateAll { [$0.updatedAt.set(to: start)] }
        #expect(changed == 1)
    }

    @Test func rowsWithoutItGetTheTimeOfTheStartWhenAPropertyGivesItUp() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try TemporaryStore(folder: folder) { $0.autoSchema(DatedPageRecord.self) }
            try await store.storage.save([DatedPage(id: 1, updatedAt: nil), DatedPage(id: 2, updatedAt: start)])
        }
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(StampedPageRecord.self) }
        let times = store.storage.query(StampedPage.self).orderBy(\.id).select(\.updatedAt)
        #expect(try await times.fetch() == [store.clock.now, start])
    }

    @Test func conditionsCompareIt() async throws {
        let now = time(2)
        let query = sheets.where { $0.updatedAt >= now && $0.text != "x" }.orderBy(\.id)
        #expect(try query.sql.sql.contains(#""updatedAt" >= ?"#))
        #expect(try await query.fetch().map(\.id) == [2, 3])
    }

    @Test func rowsAreOrderedByIt() async throws {
        #expect(try await sheets.orderBy(\.updatedAt, .descending).fetch().map(\.id) == [3, 2, 1])
        #expect(try await sheets.orderBy { $0.updatedAt }.fetch().map(\.id) == [1, 2, 3])
    }

    @Test func itIsSelectedAlongPathsAndInStructs() async throws {
        #expect(try await sheets.orderBy(\.id).select(\.updatedAt).fetch() == [time(1), time(2), time(3)])
        let rows = sheets.orderBy(\.id).select {
            LastSaveRow.columns(id: $0.id, at: $0.updatedAt, binderAt: $0.binder.updatedAt)
        }
        #expect(
            try await rows.fetch() == [
                LastSaveRow(id: 1, at: time(1), binderAt: start), LastSaveRow(id: 2, at: time(2), binderAt: start),
                LastSaveRow(id: 3, at: time(3), binderAt: nil),
            ])
    }

    @Test func aPathLeadsToThatOfTheOther() async throws {
        #expect(try await sheets.where { $0.updatedAt > $0.binder.updatedAt }.count() == 2)
        let lastSheet = store.storage.query(StampedBinder.self).select { $0.sheets.max(\.updatedAt) }
        #expect(try await lastSheet.fetch() == [time(2)])
    }

    @Test func joinedRowsHaveOneEach() async throws {
        let joined = sheets.join(StampedBinder.self) { sheet, binder in sheet.updatedAt > binder.updatedAt }
            .orderBy { sheet, _ in sheet.updatedAt }
            .select { sheet, binder in (sheet.updatedAt, binder.updatedAt) }
        let rows = try await joined.fetch()
        #expect(rows.map(\.0) == [time(1), time(2), time(3)] && rows.map(\.1) == [start, start, start])
    }

    @Test func groupsAreByItAndSumItUp() async throws {
        let last = try await sheets.group(by: \.binderId).select { ($0.binderId, $0.max(\.updatedAt)) }.fetch()
        #expect(last.map(\.1) == [time(3), time(2)])
        #expect(try await sheets.group(by: \.updatedAt).select { ($0.updatedAt, $0.count()) }.fetch().count == 3)
    }

    @Test func anUpdateMaySetItInsteadOfTheTimeOfTheCall() async throws {
        let early = time(-5)
        try await sheets.where { $0.id == 1 }.updateAll { [$0.text.set(to: "x"), $0.updatedAt.set(to: early)] }
        try await sheets.where { $0.id == 2 }.updateAll { _ in [Column<Date>("updatedAt").set(to: early)] }
        #expect(try await sheets.orderBy(\.id).select(\.updatedAt).fetch() == [early, early, time(3)])
    }
}
