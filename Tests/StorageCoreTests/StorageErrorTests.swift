import StorageCore
import Testing

@Suite struct StorageErrorTests {
    private struct Cause: LocalizedError {
        var errorDescription: String? { "the cause" }
    }

    @Test(arguments: [
        (StorageError.databaseNotFound(path: "/a/b.sqlite"), ["/a/b.sqlite"]),
        (.migrationFailed(id: "2026-01-01_x", underlying: Cause()), ["2026-01-01_x", "the cause"]),
        (.transactionFailed(underlying: Cause()), ["Nothing was written", "the cause"]),
        (
            .constraintViolated(ConstraintViolation(kind: .unique, table: "users", columns: ["email", "name"])),
            ["rolled back", "'users'", "'email', 'name'"]
        ),
        (.cacheReadFailed(key: "k", underlying: Cause()), ["'k'", "the cause"]),
        (.cacheWriteFailed(key: "k", underlying: Cause()), ["'k'", "the cause"]),
        (.cacheDecodingFailed(key: "k", type: "User", underlying: Cause()), ["'k'", "User", "the cause"]),
        (.cacheEncodingFailed(key: "k", type: "User", underlying: Cause()), ["'k'", "User", "the cause"]),
        (.entityNotFound(type: "User", id: "7"), ["User", "'7'"]),
        (.entityEncodingFailed(type: "User", underlying: Cause()), ["User", "the cause"]),
        (.entityDecodingFailed(type: "User", underlying: Cause()), ["User", "the cause"]),
        (.invalidTableName("1;2"), ["1;2"]),
        (.invalidConfiguration(message: "do this"), ["do this"]),
        (.queryFailed(sql: "SELECT", underlying: Cause()), ["the cause"]),
    ])
    func theMessageNamesWhatIsAtFault(error: StorageError, parts: [String]) {
        for part in parts {
            #expect(error.localizedDescription.contains(part))
            #expect("\(error)".contains(part))
        }
    }

    @Test func aPlaceWhereNoDatabaseCanBeIsToldWithWhatIsInTheWay() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StorageKit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        func words(_ url: URL) -> String { StorageError.databaseNotFound(path: url.path).description }
        #expect(words(folder).hasSuffix("there is a folder of that name."))
        #expect(words(file.appendingPathComponent("store.sqlite")).hasSuffix("'\(file.path)' is no folder."))
        #expect(
            words(folder.appendingPathComponent("a/store.sqlite")).contains("there is no folder '\(folder.path)/a'"))
        #expect(words(file).hasSuffix("'\(file.path)' cannot be opened or created."))
    }
}
