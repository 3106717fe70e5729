import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Parts of texts are compared by their bytes, whatever the column and the file are declared to be.
@Suite struct TextMatchTests {
    private static let columns = "age INTEGER, email TEXT, isActive BOOLEAN, updatedAt DATETIME"
    private static let names = [
        "a", "A", "ab", "aB", "aš", "šx", "š", "b", "Z", "Za", "z", "za", "ä", "\u{1F600}", "a\u{1F600}b",
        "\u{10FFFF}a", "a\0b", "\u{D7FF}", "\u{E000}a", "",
    ]

    private func store(encoding: String = "UTF-8", name: String = "TEXT") async throws -> TemporaryStore {
        let folder = try TemporaryFolder()
        let queue = try GRDB.DatabaseQueue(path: folder.file().path)
        try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
            try db.execute(sql: "CREATE TABLE testusers (id TEXT PRIMARY KEY, name \(name), \(Self.columns))")
        }
        try queue.close()
        let store = try TemporaryStore(folder: folder) { _ in }
        try await store.storage.save(Self.names.map { TestUser("\($0.utf8.map(String.init))", name: $0) })
        return store
    }

    private func expect(
        _ store: TemporaryStore, _ predicate: (String) -> Predicate, _ matches: (String, String) -> Bool
    ) async throws {
        for needle in Self.names where !needle.isEmpty {
            let found = try await store.storage.query(TestUser.self).where { _ in predicate(needle) }.fetch()
            let expected = Self.names.filter { matches($0, needle) }
            #expect(
                Set(found.map { Array($0.name.utf8) }) == Set(expected.map { Array($0.utf8) }),
                "\(needle.debugDescription)")
        }
    }

    @Test func eachIsAFunctionOfOneText() async throws {
        let store = try await store()
        let name = Column<String>("name")
        try await expect(store, name.contains) { $0.utf8.contains($1.utf8) }
        try await expect(store, name.hasPrefix) { $0.utf8.starts(with: $1.utf8) }
        try await expect(store, name.hasSuffix) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
    }

    @Test func aPrefixHasItsCaseAlsoInAColumnThatHasNone() async throws {
        let store = try await store(name: "TEXT COLLATE NOCASE")
        let name = StorageGRDB.Column<String>("name")
        try await expect(store, { name.hasPrefix($0) }) { $0.utf8.starts(with: $1.utf8) }
    }

    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func aPrefixIsFoundInEachEncoding(encoding: String) async throws {
        let store = try await store(encoding: encoding)
        let name = StorageGRDB.Column<String>("name")
        try await expect(store, { name.hasPrefix($0) }) { $0.utf8.starts(with: $1.utf8) }
    }

    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func aPrefixWithoutCaseIsFoundInEachEncoding(encoding: String) async throws {
        let store = try await store(encoding: encoding)
        let name = StorageGRDB.Column<String>("name")
        try await expect(store, { name.hasPrefix($0, ignoringCase: true) }) { text, needle in
            text.uppercased().lowercased().utf8.starts(with: needle.uppercased().lowercased().utf8)
        }
    }

    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func aSuffixIsFoundInEachEncoding(encoding: String) async throws {
        let store = try await store(encoding: encoding)
        let name = StorageGRDB.Column<String>("name")
        try await expect(store, { name.hasSuffix($0) }) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
    }
}
