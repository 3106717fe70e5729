import StorageKit

@StorageEntity
class User {  // error: @StorageEntity needs a struct; a class has no value
    var id: String = ""
}
