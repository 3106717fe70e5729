import StorageKit

@StorageEntity
actor User {  // error: @StorageEntity needs a struct; an actor has no value
    var id: String = ""
}
