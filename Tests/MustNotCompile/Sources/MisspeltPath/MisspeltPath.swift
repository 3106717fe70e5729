import StorageKit

func find(_ storage: Storage) -> Query<Book> {
    storage.query(Book.self).where { $0.author.nmae == "Ada" }  // error: there is no column of this name
}
