import StorageKit
import StorageTestSupport
import Testing

/// Entities whose table refers to itself.
@Suite struct SelfReferenceTests {
    private let folder: TemporaryFolder
    private let context: StorageKit.Context

    @StorageEntity(table: "folders")
    struct Folder: Equatable {
        var id: String
        var parent: String?
    }

    @StorageEntity(table: "folders")
    struct CountedFolder: Equatable {
        var id: String
        var parent: String?
        @StorageVersion var version: Int = 0
    }

    init() throws {
        folder = try TemporaryFolder()
        context = try StorageKit.start(at: folder.file()) { schema in
            schema.migration("folders") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE folders (id TEXT PRIMARY KEY, parent TEXT REFERENCES folders, "updatedAt" DATETIME NOT NULL)
                        """)
            }
            schema.autoSchema(FolderRecord.self, CountedFolderRecord.self)
        }
    }

    @Test func aBatchMayComeInAnyOrder() async throws {
        let folders = [Folder(id: "a", parent: "b"), Folder(id: "b", parent: "c"), Folder(id: "c", parent: nil)]
        try await context.facade.save(folders)
        #expect(try await context.facade.all(Folder.self, orderBy: "id") == folders)
    }

    @Test func aBatchOfEntitiesWithVersionsMayComeInAnyOrder() async throws {
        try await context.facade.save([
            CountedFolder(id: "a", parent: "b"), CountedFolder(id: "b", parent: nil),
        ])
        #expect(try await context.facade.count(CountedFolder.self) == 2)
    }

    @Test func insertsOfABatchMayComeInAnyOrder() async throws {
        let folders = [Folder(id: "a", parent: "b"), Folder(id: "b", parent: nil)]
        #expect(try await context.facade.insert(folders) == folders)
    }

    /// Fails unless the body breaks the reference of the table to itself, and leaves no row.
    private func expectBrokenParent(_ body: (Storage) async throws -> Void) async throws {
        let error = await storageError { try await body(context.facade) }
        guard case .constraintViolated(let violation)? = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(violation.kind == .foreignKey && violation.table == "folders" && violation.columns == ["parent"])
        #expect(try await context.facade.count(Folder.self) == 0)
    }

    @Test func aBatchThatLeavesAReferenceBrokenIsRefusedAsAWholeAndTheReferenceIsTold() async throws {
        try await expectBrokenParent { storage in
            try await storage.save([
                Folder(id: "a", parent: "b"), Folder(id: "b", parent: "nowhere"), Folder(id: "c", parent: "a"),
            ])
        }
    }

    @Test func soIsABatchOfEntitiesWithVersions() async throws {
        try await expectBrokenParent { storage in
            try await storage.save([CountedFolder(id: "a", parent: "b"), CountedFolder(id: "b", parent: "nowhere")])
        }
    }

    @Test func soAreInsertsAndABatchOfATransaction() async throws {
        let folders = [Folder(id: "a", parent: "b"), Folder(id: "b", parent: "nowhere")]
        try await expectBrokenParent { storage in _ = try await storage.insert(folders) }
        try await expectBrokenParent { storage in try await storage.transaction { try $0.save(folders) } }
    }

    @Test func aBatchMayComeInAnyOrderWhereTheTableSpellsItsOwnNameInOtherLetters() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("folders") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE folders (
                            id TEXT PRIMARY KEY, parent TEXT REFERENCES Folders, updatedAt DATETIME NOT NULL)
                        """)
            }
            schema.autoSchema(FolderRecord.self)
        }
        let folders = [Folder(id: "a", parent: nil), Folder(id: "b", parent: "c"), Folder(id: "c", parent: nil)]
        try await store.storage.save(folders)
        #expect(try await store.storage.all(Folder.self, orderBy: "id") == folders)
    }

    @Test func referencesThatTheAppHasDeferredStaySoBehindABatch() async throws {
        try await context.facade.transaction { store in
            try store.database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try store.save([Folder(id: "a", parent: "b"), Folder(id: "b", parent: nil)])
            try store.save(Folder(id: "c", parent: "d"))
            try store.save(Folder(id: "d", parent: nil))
        }
        #expect(try await context.facade.count(Folder.self) == 4)
    }

    @Test func theReferenceToItsOldKeyThatARowIsLeftWithIsTold() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("codes") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE codes (id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE,
                            parent TEXT REFERENCES codes (code), "updatedAt" DATETIME NOT NULL)
                        """)
            }
            schema.autoSchema(CodedFolderRecord.self)
        }
        try await store.storage.save(CodedFolder(id: "1", code: "a", parent: "a"))
        let error = await storageError {
            try await store.storage.save(CodedFolder(id: "1", code: "b", parent: "a"))
        }
        guard case .constraintViolated(let violation)? = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(violation.kind == .foreignKey && violation.table == "codes" && violation.columns == ["parent"])
    }

    @Test func referencesAreLookedAtInEachRowAgainBehindABatch() async throws {
        try await context.facade.transaction { store in
            try store.save([Folder(id: "a", parent: "b"), Folder(id: "b", parent: nil)])
            #expect(throws: StorageError.self) { try store.save(Folder(id: "c", parent: "nowhere")) }
        }
        #expect(try await context.facade.count(Folder.self) == 2)
    }
}

@StorageEntity(table: "codes")
private struct CodedFolder {
    var id: String
    var code: String
    var parent: String?
}
