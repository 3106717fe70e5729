import Persistence
import StorageTestSupport
import Testing

/// Whatever a name is made of, it is a name, or refused by a typed error: never SQL.
@Suite struct HostileNameSecurityTests {
    @Test(arguments: HostileText.run.filter { !HostileText.impossibleNames.contains($0) })
    func aTableOrColumnIsOnlyAName(_ name: String) async throws {
        let (table, column) = (name.quotedForTest, name.quotedForTest)
        let shelf = try await Shelf(
            "CREATE TABLE victims (x); CREATE TABLE \(table) (\(column) TEXT PRIMARY KEY, other TEXT)")
        let schema = Persistence.TableSchema<[String]>(
            table: name, primaryKey: name, encode: { [name: .text($0[0]), "other": .text($0[1])] },
            decode: { row in
                guard case .text(let key)? = row.value(name), case .text(let other)? = row.value("other") else {
                    throw SQLiteError.decodingFailed(message: "no such row")
                }
                return [key, other]
            })
        let dao = DAO.make(database: shelf.database, schema: schema)
        #expect(try await dao.create(["1", "a"]) == ["1", "a"])
        #expect(try await dao.update(["1", name]) == ["1", name])
        #expect(try await dao.read(.text("1")) == ["1", name])
        #expect(try await dao.list() == [["1", name]])
        try await dao.delete(.text("1"))
        #expect(try await dao.list().isEmpty)
        #expect(try await shelf.tables().count == 2)
    }

    @Test(arguments: HostileText.run) func aNameThatIsNotThereIsAnError(_ name: String) async throws {
        let shelf = try await Shelf("CREATE TABLE victims (id PRIMARY KEY)")
        for (table, column) in [(name, "id"), ("victims", name)] {
            let schema = Persistence.TableSchema<String>(
                table: table, primaryKey: column, encode: { [column: .text($0)] }, decode: { _ in "" })
            let dao = DAO.make(database: shelf.database, schema: schema)
            // `sqlite_master` can be read, and `rowid` is a column of any table.
            guard table != "sqlite_master", column != "rowid" else { continue }
            for use in [
                { _ = try await dao.create("1") }, { _ = try await dao.update("1") },
                { try await dao.delete(.text("1")) },
                { _ = try await dao.read(.text("1")) }, { _ = try await dao.list() },
            ] as [() async throws -> Void] {
                #expect(await sqliteError(use) != nil)
            }
        }
        #expect(try await shelf.tables() == [.text("victims")])
    }

    @Test(arguments: HostileText.run) func aValueIsOnlyAValue(_ text: String) async throws {
        let shelf = try await Shelf()
        try await shelf.database.add(text)
        #expect(try await shelf.titles() == [.text(text)])
        let found = try await shelf.database.rows("SELECT id FROM books WHERE title = ?", [.text(text)])
        #expect(found.count == 1)
    }

    @Test(arguments: HostileText.run) func aFileHasItsName(_ name: String) async throws {
        guard !name.isEmpty, !name.contains("/") else { return }
        let folder = try TemporaryFolder()
        let path = folder.url.path + "/" + name
        guard !name.utf8.contains(0) else {
            #expect(await sqliteError { _ = try await SQLiteDatabase(path: path) } != nil)
            return
        }
        for path in [path, path + "?mode=memory&vfs=none"] {
            let database = try await SQLiteDatabase(path: path)
            try await database.execute("CREATE TABLE books (id)")
            try await database.close()
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }
}

extension Shelf {
    fileprivate func tables() async throws -> [SQLiteValue] {
        try await database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map { $0.values[0] }
    }
}

extension String {
    /// The name as SQL writes it; not with the code under test.
    fileprivate var quotedForTest: String {
        String(decoding: [0x22] + utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] } + [0x22], as: UTF8.self)
    }
}
