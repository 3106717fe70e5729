import StorageKit

final class Owner: Codable {
    var name = ""
}

@StorageEntity
struct User {
    var id: String
    // An entity is Sendable, and so is the list of its columns.
    // expansion fails too
    var owner: Owner  // error: has non-Sendable type 'Owner'
}
