import StorageKit

let name = "people"

@StorageEntity(table: name)  // error: the table name has to be a string literal
struct User {
    var id: String
}
