import StorageKit

@StorageEntity
struct Box<Value> {  // error: cannot be put on the generic struct 'Box'
    var id: String
}
