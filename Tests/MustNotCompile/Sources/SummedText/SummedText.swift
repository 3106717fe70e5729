import StorageKit

func find(_ storage: Storage) -> Query<Author> {
    storage.query(Author.self).where { $0.books.sum(\.title) == 3 }  // error: no column of numbers
}
