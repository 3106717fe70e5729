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
