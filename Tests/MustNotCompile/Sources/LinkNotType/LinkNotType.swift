import StorageKit

let link: Any.Type = Book.self

@StorageEntity
struct Book {
    var id: String
    @StorageHasMany(through: link)  // error: the link of @StorageHasMany has to be written as its type
    var others: [Book]
}
