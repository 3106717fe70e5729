import StorageKit

struct Shape: Sendable {
    var sides: Int
}

// The macro cannot see what the type is. The errors are all in the expansion; a note leads here.
// expansion fails too
@StorageEntity  // note: in expansion of macro 'StorageEntity' on struct 'User' here
struct User {
    var id: String
    var shape: Shape
}
