import StorageKit

@StorageEntity
enum User {  // error: @StorageEntity needs a struct; an enum has no value
    case ada
}
