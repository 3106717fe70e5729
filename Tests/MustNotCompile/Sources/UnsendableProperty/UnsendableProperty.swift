import StorageKit

final class Owner: Codable {
    var name = ""
}

@StorageEntity
struct User {
    var id: String
    // An entity is Sendable.
    var owner: Owner  // error: has non-Sendable type 'Owner'
}
