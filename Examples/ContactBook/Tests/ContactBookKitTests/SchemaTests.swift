import ContactBookModel
import StorageKitTesting
import Testing

struct SchemaTests {
    /// A release keeps its schema: `STORAGEKIT_SNAPSHOT=1.1 swift test --filter booksOfAllVersionsOpen`.
    @Test func booksOfAllVersionsOpen() throws {
        try SchemaSnapshots("Schemas", schema: ContactBook.describe).check()
    }
}
