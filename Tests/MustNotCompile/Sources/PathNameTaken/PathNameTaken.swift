import StorageKit

@StorageEntity
struct Author {
    var id: String
}

@StorageEntity
struct Book {
    var id: String
    var author: String
    @StorageReference(Author.self)  // error: the path of 'authorId' would be 'author'
    var authorId: String
}
