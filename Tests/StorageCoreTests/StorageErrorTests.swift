import StorageCore
import Testing

@Suite struct StorageErrorTests {
    private struct Cause: LocalizedError {
        var errorDescription: String? { "the cause" }
    }

    @Test(arguments: [
        (StorageError.databaseNotFound(path: "/a/b.sqlite"), ["/a/b.sqlite"]),
        (.migrationFailed(id: "2026-01-01_x", underlying: Cause()), ["2026-01-01_x", "the cause"]),
        (.transactionFailed(underlying: Cause()), ["rolled back", "the cause"]),
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
}
