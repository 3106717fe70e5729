import StorageKit
import StorageTestSupport
import Testing

@StorageEntity(table: "remarked_essays")
private struct Essay: Equatable {
    var id: Int
    var title: String
}

@StorageEntity(table: "essay_remarks")
private struct Remark {
    var id: Int
    @StorageReference(Essay.self) var essayId: Int
    @StorageBelongsTo(foreignKey: "essayId") var article: Essay?
}

/// The path of a reference beside a belongs-to property of another name.
@Suite struct TwoPathsOfOneKeyTests {
    private let store: TemporaryStore
    private var remarks: Query<Remark> { store.storage.query(Remark.self) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(EssayRecord.self, RemarkRecord.self) }
        try await store.storage.save([Essay(id: 1, title: "a"), Essay(id: 2, title: "b")])
        try await store.storage.save([Remark(id: 1, essayId: 1), Remark(id: 2, essayId: 2), Remark(id: 3, essayId: 2)])
    }

    @Test func bothLeadToTheSameRow() async throws {
        #expect(try await remarks.where { $0.essay.title == "b" }.orderBy(\.id).fetch().map(\.id) == [2, 3])
        #expect(try await remarks.where { $0.article.title == "b" && $0.essay.title == "b" }.count() == 2)
        let titles = try await remarks.orderBy(\.id).select { ($0.essay.title, $0.article.title) }.fetch()
        #expect(titles.map(\.0) == ["a", "b", "b"] && titles.map(\.1) == titles.map(\.0))
    }

    @Test func thePropertyAloneIsFilled() async throws {
        let found = try await remarks.including(\.article).orderBy(\.essay.title).fetch()
        #expect(found.map { $0.article?.title } == ["a", "b", "b"])
    }
}
