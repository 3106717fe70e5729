import Foundation
import StorageKit
import StorageKitTesting
import StorageTestSupport
import Testing

@StorageEntity(table: "planned_lists") private struct ShelfList {
    var id: String
    @StorageHasMany(foreignKey: "listId") var entries: [ShelfEntry]
}

@StorageEntity(table: "planned_entries", indexes: [["isDone"], ["number"]]) private struct ShelfEntry {
    var id: Int
    @StorageReference(ShelfList.self) var listId: String
    var isDone = false
    var number = 0
}

/// How SQLite finds the rows of a relation in a file without statistics, where a condition has an index too: by the reference, so that each
/// is read once, and not by the condition, once for each parent.
@Suite struct RelationPlanTests {
    private let log = StatementLog()
    private let store: TemporaryStore
    private var lists: Query<ShelfList> { store.storage.query(ShelfList.self) }

    init() async throws {
        store = try TemporaryStore(log: log) { $0.autoSchema(ShelfListRecord.self, ShelfEntryRecord.self) }
        try await store.storage.save((0..<10).map { ShelfList(id: "\($0)") })
        try await store.storage.save(
            (1...200).map { ShelfEntry(id: $0, listId: "\($0 % 10)", isDone: $0 % 2 == 0, number: $0 % 3) })
    }

    /// What SQLite does for the last statement that asks the entries.
    private func plan() async throws -> [String] {
        let sql = try #require(log.statements.sql.last { $0.contains("planned_entries") })
        let nothing = StatementArguments([String?](repeating: nil, count: sql.count { $0 == "?" }))
        return try await store.db.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: nothing).map { $0["detail"] }
        }
    }

    private func expectTheReference(at location: SourceLocation = #_sourceLocation) async throws {
        let searches = try await plan().filter { $0.contains(" planned_entries") }
        #expect(!searches.isEmpty, sourceLocation: location)
        for search in searches {
            #expect(search.hasSuffix("(listId=?)"), "\(searches)", sourceLocation: location)
        }
    }

    @Test func rowsOfARelationAreCountedByItsReference() async throws {
        let counts = try await lists.orderBy(\.id).select { $0.entries.count { !$0.isDone } }.fetch()
        #expect(counts == (0..<10).map { $0 % 2 == 0 ? 0 : 20 })
        try await expectTheReference()
        #expect(try await lists.where { $0.entries.isEmpty { $0.isDone && $0.number == 1 } }.count() == 5)
        try await expectTheReference()
    }

    @Test func theHighestOfARelationIsFoundByItsReference() async throws {
        #expect(try await lists.where { $0.entries.max(\.number) { !$0.isDone } == 2 }.count() == 5)
        try await expectTheReference()
    }

    @Test func includedRowsAreFoundByTheirReference() async throws {
        let found = try await lists.including(\.entries) { $0.where { $0.number == 1 } }.fetch()
        #expect(found.allSatisfy { (6...7).contains($0.entries.count) })
        try await expectTheReference()
    }

    @Test func aConditionBehindALimitLooksAtTheRowsOfEachParentOnce() async throws {
        let found = try await lists.including(\.entries) { $0.orderBy(\.id).limit(3).where { $0.number == 1 } }.fetch()
        #expect(found.allSatisfy { $0.entries.count == 1 })
        try await expectTheReference()
    }

    @Test func aRowThatIsGivenIsFoundByItsId() async throws {
        #expect(try await lists.where { $0.entries.exists { $0.id == 7 } }.fetch().map(\.id) == ["7"])
        #expect(try await plan().contains { $0.contains("planned_entries USING INTEGER PRIMARY KEY") })
    }
}
