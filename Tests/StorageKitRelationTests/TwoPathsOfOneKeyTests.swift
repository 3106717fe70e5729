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

@StorageEntity(table: "essay_authors")
private struct EssayAuthor {
    var id: Int
    @StorageReference(Essay.self) var essayId: Int
}

@StorageEntity(table: "essay_editors")
private struct EssayEditor {
    var id: Int
    @StorageReference(Essay.self) var essayId: Int
}

/// Whose key may be that of a row of two tables.
@StorageEntity(table: "essay_notes")
private struct EssayNote {
    var id: Int
    var personId: Int
    @StorageBelongsTo(foreignKey: "personId") var author: EssayAuthor?
    @StorageBelongsTo(foreignKey: "personId") var editor: EssayEditor?
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

    @Test func pathsOfOneKeyToTwoTablesAreTwo() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(EssayRecord.self, EssayAuthorRecord.self, EssayEditorRecord.self, EssayNoteRecord.self)
        }
        try await store.storage.save(Essay(id: 5, title: "a"))
        try await store.storage.save(EssayEditor(id: 7, essayId: 5))
        try await store.storage.save(EssayNote(id: 1, personId: 7))
        let notes = store.storage.query(EssayNote.self)
        let titles = StreamProbe(
            notes.orderBy(\.id).select { ($0.author.essay.title, $0.editor.essay.title) }.observe())
        #expect(try await titles.next().map(\.1) == ["a"])
        try await store.storage.save(Essay(id: 5, title: "b"))
        #expect(try await titles.next().map(\.1) == ["b"])
    }

    @Test func thePropertyAloneIsFilled() async throws {
        let found = try await remarks.including(\.article).orderBy(\.essay.title).fetch()
        #expect(found.map { $0.article?.title } == ["a", "b", "b"])
    }
}
