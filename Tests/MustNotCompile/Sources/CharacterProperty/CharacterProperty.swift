import StorageKit

// An app may call a type of its own so, which the macro cannot tell from Swift's. A note leads here.
// expansion fails too
@StorageEntity  // note: in expansion of macro 'StorageEntity' on struct 'User' here
struct User {
    var id: String
    var initial: Character
}
