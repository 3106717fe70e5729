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

func find(_ storage: Storage) -> Query<Book> {
    storage.query(Book.self).where { $0.author.nmae == "Ada" }  // error: there is no column of this name
}
