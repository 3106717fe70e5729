import StorageKit

func find(_ storage: Storage) -> Query<Author> {
    storage.query(Author.self).where { $0.books.title == "a" }  // error: these are many rows
}
