import StorageKit

struct Shape: Sendable {
    var sides: Int
}

@StorageEntity
struct User {
    var id: String
    // The macro cannot see what the type is. Its errors are all in the expansion; a note leads here.
    // expansion fails too
    var shape: Shape  // note: 'Shape' does not conform to 'Decodable'
}
