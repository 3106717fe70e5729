import StorageKit
import StorageTestSupport
import Testing

/// Who may read the files of a store.
@Suite struct FilePermissionSecurityTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aFileIsMadeAsOtherFilesAreUnlessAskedOtherwise() async throws {
        let store = try start()
        let expected = try usual()
        #expect(
            try permissions() == ["store.sqlite": expected, "store.sqlite-shm": expected, "store.sqlite-wal": expected])
        try await store.context.backup(to: folder.file("backup"))
        #expect(try permissions()["backup"] == expected)
    }

    @Test func aPrivateFileAndAllThatSQLiteKeepsBesideItAreTheUsersOnly() async throws {
        let store = try start { $0.createsPrivateFile = true }
        try await store.storage.save(TestUser("1"))
        #expect(try permissions() == ["store.sqlite": 0o600, "store.sqlite-shm": 0o600, "store.sqlite-wal": 0o600])
        try await store.context.vacuum()
        #expect(try permissions()["store.sqlite"] == 0o600)
    }

    @Test func aBackupOfAPrivateFileIsTheUsersOnly() async throws {
        let store = try start { $0.createsPrivateFile = true }
        try await store.storage.save(TestUser("1"))
        let old = folder.file("backup")
        // What it takes the place of may have been for everybody.
        try Data("old".utf8).write(to: old)
        try await store.context.backup(to: old)
        #expect(try permissions()["backup"] == 0o600)
        let copy = try StorageKit.start(at: old) { $0.autoSchema(TestUserRecord.self) }
        #expect(try await copy.facade.count(TestUser.self) == 1)
        #expect(try permissions()["backup-wal"] == 0o600)
    }

    @Test func aBackupOfAStoreWhoseFileWasRemovedIsTheUsersOnly() async throws {
        let store = try start { $0.createsPrivateFile = true }
        try await store.storage.save(TestUser("1"))
        // The copy is made by a connection that has the file open by then.
        func openReader() throws {
            let sql = "SELECT COUNT(*) FROM testusers"
            let count = try store.context.storage.pool.read { try Int.fetchOne($0, sql: sql) }
            #expect(count == 1)
        }
        try openReader()
        try FileManager.default.removeItem(at: folder.file())
        try await store.context.backup(to: folder.file("backup"))
        #expect(try permissions()["backup"] == 0o600)
    }

    @Test func aBackupIsForThoseWhoMayReadTheStore() async throws {
        let store = try start()
        for mode in [0o640, 0o600, 0o666] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file().path)
            try await store.context.backup(to: folder.file("backup"))
            #expect(try permissions()["backup"] == mode)
        }
    }

    /// Of a file that nobody may write, for SQLite has to write the copy.
    @Test func theOwnerOfABackupMayWriteIt() async throws {
        let store = try start()
        try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: folder.file().path)
        try await store.context.backup(to: folder.file("backup"))
        #expect(try permissions()["backup"] == 0o640)
    }

    @Test func anExistingFileIsLeftAsItIs() async throws {
        try start().context.storage.pool.close()
        let before = try permissions()["store.sqlite"]
        let store = try start { $0.createsPrivateFile = true }
        try await store.storage.save(TestUser("1"))
        #expect(try permissions()["store.sqlite"] == before)
        #expect(try permissions()["store.sqlite-wal"] == before)
    }

    @Test func aPrivateFileStaysSoWithoutTheOption() async throws {
        try start { $0.createsPrivateFile = true }.context.storage.pool.close()
        let store = try start()
        try await store.storage.save(TestUser("1"))
        #expect(try Set(permissions().values) == [0o600])
    }

    /// Whether a process without rights gets to the temporary folders.
    private static let othersEnter =
        sequence(first: FileManager.default.temporaryDirectory.resolvingSymlinksInPath()) { folder in
            folder.path == "/" ? nil : folder.deletingLastPathComponent()
        }.allSatisfy { folder in
            let mode = try? FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
            return (mode ?? 0) & 0o001 != 0
        }

    /// As a process of another user leaves the files beside the store.
    @Test(.enabled(if: getuid() != 0 || othersEnter)) func aStoreWhoseLogCannotBeWrittenIsReadOnly() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        let context = try Library.start(at: folder.file(), .old)
        for (suffix, mode) in [("", 0o666), ("-wal", 0o444), ("-shm", 0o444)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file().path + suffix)
        }
        let child = try ChildProcess("start", folder.file().path, "old", "--as-nobody")
        try await child.line("ready")
        try child.send("go")
        #expect(try await child.exit() == .code(2))
        #expect(child.said.contains("failed: invalidConfiguration -"), "\(child.said)")
        #expect(child.said.contains { $0.hasPrefix("reason: ") && $0.contains("read-only") }, "\(child.said)")
        try await context.close()
    }

    @Test func aLinkThatLeadsNowhereIsRefused() throws {
        let target = folder.file("target")
        try FileManager.default.createSymbolicLink(at: folder.file(), withDestinationURL: target)
        let error = #expect(throws: StorageError.self) { try start { $0.createsPrivateFile = true } }
        guard case .databaseNotFound = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func aFolderWhereNothingCanBeMadeIsTheSameErrorAsWithoutTheOption() throws {
        for isPrivate in [false, true] {
            let missing = URL(fileURLWithPath: "/dev/null/store.sqlite")
            let error = #expect(throws: StorageError.self) {
                try StorageKit.start(at: missing, options: .init(createsPrivateFile: isPrivate))
            }
            guard case .databaseNotFound = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    private func start(_ options: (inout StorageKit.StartOptions) -> Void = { _ in }) throws -> TemporaryStore {
        try TemporaryStore(folder: folder, options: options) { $0.autoSchema(TestUserRecord.self) }
    }

    /// What a new file gets without any doing.
    private func usual() throws -> Int {
        let other = try TemporaryFolder()
        try Data().write(to: other.file())
        return try other.permissions(of: other.file().lastPathComponent)
    }

    private func permissions() throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try folder.permissions(of: $0)) })
    }
}

extension TemporaryFolder {
    fileprivate func permissions(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name).path)
        return try #require(attributes[.posixPermissions] as? Int) & 0o777
    }
}
