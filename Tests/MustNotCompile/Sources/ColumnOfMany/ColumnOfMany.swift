import StorageKit

@StorageEntity
struct Author {
    var id: String
    var name: String
    @StorageHasMany(foreignKey: "authorId") var books: [Book]
}

@StorageEntity
struct Book {
    var id: String
    var title: String
    @StorageReference(Author.self) var authorId: String
}

func find(_ storage: Storage) -> Query<Author> {
    storage.query(Author.self).where { $0.books.title == "a" }  // error: these are many rows
}
